package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"isdlc-hooks/lib/audit"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/state"
)

func auditCommand() *cobra.Command {
	var a auditor
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Check that state.json agrees with itself and with the configuration",
		Long: `Audit holds the state of a project against the criteria of the handshake between
phases (IR-001 to IR-013 and their checklists) and the rules V1 to V9. One line per
finding: the criterion, the value and what it disagrees with, and what would mend it.

With --fix what has one answer is mended, in one atomic write; the rest is listed.
With --against, an earlier version of the file, the rules on writes (V6, V7, V8)
are judged too.

Exit codes: 0 nothing found, 1 findings (after --fix: left over), 2 wrong command line.`,
		Example: `  isdlc-hooks audit
  isdlc-hooks audit --project ~/src/shop --fix
  isdlc-hooks audit --all --json
  git show HEAD:.isdlc/state.json >/tmp/old.json; isdlc-hooks audit --against /tmp/old.json`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.OutOrStdout()) },
	}
	flags := cmd.Flags()
	a.flags(flags)
	a.pluginFlag(flags)
	flags.BoolVar(&a.all, "all", false, "all projects of a monorepo")
	flags.BoolVar(&a.fix, "fix", false, "mend what has one answer")
	flags.BoolVar(&a.json, "json", false, "print the findings as JSON")
	flags.StringVar(&a.against, "against", "", "an earlier version of the state (`FILE`)")
	return cmd
}

type auditor struct {
	place
	all, fix, json bool
	against        string
	before         *ordered.Value
}

// A verdict is what the audit of one state came to.
type verdict struct {
	path    string // of the state, relative to the root where it lies below it
	none    bool   // there is no state
	mended  []audit.Finding
	found   []audit.Finding
	problem error // the state cannot be read, or not be written
}

func (a *auditor) run(out io.Writer) error {
	if a.all && (a.id != "" || a.against != "") {
		return &exit{misuse, errors.New("--all is about every project: leave --id and --against out")}
	}
	projects, err := a.projects()
	if err != nil {
		return err
	}
	if a.against != "" {
		data, err := disk.Read(a.against)
		if err == nil {
			a.before, err = ordered.Parse(data)
		}
		if err != nil {
			return &exit{misuse, fmt.Errorf("read the earlier version: %w", err)}
		}
	}
	var verdicts []verdict
	bad := false
	for _, p := range projects {
		v := a.audit(p)
		bad = bad || len(v.found) > 0 || v.problem != nil
		verdicts = append(verdicts, v)
	}
	if len(verdicts) == 1 && verdicts[0].none && !a.all {
		return &exit{misuse, fmt.Errorf("there is nothing to audit: no %s in %s", verdicts[0].path, projects[0].Root)}
	}
	show := printVerdicts
	if a.json {
		show = printVerdictsJSON
	}
	if err := show(out, verdicts); err != nil {
		return err
	}
	if bad {
		return &exit{failed, nil}
	}
	return nil
}

