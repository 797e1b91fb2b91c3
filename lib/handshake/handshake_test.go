package handshake

import (
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

func parse(t *testing.T, s string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(s))
	assert.NilError(t, err)
	return v
}

// desk makes a handshake on a state with the delivered configuration, where no
// artifact is missing, at 08:00.
func desk(t *testing.T, doc string) *Handshake {
	t.Helper()
	config := func(name string) func() *ordered.Value {
		v := parse(t, hooktest.Config(t, name))
		return func() *ordered.Value { return v }
	}
	return &Handshake{
		State: &state.State{Object: parse(t, doc)},
		Now:   time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC),
		Rules: Rules{
			Requirements: config("iteration-requirements.json"),
			Workflows:    config("workflows.json"),
			Sources: gate.Sources{
				Manifest:      config("skills-manifest.json"),
				ArtifactPaths: config("artifact-paths.json"),
				Exists:        func(string) bool { return true },
			},
		},
	}
}

// pass puts what the gate of a phase asks for into its record.
func (h *Handshake) pass(key string) {
	record := h.State.Phase(key)
	record.Set("constitutional_validation", ordered.NewObject("completed", true, "status", "compliant", "iterations_used", 1))
	record.Set("iteration_requirements", ordered.NewObject(
		"test_iteration", ordered.NewObject("completed", true, "current_iteration", 2),
		"interactive_elicitation", ordered.NewObject("completed", true, "menu_interactions", 3, "final_selection", "save"),
	))
}

// same asserts that a document is the wanted one, order of members included.
func same(t *testing.T, h *Handshake, want string) {
	t.Helper()
	assert.Equal(t, string(h.State.Object.Indent()), string(parse(t, want).Indent()))
}

