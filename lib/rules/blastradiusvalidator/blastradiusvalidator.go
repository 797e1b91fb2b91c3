// Package blastradiusvalidator lets nobody leave a phase while files that the
// impact analysis named were neither changed nor deferred with a reason (spec 20
// §5).
package blastradiusvalidator

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/gitrepo"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/rules/advancement"
)

const name = "blast-radius-validator"

// Hook is blast-radius-validator.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block leaving a phase while files of the impact analysis are neither changed nor deferred",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task, claude.Skill},
	Run:    run,
}

const (
	analysisName = "impact-analysis.md"
	coverageName = "blast-radius-coverage.md"
	base         = "main" // the branch that changes are counted from
)

func run(c *hook.Context) hook.Decision {
	folder := c.State().ArtifactFolder()
	if folder == "" || !leaves(c) {
		return hook.Allow()
	}
	path := c.Project().Artifact("docs/requirements/" + folder + "/" + analysisName)
	data, err := c.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return hook.Allow()
	}
	if err != nil {
		c.Warn(fmt.Sprintf("%s: %s cannot be read, so the blast radius is not checked: %v", name, analysisName, err))
		return hook.Allow()
	}
	files := affectedFiles(string(data))
	if len(files) == 0 {
		return hook.Allow()
	}
	diff := c.Recall(name, func() any {
		changed, err := gitrepo.Repo{Dir: c.Project().Root}.ChangedSince(base)
		return comparison{changed, err}
	}).(comparison)
	if diff.err != nil {
		c.Warn(fmt.Sprintf("%s: git cannot tell what was changed since %s, so the blast radius is not checked: %v", name, base, diff.err))
		return hook.Allow()
	}
	var deferred []string
	if data, err := c.ReadFile(filepath.Join(filepath.Dir(path), coverageName)); err == nil { // else nothing is deferred
		deferred = deferrals(string(data))
	}
	return judge(c, files, diff.changed, deferred)
}

// A comparison is what git says of the commits of the branch.
type comparison struct {
	changed []string
	err     error
}

// leaves tells whether the call would leave the current phase: the work of the
// phase itself is never held up (spec 05 C.6).
func leaves(c *hook.Context) bool {
	if advancement.Attempted(c) {
		return true
	}
	to, ok := c.Delegation()
	return ok && !phase.Same(to.Target, c.State().CurrentPhase())
}

func judge(c *hook.Context, files []affected, changed, deferred []string) hook.Decision {
	var open []string
	nCovered, nDeferred := 0, 0
	for _, f := range files {
		switch {
		case slices.Contains(changed, f.path):
			nCovered++
		case slices.Contains(deferred, f.path):
			nDeferred++
		default:
			open = append(open, fmt.Sprintf("- %s (%s)", f.path, f.change))
		}
	}
	facts := fmt.Sprintf("%d of %d affected files unaddressed, %d covered, %d deferred", len(open), len(files), nCovered, nDeferred)
	if open == nil {
		c.Log("allow", "", "", facts)
		return hook.Allow()
	}
	c.Log("block", "", "", facts)
	return hook.Block(fmt.Sprintf("BLAST RADIUS: %s.\n"+
		"%s names these, and no commit since %s changes them:\n%s\n"+
		"Make and commit each change, or give the file a row in %s beside it, with status deferred and the reason:\n"+
		"| `path` | CHANGE | deferred | reason |",
		facts, analysisName, base, strings.Join(open, "\n"), coverageName))
}
