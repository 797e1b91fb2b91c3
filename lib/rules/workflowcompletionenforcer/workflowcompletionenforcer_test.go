package workflowcompletionenforcer

import (
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

func parse(t *testing.T, s string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(s))
	assert.NilError(t, err)
	return v
}

func TestIsFresh(t *testing.T) {
	now := time.Date(2026, 2, 20, 8, 2, 0, 0, time.UTC)
	for entry, want := range map[string]bool{
		`{"completed_at": "2026-02-20T08:00:00Z"}`:                                         true, // 120 s to the millisecond
		`{"completed_at": "2026-02-20T07:59:59.999Z"}`:                                     false,
		`{"completed_at": "2030-01-01"}`:                                                   true,
		`{"completed_at": "soon"}`:                                                         false,
		`{"completed_at": true}`:                                                           false,
		`{"completed_at": 1771574520000}`:                                                  true,
		`{"completed_at": 1771574399999}`:                                                  false,
		`{"completed_at": "", "cancelled_at": "2026-02-20T07:00:00Z"}`:                     false,
		`{"completed_at": "2026-02-20T08:01:00Z", "cancelled_at": "2026-02-20T07:00:00Z"}`: true,
		`{}`: true,
	} {
		assert.Check(t, isFresh(parse(t, entry), now) == want, entry)
	}
}

const ended = `{
  "state_version": 3,
  "active_workflow": null,
  "phases": {"06-implementation": {"status": "completed"}},
  "workflow_history": [{"id": "REQ-1", "phases": ["06-implementation"]}]
}`

// The project whose state file was written is worked on, not the active one, and
// no file that only looks like a state file (spec 05 F.4).
func TestWrittenProject(t *testing.T) {
	const sample = "testdata/.isdlc/state.json"
	for written, want := range map[string]string{
		".isdlc/projects/web/state.json": ".isdlc/projects/web/state.json",
		".isdlc/projects/api/state.json": ".isdlc/projects/api/state.json",
		".isdlc/state.json":              ".isdlc/state.json",
		sample:                           "",
	} {
		for _, program := range []string{"workflow-completion-enforcer", "post-write-edit-dispatcher"} {
			t.Run(program+"/"+written, func(t *testing.T) {
				p := hooktest.NewProject(t)
				p.Write(".isdlc/monorepo.json", `{"default_project": "api"}`)
				for _, name := range []string{".isdlc/state.json", ".isdlc/projects/api/state.json", ".isdlc/projects/web/state.json", sample} {
					p.Write(name, ended)
				}
				before := p.Files()
				event := ordered.NewObject("tool_name", "Edit", "tool_input", ordered.NewObject("file_path", p.Path(written)))
				p.Run(program, string(event.Compact()))
				changed := before.Changed(p.Files())
				if want == "" {
					assert.Equal(t, len(changed), 0, changed)
					return
				}
				assert.DeepEqual(t, changed, []string{".isdlc/hook-activity.log", want})
				after := parse(t, p.Files()[want].Data)
				assert.Equal(t, after.Get("state_version").Literal(), "4")
				assert.Equal(t, len(after.Get("workflow_history").Items()[0].Get("phase_snapshots").Items()), 1)
			})
		}
	}
}