// Every field of every transition, of a workflow of two phases on a state with
// remains of an earlier one and with fields that nobody here knows.
func TestTransitions(t *testing.T) {
	h := desk(t, `{"zeta":1.0,"active_workflow":null,"active_agent":"qa-engineer","current_phase":"08-code-review","phases":{"08-code-review":{"status":"completed"}}}`)
	assert.NilError(t, h.Init(Plan{Type: "fix", Phases: []string{"02-tracing", "06-implementation"}, ArtifactFolder: "BUG-7", Description: "crash"}))
	same(t, h, `{"zeta":1.0,
		"active_workflow":{"type":"fix","phases":["02-tracing","06-implementation"],"current_phase":"02-tracing","current_phase_index":0,
			"phase_status":{"02-tracing":"in_progress","06-implementation":"pending"},"started_at":"2026-02-20T08:00:00.000Z","status":"active",
			"artifact_folder":"BUG-7","description":"crash"},
		"active_agent":"tracing-orchestrator","current_phase":"02-tracing",
		"phases":{"02-tracing":{"status":"in_progress","started":null,"completed":null,"gate_passed":null,"artifacts":[]},
			"06-implementation":{"status":"pending","started":null,"completed":null,"gate_passed":null,"artifacts":[]}}}`)

	h.Now = h.Now.Add(time.Minute)
	assert.NilError(t, h.Activate("02-tracing", false))
	h.Now = h.Now.Add(time.Minute)
	assert.NilError(t, h.Activate("02-tracing", false)) // AC-002d, AC-002e
	h.Now = h.Now.Add(90 * time.Second)
	h.pass("02-tracing")
	assert.NilError(t, h.Complete(Report{Phase: "02-tracing", Summary: " " + strings.Repeat("é", 150) + "and more\n"}))
	same(t, h, `{"zeta":1.0,
		"active_workflow":{"type":"fix","phases":["02-tracing","06-implementation"],"current_phase":"02-tracing","current_phase_index":1,
			"phase_status":{"02-tracing":"completed","06-implementation":"pending"},"started_at":"2026-02-20T08:00:00.000Z","status":"active",
			"artifact_folder":"BUG-7","description":"crash"},
		"active_agent":"tracing-orchestrator","current_phase":"02-tracing",
		"phases":{"02-tracing":{"status":"completed","started":"2026-02-20T08:01:00.000Z","completed":"2026-02-20T08:03:30.000Z","gate_passed":"2026-02-20T08:03:30.000Z","artifacts":[],
				"timing":{"started_at":"2026-02-20T08:01:00.000Z","retries":1,"completed_at":"2026-02-20T08:03:30.000Z","wall_clock_minutes":3},
				"constitutional_validation":{"completed":true,"status":"compliant","iterations_used":1},
				"iteration_requirements":{"test_iteration":{"completed":true,"current_iteration":2},"interactive_elicitation":{"completed":true,"menu_interactions":3,"final_selection":"save"}},
				"summary":"`+strings.Repeat("é", 150)+`"},
			"06-implementation":{"status":"pending","started":null,"completed":null,"gate_passed":null,"artifacts":[]}}}`)

	assert.NilError(t, h.Activate("06-implementation", false))
	same(t, h, string(h.State.Object.Indent())) // the document can be read again
	for path, want := range map[string]string{
		"active_workflow current_phase":                  `"06-implementation"`,
		"active_workflow current_phase_index":            `1`,
		"active_workflow phase_status 06-implementation": `"in_progress"`,
		"current_phase":                    `"06-implementation"`,
		"active_agent":                     `"software-developer"`,
		"phases 06-implementation status":  `"in_progress"`,
		"phases 06-implementation started": `"2026-02-20T08:03:30.000Z"`,
		"phases 06-implementation timing":  `{"started_at":"2026-02-20T08:03:30.000Z","retries":0}`,
	} {
		assert.Equal(t, string(h.State.Get(strings.Fields(path)...).Compact()), want, path)
	}
	h.pass("06-implementation")
	h.Now = h.Now.Add(time.Hour)
	assert.NilError(t, h.Complete(Report{Phase: "06-implementation", Summary: "mended"}))
	assert.Equal(t, h.State.Get("active_workflow", "current_phase_index").Literal(), "2", "AC-010a")

	result, err := h.Finalize()
	assert.NilError(t, err)
	assert.Equal(t, result.Snapshots, 2)
	entry := h.State.Get("workflow_history").Items()[0]
	var fields []string
	for _, m := range entry.Members() {
		fields = append(fields, m.Name)
	}
	assert.DeepEqual(t, fields, []string{"type", "phases", "started_at", "status", "artifact_folder", "description", "completed_at", "phase_snapshots", "metrics"})
	assert.Equal(t, string(entry.Get("metrics").Compact()),
		`{"total_phases":2,"phases_completed":2,"total_duration_minutes":64,"test_iterations_total":4,"gates_passed_first_try":0,"gates_required_iteration":2}`)
	assert.Equal(t, h.State.Get("active_workflow").Kind(), ordered.Null)
	assert.Equal(t, h.State.Get("current_phase").Kind(), ordered.Null)
	assert.Assert(t, h.State.Get("phases", "02-tracing", "constitutional_validation") == nil, "pruned")
	assert.ErrorContains(t, h.Activate("06-implementation", false), "no workflow is active")
}

// Where a workflow of three phases is, with the second one under way.
const underWay = `{"active_workflow":{"type":"deploy","phases":["11-local-testing","13-test-deploy","14-operations"],"current_phase":"13-test-deploy","current_phase_index":1,
	"phase_status":{"11-local-testing":"completed","13-test-deploy":"in_progress","14-operations":"pending"}},
	"current_phase":"13-test-deploy","active_agent":"deployment-engineer-staging",
	"phases":{"11-local-testing":{"status":"completed"},"13-test-deploy":{"status":"in_progress","started":"2026-02-20T07:00:00Z","timing":{"started_at":"2026-02-20T07:00:00Z"}},
		"14-operations":{"status":"pending"}}}`

func edit(doc *ordered.Value, path string, to any) {
	names := strings.Fields(path)
	for _, name := range names[:len(names)-1] {
		doc = doc.Ensure(name)
	}
	doc.Set(names[len(names)-1], to)
}