// projects lists what is to be audited: the one that is meant, or with --all those
// that are registered and those that have a folder.
func (a *auditor) projects() ([]*project.Project, error) {
	first, err := a.find()
	if err != nil || !a.all {
		return []*project.Project{first}, err
	}
	data, err := disk.Read(first.Path(project.Dir, "monorepo.json"))
	if err != nil {
		return nil, &exit{misuse, fmt.Errorf("--all is for monorepos: %w", err)}
	}
	registry, err := ordered.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read monorepo.json: %w", err)
	}
	var ids []string
	for _, m := range registry.Get("projects").Members() {
		ids = append(ids, m.Name)
	}
	folders, err := os.ReadDir(first.Path(project.Dir, "projects"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for projects: %w", err)
	}
	for _, f := range folders {
		if f.IsDir() && !slices.Contains(ids, f.Name()) {
			ids = append(ids, f.Name())
		}
	}
	var list []*project.Project
	for _, id := range ids {
		p, err := (&place{dir: first.Root, id: id}).find()
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// audit looks at one project, and mends it where that is asked for.
func (a *auditor) audit(p *project.Project) (v verdict) {
	v.path = p.State()
	if rel, err := filepath.Rel(p.Root, v.path); err == nil {
		v.path = filepath.ToSlash(rel)
	}
	store := a.config(p)
	in := audit.Input{
		Before:        a.before,
		Manifest:      store.Manifest(),
		Requirements:  store.Requirements(),
		Workflows:     store.Workflows(),
		ArtifactPaths: store.ArtifactPaths(),
		Exists:        func(path string) bool { return disk.Exists(p.Artifact(path)) },
		Now:           time.Now(),
	}
	judge := func(st *state.State) error {
		in.State = st.Object
		v.mended, v.found = nil, nil
		if a.fix {
			v.mended = audit.Mend(in)
		}
		v.found = audit.Check(in)
		return nil
	}
	if a.fix {
		v.problem = update(p.State(), false, judge)
	} else {
		doc, err := load(p.State())
		if v.problem = err; err == nil {
			_ = judge(doc.State) // it gives no error
		}
	}
	if errors.Is(v.problem, errNoState) {
		v.none, v.problem = true, nil
	}
	return v
}

func printVerdicts(out io.Writer, verdicts []verdict) error {
	for i, v := range verdicts {
		if i > 0 {
			fmt.Fprintln(out)
		}
		switch {
		case v.none:
			fmt.Fprintf(out, "%s: there is none\n", v.path)
		case v.problem != nil:
			fmt.Fprintf(out, "%s: %v\n", v.path, v.problem)
		default:
			fmt.Fprintf(out, "%s: %s\n", v.path, summary(v))
		}
		if v.problem != nil {
			continue // nothing was mended then
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, f := range v.mended {
			fmt.Fprintf(table, "mended\t%s\t%s\n", criterion(f), sentence(f))
		}
		for _, f := range v.found {
			mark := ""
			if f.Fix != nil {
				mark = " (--fix)"
			}
			fmt.Fprintf(table, "%s\t%s\t%s%s\n", f.Severity, criterion(f), sentence(f), mark)
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func summary(v verdict) string {
	s := "nothing found"
	if n := len(v.found); n > 0 {
		s = count(n, "finding")
		if len(v.mended) > 0 {
			s += " left"
		}
	} else if len(v.mended) > 0 {
		s = "healthy now"
	}
	if n := len(v.mended); n > 0 {
		s += fmt.Sprintf(", %d mended", n)
	}
	return s
}

// sentence names the two values that disagree, and what would mend it.
func sentence(f audit.Finding) string {
	return printable(fmt.Sprintf("%s = %s; %s; %s", f.Place, f.Value, f.Against, f.Remedy))
}

func criterion(f audit.Finding) string {
	if f.Rule == "" || f.Rule == f.Criterion {
		return f.Criterion
	}
	return f.Criterion + " " + f.Rule
}

func printVerdictsJSON(out io.Writer, verdicts []verdict) error {
	states := ordered.NewArray()
	for _, v := range verdicts {
		entry := ordered.NewObject("state", v.path, "exists", !v.none, "error", nil, "mended", findings(v.mended), "findings", findings(v.found))
		if v.problem != nil {
			entry.Set("error", v.problem.Error())
			entry.Set("mended", ordered.NewArray())
		}
		states.Append(entry)
	}
	return printJSON(out, ordered.NewObject("states", states))
}

func findings(found []audit.Finding) *ordered.Value {
	list := ordered.NewArray()
	for _, f := range found {
		list.Append(ordered.NewObject(
			"criterion", f.Criterion, "rule", f.Rule, "severity", f.Severity, "place", f.Place,
			"value", f.Value, "against", f.Against, "remedy", f.Remedy, "fixable", f.Fix != nil,
		))
	}
	return list
}
