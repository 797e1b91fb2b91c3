package rules_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/config"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/rules/constitutionvalidator"
	"isdlc-hooks/lib/rules/gateblocker"
	"isdlc-hooks/lib/rules/iterationcorridor"
	"isdlc-hooks/lib/rules/phasesequenceguard"
	"isdlc-hooks/lib/rules/skillvalidator"
	"isdlc-hooks/lib/state"
)

// The test program runs itself as a dispatcher of real rules with a spy before
// them and one behind them, which see what a rule sees.
const spyVariable = "ISDLC_TEST_SPY"

// A report is what the spies find.
type report struct {
	SameProject, SameConfig, SameState bool

	Misses, Hits int // of the configuration, when all rules have run
	Again        int // misses for asking once more for every file
}

func spy() {
	var (
		root  *project.Project
		store *config.Store
		st    *state.State
	)
	first := step("first-spy", func(c *hook.Context) hook.Decision {
		root, store, st = c.Project(), c.Config(), c.State()
		return hook.Allow()
	})
	last := step("last-spy", func(c *hook.Context) hook.Decision {
		r := report{SameProject: c.Project() == root, SameConfig: c.Config() == store, SameState: st != nil && c.State() == st}
		r.Misses, r.Hits = store.Misses, store.Hits
		for _, load := range []func() *ordered.Value{store.Manifest, store.Requirements, store.Workflows, store.ArtifactPaths} {
			load()
		}
		r.Again = store.Misses - r.Misses
		line, err := json.Marshal(r)
		if err != nil {
			return hook.Fail(err)
		}
		c.Warn("report: " + string(line))
		return hook.Allow()
	})
	hook.Dispatch(&hook.Dispatcher{
		Name:   "spied-dispatcher",
		Events: []claude.EventName{claude.PreToolUse},
		Steps: []hook.Step{
			first, {Hook: iterationcorridor.Hook}, {Hook: skillvalidator.Hook}, {Hook: phasesequenceguard.Hook},
			{Hook: gateblocker.Hook}, {Hook: constitutionvalidator.Hook}, last,
		},
	})
}

func step(name string, run func(*hook.Context) hook.Decision) hook.Step {
	return hook.Step{Hook: &hook.Hook{Name: name, Events: []claude.EventName{claude.PreToolUse}, Run: run}}
}

// open is a project at a gate that every check of gate-blocker lets pass.
func open(t *testing.T) *hooktest.Project {
	p := hooktest.NewProject(t)
	p.Configs()
	p.Write(".isdlc/state.json", `{"active_workflow":{"type":"feature","phases":["04-design"],"current_phase":"04-design","current_phase_index":0,"artifact_folder":"R1"},
		"phases":{"04-design":{`+compliant+`}},"skill_usage_log":[{"agent":"system-designer","agent_phase":"04-design"}]}`)
	p.Write("docs/requirements/R1/module-design.md", "")
	p.Write("docs/isdlc/tasks.md", "")
	return p
}

// TestAskedOnce is REQ-0020: a process resolves the project once, reads a
// configuration file once and the state once, however many rules ask.
func TestAskedOnce(t *testing.T) {
	program, err := os.Executable()
	assert.NilError(t, err)
	for _, test := range []struct {
		name string
		o    hooktest.Options
	}{
		{"root from the environment", hooktest.Options{}},
		{"root found from the working directory", hooktest.Options{Unset: []string{"CLAUDE_PROJECT_DIR"}, Dir: "src/deep/down"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t)
			test.o.Env = map[string]string{spyVariable: "1"}
			out := p.RunWith(program, advance, test.o)
			_, line, found := strings.Cut(out.Stderr, "report: ")
			assert.Assert(t, found, "%s%s", out.Stdout, out.Stderr)
			line, _, _ = strings.Cut(line, "\n")
			var got report
			assert.NilError(t, json.Unmarshal([]byte(line), &got))
			assert.Assert(t, got.Hits > 0, "several rules ask for the manifest and the requirements: %+v", got)
			got.Hits = 0
			assert.Equal(t, got, report{SameProject: true, SameConfig: true, SameState: true, Misses: 4})
		})
	}
}

// compact drops the layout of a document.
func compact(t *testing.T, text string) string {
	v, err := ordered.Parse([]byte(text))
	assert.NilError(t, err)
	return string(v.Compact())
}