// A transition that is refused says why, and has changed nothing.
func TestRefusals(t *testing.T) {
	activate := func(key string) func(*Handshake) error {
		return func(h *Handshake) error { return h.Activate(key, true) }
	}
	complete := func(key, summary string) func(*Handshake) error {
		return func(h *Handshake) error { return h.Complete(Report{Phase: key, Summary: summary}) }
	}
	begin := func(p Plan) func(*Handshake) error {
		return func(h *Handshake) error { return h.Init(p) }
	}
	finalize := func(h *Handshake) error { _, err := h.Finalize(); return err }
	cancel := func(h *Handshake) error { _, err := h.Cancel(""); return err }
	type change struct {
		path string
		to   any
	}
	none := []change{{"active_workflow", nil}}
	review := func(status, of string) change {
		return change{"active_workflow supervised_review", ordered.NewObject("status", status, "phase", of)}
	}
	pending := []change{{"active_workflow phase_status 13-test-deploy", "pending"}, {"phases 13-test-deploy status", "pending"}}
	for _, test := range []struct {
		name    string
		changes []change
		do      func(*Handshake) error
		want    string
	}{
		{"a second workflow", nil, begin(Plan{Type: "fix"}), "a workflow is active already (deploy, in phase 13-test-deploy)"},
		{"a workflow of another kind", []change{{"active_workflow", "none"}}, begin(Plan{Type: "fix"}), "active already"},
		{"no type", none, begin(Plan{}), "needs a type"},
		{"unknown type", none, begin(Plan{Type: "deploy"}), "defined are: feature, fix"},
		{"unknown phase", none, begin(Plan{Type: "deploy", Phases: []string{"20-alpine"}}), `no phase "20-alpine"`},
		{"a phase under two names", none, begin(Plan{Type: "deploy", Phases: []string{"12-test-deploy", "13-test-deploy"}}), "12-test-deploy is given twice"},
		{"other order", none, begin(Plan{Type: "fix", Phases: []string{"06-implementation", "02-tracing"}}), "cannot have phase 02-tracing there"},
		{"other phases", none, begin(Plan{Type: "fix", Phases: []string{"02-tracing", "09-validation"}}), "cannot have phase 09-validation there"},
		{"folder elsewhere", none, begin(Plan{Type: "fix", ArtifactFolder: "../x"}), "one plain name"},

		{"activate without workflow", none, activate("11-local-testing"), "no workflow is active"},
		{"activate a strange phase", nil, activate("06-implementation"), "not part of this workflow"},
		{"activate too early", nil, activate("14-operations"), "not due: complete 13-test-deploy first"},
		{"activate again what is over", nil, activate("11-local-testing"), "does not go back (V8)"},
		{"activate in a workflow that is over", []change{{"active_workflow status", "completed"}}, activate("12-test-deploy"), "completed already"},
		{"no index", []change{{"active_workflow current_phase_index", "1"}}, activate("12-test-deploy"), "current_phase_index does not lead"},
		{"index past the end", []change{{"active_workflow current_phase_index", 4}}, activate("12-test-deploy"), "current_phase_index does not lead"},
		{"fractional index", []change{{"active_workflow current_phase_index", 0.5}}, activate("12-test-deploy"), "current_phase_index does not lead"},
		{"no phases", []change{{"active_workflow phases", "all"}}, activate("12-test-deploy"), "lists no phases"},
		{"the one before is not completed", append(pending, change{"phases 11-local-testing status", "in_progress"}), activate("12-test-deploy"), "11-local-testing before it is not completed (phases: in_progress, phase_status: completed)"},
		{"the index was not raised", []change{{"phases 13-test-deploy status", "completed"}}, activate("12-test-deploy"), "current_phase_index still leads to it"},
		{"under review", append(pending, review("reviewing", "11-local-testing")), activate("12-test-deploy"), "a person is reviewing phase 11-local-testing"},
		{"rejected", append(pending, review("rejected", "")), activate("12-test-deploy"), "phase 11-local-testing was rejected"},
		{"another phase has to be done again", append(pending, review("redo_pending", "11-local-testing")), activate("12-test-deploy"), "asks for phase 11-local-testing once more"},
		{"a redo of another phase", []change{review("redo_pending", "14-operations")}, activate("11-local-testing"), "does not go back"},

		{"complete without workflow", none, complete("11-local-testing", "x"), "no workflow is active"},
		{"complete twice", nil, complete("11-local-testing", "x"), "completed already"},
		{"complete too early", nil, complete("15-operations", "x"), "not due: the workflow is in 13-test-deploy"},
		{"no summary", nil, complete("12-test-deploy", " \n"), "needs a summary"},
		{"not activated", pending, complete("12-test-deploy", "x"), "was not activated (phases: pending, phase_status: pending)"},
		{"not started", []change{{"phases 13-test-deploy started", nil}, {"phases 13-test-deploy timing", nil}}, complete("12-test-deploy", "x"), "activate it first"},
		{"another one is current", []change{{"active_workflow current_phase", "11-local-testing"}}, complete("12-test-deploy", "x"), "not the current one, that is 11-local-testing"},
		{"gate closed", nil, complete("12-test-deploy", "x"), "the gate of phase 13-test-deploy is closed, these requirements are not met:\n- constitutional_validation: the phase was not validated against the constitution [RUN_CONSTITUTIONAL_VALIDATION]"},
		{"reviewed while in progress", []change{review("reviewing", "")}, complete("12-test-deploy", "x"), "a person is reviewing"},

		{"finalize without workflow", none, finalize, "no workflow is active"},
		{"finalize too early", nil, finalize, "the workflow is in phase 13-test-deploy (2 of 3)"},
		{"finalize by the index alone", []change{{"active_workflow current_phase_index", 3}}, finalize, "phase 13-test-deploy is not completed"},
		{"finalize what is cancelled", []change{{"active_workflow status", "cancelled"}}, finalize, "finalize --cancel"},
		{"cancel nothing", none, cancel, "no workflow is active"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := desk(t, underWay)
			for _, c := range test.changes {
				edit(h.State.Object, c.path, c.to)
			}
			before := string(h.State.Object.Compact())
			assert.ErrorContains(t, test.do(h), test.want)
			assert.Equal(t, string(h.State.Object.Compact()), before)
		})
	}
}

// A record under an alias is written back under the alias (05 B.3), and the
// requirements are those of the canonical key.
func TestAliases(t *testing.T) {
	h := desk(t, underWay)
	h.pass("12-test-deploy")
	assert.NilError(t, h.Complete(Report{Phase: "12-test-deploy", Summary: "deployed"}))
	assert.Equal(t, h.State.Get("phases", "13-test-deploy", "status").Text(), "completed")
	assert.Equal(t, h.State.Get("active_workflow", "phase_status", "13-test-deploy").Text(), "completed")
	assert.Equal(t, len(h.State.Get("phases").Members()), 3)
	assert.NilError(t, h.Activate("15-operations", false))
	assert.Equal(t, h.State.CurrentPhase(), "14-operations", "the key of the workflow, not the word of the caller")

	fresh := desk(t, `{}`)
	assert.NilError(t, fresh.Init(Plan{Type: "deploy", Phases: []string{"13-test-deploy"}}))
	assert.Equal(t, fresh.State.CurrentPhase(), "12-test-deploy")
}

func TestRedo(t *testing.T) {
	h := desk(t, underWay)
	h.pass("12-test-deploy")
	assert.NilError(t, h.Complete(Report{Phase: "12-test-deploy", Summary: "first"}))
	edit(h.State.Object, "active_workflow supervised_review", ordered.NewObject("status", "redo_pending", "phase", "12-test-deploy", "redo_count", 1))
	assert.Equal(t, h.Status().Next, "activate 13-test-deploy")
	assert.NilError(t, h.Activate("12-test-deploy", false))
	record := h.State.Phase("12-test-deploy")
	assert.Equal(t, record.Get("status").Text(), "in_progress")
	assert.Equal(t, string(record.Get("timing").Compact()), `{"started_at":"2026-02-20T07:00:00Z","retries":1}`)
	assert.Equal(t, record.Get("completed").Kind(), ordered.Null)
	assert.Equal(t, h.State.Workflow().Get("current_phase_index").Literal(), "1")
	assert.Equal(t, h.State.Workflow().Get("supervised_review", "redo_count").Literal(), "1")
	assert.NilError(t, h.Complete(Report{Phase: "12-test-deploy", Summary: "second"}))
	assert.Equal(t, h.State.Workflow().Get("current_phase_index").Literal(), "2")
	assert.ErrorContains(t, h.Activate("12-test-deploy", false), "does not go back", "one review gives one redo")
	assert.NilError(t, h.Activate("14-operations", false))
}

func TestOverride(t *testing.T) {
	h := desk(t, underWay)
	edit(h.State.Object, "pending_escalations", ordered.NewArray(ordered.NewObject("hook", "gate-blocker")))
	assert.NilError(t, h.Complete(Report{Phase: "12-test-deploy", Summary: "as it is", Override: "agreed with the owner"}))
	record := h.State.Phase("12-test-deploy")
	assert.Equal(t, string(record.Get("gate_override").Compact()),
		`{"reason":"agreed with the owner","at":"2026-02-20T08:00:00.000Z","open":["constitutional_validation"]}`)
	assert.Assert(t, record.Get("gate_passed") == nil)
	assert.Equal(t, len(h.State.Get("pending_escalations").Items()), 0)

	met := desk(t, underWay)
	met.pass("12-test-deploy")
	edit(met.State.Object, "phases 13-test-deploy gate_validation", ordered.NewObject("status", "blocked"))
	assert.NilError(t, met.Complete(Report{Phase: "12-test-deploy", Summary: "done", Override: "not needed"}))
	record = met.State.Phase("12-test-deploy")
	assert.Assert(t, record.Get("gate_override") == nil)
	assert.Equal(t, record.Get("gate_validation", "status").Text(), "passed")

	off := desk(t, underWay)
	edit(off.State.Object, "iteration_enforcement enabled", false)
	assert.NilError(t, off.Complete(Report{Phase: "12-test-deploy", Summary: "done"}))
	assert.Assert(t, off.State.Phase("12-test-deploy").Get("gate_passed") == nil, "nobody looked at the gate")
}

func TestEscalations(t *testing.T) {
	h := desk(t, underWay)
	edit(h.State.Object, "pending_escalations", ordered.NewArray(nil, ordered.NewObject("hook", "gate-blocker", "type", "gate_blocked", "phase", "12-test-deploy", "detail", "why")))
	assert.DeepEqual(t, h.Status().Escalations, []Escalation{{"gate-blocker", "12-test-deploy", "gate_blocked", "why"}})
	assert.NilError(t, h.Activate("12-test-deploy", false))
	assert.Equal(t, len(h.Status().Escalations), 1)
	assert.NilError(t, h.Activate("12-test-deploy", true))
	assert.Equal(t, len(h.Status().Escalations), 0)
	assert.Equal(t, h.State.Phase("12-test-deploy").Get("timing", "retries").Literal(), "2")
}

func TestCancel(t *testing.T) {
	h := desk(t, underWay)
	result, err := h.Cancel("out of budget")
	assert.NilError(t, err)
	assert.Equal(t, result.Snapshots, 3)
	entry := h.State.Get("workflow_history").Items()[0]
	assert.Equal(t, entry.Get("status").Text(), "cancelled")
	assert.Equal(t, entry.Get("cancelled_at").Text(), "2026-02-20T08:00:00.000Z")
	assert.Equal(t, entry.Get("cancel_reason").Text(), "out of budget")
	assert.Equal(t, entry.Get("metrics", "phases_completed").Literal(), "1")
	assert.Equal(t, h.State.Get("active_workflow").Kind(), ordered.Null)
}

func TestStatus(t *testing.T) {
	h := desk(t, underWay)
	s := h.Status()
	assert.Equal(t, s.Due, 1)
	assert.Equal(t, s.Next, "complete 13-test-deploy --summary TEXT")
	assert.Equal(t, s.Phases[1].Minutes, 60)
	assert.Equal(t, s.Phases[2].Agent, "site-reliability-engineer")
	assert.Equal(t, len(s.Open), 1)
	assert.Assert(t, !h.State.Changed())

	for path, to := range map[string]any{
		"active_workflow current_phase_index": "1",
		"phases 13-test-deploy status":        "completed",
	} {
		broken := desk(t, underWay)
		edit(broken.State.Object, path, to)
		assert.Equal(t, broken.Status().Next, "", path)
	}
	assert.Equal(t, desk(t, `{}`).Status().Next, "init --type TYPE")
}
