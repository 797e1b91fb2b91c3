package audit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/handshake"
	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
	"isdlc-hooks/lib/validate"
)

var start = time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)

func config(t *testing.T, name string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(hooktest.Config(t, name)))
	assert.NilError(t, err)
	return v
}

// A bench makes documents by the handshake alone.
type bench struct {
	t *testing.T
	h *handshake.Handshake
}

func newBench(t *testing.T) *bench {
	give := func(v *ordered.Value) func() *ordered.Value { return func() *ordered.Value { return v } }
	b := &bench{t, &handshake.Handshake{
		State: &state.State{Object: ordered.NewObject("state_version", 4)},
		Now:   start,
		Rules: handshake.Rules{
			Requirements: give(config(t, "iteration-requirements.json")),
			Workflows:    give(config(t, "workflows.json")),
			Sources: gate.Sources{
				Manifest:      give(config(t, "skills-manifest.json")),
				ArtifactPaths: give(config(t, "artifact-paths.json")),
				Exists:        func(string) bool { return true },
			},
		},
	}}
	assert.NilError(t, b.h.Init(handshake.Plan{Type: "feature", ArtifactFolder: "REQ-1", Phases: []string{"02-impact-analysis", "03-architecture", "06-implementation", "08-code-review"}}))
	return b
}

func (b *bench) activate(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.h.Now = b.h.Now.Add(time.Minute)
		assert.NilError(b.t, b.h.Activate(key, false))
	}
}

func (b *bench) complete(key string) {
	b.t.Helper()
	record := b.h.State.Phase(key)
	record.Set("constitutional_validation", ordered.NewObject("completed", true, "status", "compliant", "iterations_used", 1))
	if key == "06-implementation" {
		record.Set("iteration_requirements", ordered.NewObject("test_iteration", ordered.NewObject("completed", true, "current_iteration", 1, "last_test_result", "passed")))
	}
	b.h.Now = b.h.Now.Add(3 * time.Minute)
	assert.NilError(b.t, b.h.Complete(handshake.Report{Phase: key, Summary: "done: " + key}))
}

// The moments of a workflow. Each goes on from the one before.
var moments = []struct {
	name string
	step func(*bench)
}{
	{"begun", func(b *bench) {}},
	{"first", func(b *bench) { b.activate("02-impact-analysis") }},
	{"between", func(b *bench) { b.complete("02-impact-analysis") }},
	{"second", func(b *bench) { b.activate("03-architecture", "03-architecture") }},
	{"third", func(b *bench) { b.complete("03-architecture"); b.activate("06-implementation") }},
	{"last", func(b *bench) { b.complete("06-implementation"); b.activate("08-code-review") }},
	{"through", func(b *bench) { b.complete("08-code-review") }},
	{"over", func(b *bench) { _, err := b.h.Finalize(); assert.NilError(b.t, err) }},
	{"anew", func(b *bench) {
		assert.NilError(b.t, b.h.Init(handshake.Plan{Type: "fix", Phases: []string{"02-tracing"}}))
	}},
	{"given up", func(b *bench) { _, err := b.h.Cancel("no"); assert.NilError(b.t, err) }},
}

// at is the state of a workflow at a moment, with what it is audited with.
func at(t *testing.T, moment string) Input {
	t.Helper()
	b := newBench(t)
	for _, m := range moments {
		m.step(b)
		if m.name == moment {
			break
		}
	}
	doc, err := ordered.Parse(b.h.State.Object.Indent())
	assert.NilError(t, err)
	return Input{
		State:         doc,
		Manifest:      b.h.Rules.Manifest(),
		Requirements:  b.h.Rules.Requirements(),
		Workflows:     b.h.Rules.Workflows(),
		ArtifactPaths: b.h.Rules.ArtifactPaths(),
		Exists:        func(path string) bool { return !strings.Contains(path, "missing") },
		Now:           b.h.Now,
	}
}

// What the handshake makes is healthy at every moment, and so is what a redo, a
// person's override and an alias leave.
func TestHealthy(t *testing.T) {
	for _, m := range moments {
		in := at(t, m.name)
		assert.DeepEqual(t, lines(Check(in)), []string(nil))
		assert.Equal(t, len(Mend(in)), 0)
		assert.Assert(t, !in.State.Edited(), "looking changes nothing")
	}

	b := newBench(t)
	b.activate("02-impact-analysis")
	b.complete("02-impact-analysis")
	b.h.State.Workflow().Set("supervised_review", ordered.NewObject("status", "redo_pending"))
	b.activate("02-impact-analysis")
	assert.DeepEqual(t, lines(Check(Input{State: b.h.State.Object})), []string(nil))
	b.complete("02-impact-analysis")
	b.activate("03-architecture")
	assert.NilError(t, b.h.Complete(handshake.Report{Phase: "03-architecture", Summary: "x", Override: "agreed"}))
	assert.DeepEqual(t, lines(Check(Input{State: b.h.State.Object, Requirements: b.h.Rules.Requirements()})), []string(nil))

	alias := at(t, "first")
	text := strings.NewReplacer("02-impact-analysis", "13-test-deploy", "impact-analysis-orchestrator", "deployment-engineer-staging", `"feature"`, `"deploy"`).Replace(string(alias.State.Indent()))
	doc, err := ordered.Parse([]byte(text))
	assert.NilError(t, err)
	assert.DeepEqual(t, lines(Check(Input{State: doc, Requirements: alias.Requirements, Workflows: alias.Workflows})), []string(nil))
}

func lines(found []Finding) (list []string) {
	for _, f := range found {
		list = append(list, strings.Join([]string{f.Criterion, f.Rule, f.Place, f.Value, f.Against}, " | "))
	}
	return list
}

// A change plants something in a document: the value at the end of a path, or
// nothing in its place.
type change struct {
	path string
	to   any
}

type nothing struct{}

func (c change) apply(doc *ordered.Value) {
	names := strings.Split(c.path, "/")
	for _, name := range names[:len(names)-1] {
		if items := doc.Get(name).Items(); len(items) > 0 {
			doc = items[len(items)-1]
			continue
		}
		doc = doc.Ensure(name)
	}
	last := names[len(names)-1]
	if _, drop := c.to.(nothing); drop {
		doc.Delete(last)
		return
	}
	doc.Set(last, c.to)
}

// One inconsistency, or more, for every criterion. What has one answer is mended,
// and the audit is silent then.
func TestPlanted(t *testing.T) {
	object, array := ordered.NewObject, ordered.NewArray
	const (
		w      = "active_workflow/"
		status = w + "phase_status/"
		second = "phases/03-architecture/"
		first  = "phases/02-impact-analysis/"
		entry  = "workflow_history/"
	)
	both := func(key, s string) []change { return []change{{status + key, s}, {"phases/" + key + "/status", s}} }
	for _, test := range []struct {
		name    string
		moment  string
		changes []change
		want    string // criteria and rules
		mends   bool
	}{
		{"completed in one place", "second", []change{{first + "status", "in_progress"}}, "AC-001a/V9-A", true},
		{"completed in the other", "second", []change{{status + "02-impact-analysis", "pending"}}, "AC-001a/V9-A", true},
		{"in progress in one place", "second", []change{{second + "status", "pending"}}, "AC-001b/V9-A", true},
		{"top-level phase is stale", "second", []change{{"current_phase", "02-impact-analysis"}}, "AC-001b/V9-B", true},
		{"no top-level phase", "second", []change{{"current_phase", nil}}, "AC-001b", true},
		{"no current phase", "second", []change{{w + "current_phase", nil}, {"active_agent", nil}}, "AC-001b", false},
		{"index of another phase", "second", []change{{w + "current_phase_index", 3}}, "AC-001c/V9-C", true},
		{"index ahead of the work", "second", []change{{w + "current_phase_index", 2}}, "AC-001c", true},
		{"a current phase that is none of them", "second", []change{{w + "current_phase", "09-validation"}, {"current_phase", "09-validation"}, {"active_agent", "security-compliance-auditor"}}, "AC-001c", false},
		{"agent of another phase", "third", []change{{"active_agent", "qa-engineer"}}, "AC-003d/V5", true},
		{"some other agent", "second", []change{{"active_agent", "qa-engineer"}}, "AC-001d/V5", true},
		{"no agent", "second", []change{{"active_agent", nothing{}}}, "AC-001d", true},
		{"current phase is pending", "first", both("02-impact-analysis", "pending"), "AC-001e/V4", false},

		{"no start", "second", []change{{second + "started", nil}}, "AC-002d", true},
		{"start is no time", "second", []change{{second + "started", "soon"}}, "AC-002d", true},
		{"no timing", "second", []change{{second + "timing", nothing{}}}, "AC-002e", true},
		{"neither", "second", []change{{second + "timing", nothing{}}, {second + "started", nil}}, "AC-002d AC-002e", false},
		{"retries are no number", "second", []change{{second + "timing/retries", -1}}, "AC-002e", false},

		{"next phase begun in phases", "first", []change{{second + "status", "in_progress"}}, "AC-003a/V9-A", true},
		{"next phase begun", "between", both("03-architecture", "in_progress"), "AC-003a", true},
		{"next phase begun in phase_status", "between", []change{{status + "03-architecture", "in_progress"}}, "AC-003b/V9-A", true},
		{"next phase is current, but pending", "between", []change{{w + "current_phase", "03-architecture"}, {"current_phase", "03-architecture"}, {"active_agent", "solution-architect"}}, "AC-003c/V4", false},
		{"next phase at the top", "between", []change{{"current_phase", "03-architecture"}}, "AC-003d/V9-B", true},
		{"agent of the next phase", "between", []change{{"active_agent", "solution-architect"}}, "AC-003d/V5", true},
		{"index not raised", "between", []change{{w + "current_phase_index", 0}}, "AC-003e", true},
		{"no summary", "second", []change{{first + "summary", " "}}, "IR-003", false},
		{"long summary", "second", []change{{first + "summary", strings.Repeat("x", 151)}}, "IR-003", true},
		{"no end", "second", []change{{first + "timing/completed_at", nothing{}}}, "AC-003g", true},
		{"no end anywhere", "second", []change{{first + "timing/completed_at", nothing{}}, {first + "completed", nil}}, "AC-003g", false},
		{"no duration", "second", []change{{first + "timing/wall_clock_minutes", nil}}, "AC-003g", true},
		{"negative duration", "second", []change{{first + "timing/wall_clock_minutes", -5}}, "AC-003g", true},
		{"ended before it began", "second", []change{{first + "timing/completed_at", "2020-01-01"}}, "AC-003g", false},

		{"completed on failing tests", "last", []change{{"phases/06-implementation/iteration_requirements/test_iteration", object("completed", false, "last_test_result", "failed", "current_iteration", 2)}}, "AC-004a", false},
		{"completed without validation", "second", []change{{first + "constitutional_validation", object("completed", false, "status", "in_progress")}}, "AC-004b", false},
		{"completed without a trace of validation", "second", []change{{first + "constitutional_validation", nothing{}}}, "AC-004b", false},
		{"validated by nobody", "second", []change{{first + "constitutional_validation/iterations_used", 0}}, "AC-004g/V1", false},
		{"elicited by nobody", "second", []change{{second + "iteration_requirements/interactive_elicitation", object("completed", true, "menu_interactions", 0)}}, "AC-004g/V2", false},
		{"tested by nobody", "second", []change{{second + "iteration_requirements/test_iteration", object("completed", true)}}, "AC-004g/V3", false},
		{"completed behind a closed gate", "second", []change{{first + "gate_validation", object("status", "blocked")}}, "IR-004", false},

		{"folder that leads elsewhere", "second", []change{{w + "artifact_folder", "../other"}}, "AC-007a", false},
		{"artifact that is gone", "second", []change{{first + "artifacts", array("docs/missing.md")}}, "AC-007b", false},

		{"workflow is text", "second", []change{{"active_workflow", "feature"}}, "IR-008", false},
		{"no type", "second", []change{{w + "type", nothing{}}}, "AC-008a", false},
		{"no phases", "second", []change{{w + "phases", array()}}, "AC-008a", false},
		{"phases of another type", "second", []change{{w + "type", "upgrade"}}, "AC-008a", false},
		{"status missing", "second", []change{{status + "08-code-review", nothing{}}}, "AC-008b", true},
		{"all statuses missing", "second", []change{{w + "phase_status", nil}}, "AC-008b AC-008b AC-008b AC-008b", true},
		{"index at the start", "first", []change{{w + "current_phase_index", 2}}, "AC-008c/V9-C", true},
		{"record missing", "second", []change{{"phases/08-code-review", nothing{}}}, "AC-008d", true},
		{"record of the current phase missing", "second", []change{{"phases/03-architecture", nothing{}}}, "AC-008d", false},
		{"top-level phase at the start", "first", []change{{"current_phase", "08-code-review"}}, "AC-008e/V9-B", true},

		{"status of a skipped phase", "second", []change{{status + "04-design", "pending"}}, "AC-009a", true},
		{"status of a stray phase", "second", []change{{status + "04-design", "in_progress"}}, "AC-009a", false},
		{"index is text", "second", []change{{w + "current_phase_index", "1"}}, "AC-009b", true},
		{"index past the end", "second", []change{{w + "current_phase_index", 5}}, "AC-009b", true},
		{"index is a fraction", "between", []change{{w + "current_phase_index", 0.5}}, "AC-009b", true},
		{"stale record", "second", []change{{"phases/09-validation", object("status", "completed")}}, "AC-009c", true},
		{"gap", "second", both("08-code-review", "completed"), "AC-009d IR-003 AC-002d AC-002e AC-003g AC-003g AC-004b", false},
		{"one phase under two names", "second", []change{{"phases/12-test-deploy", object("status", "pending")}, {"phases/13-test-deploy", object("status", "pending")}}, "AC-009c AC-009e", false},

		{"index at the end too early", "second", []change{{w + "current_phase_index", 4}}, "AC-010a", true},
		{"no snapshots", "over", []change{{entry + "phase_snapshots", nothing{}}}, "AC-010b", true},
		{"foreign snapshot", "over", []change{{entry + "phase_snapshots", array(object("key", "09-validation", "status", "completed"))}}, "AC-010b AC-010c", false},
		{"no metrics", "over", []change{{entry + "metrics", object()}}, "AC-010c", true},
		{"no phases on record", "over", []change{{entry + "phases", nothing{}}}, "AC-010c", false},
		{"no start on record", "over", []change{{entry + "started_at", "?"}}, "AC-010c", false},
		{"no end on record", "over", []change{{entry + "completed_at", nothing{}}}, "AC-010c", false},
		{"end before start on record", "over", []change{{entry + "completed_at", "2020-01-01"}}, "AC-010c", false},
		{"wrong metrics", "over", []change{{entry + "metrics/phases_completed", 3}}, "AC-010c", true},
		{"over, but active", "second", []change{{w + "status", "completed"}}, "AC-010d", false},
		{"active, but on record", "through", []change{{"workflow_history", array(object("type", "feature", "started_at", "2026-02-20T08:00:00.000Z", "completed_at", "2026-02-20T09:00:00Z",
			"phases", array("02-impact-analysis"), "phase_snapshots", array(), "metrics", object("total_phases", 1)))}}, "AC-010d", true},
		{"damaged list", "second", []change{{"skill_usage_log", array(object(), nil, "x")}}, "AC-010f AC-010f", true},
		{"list that is none", "second", []change{{"history", "none"}}, "AC-010f", false},
		{"not pruned", "over", []change{{first + "constitutional_validation", object("completed", true, "iterations_used", 1, "status", "compliant")}, {first + "_pruned_at", nothing{}}}, "AC-010f", true},

		{"no version", "second", []change{{"state_version", nothing{}}}, "AC-011a", true},
		{"version is text", "second", []change{{"state_version", "4"}}, "AC-011a", true},
		{"status that nobody knows", "second", []change{{second + "status", "done"}}, "AC-012e", true},
		{"statuses that nobody knows", "second", both("03-architecture", "done"), "AC-012e AC-012e", false},

		{"success on a failed run", "second", []change{{second + "iteration_requirements/test_iteration", object("completed", true, "current_iteration", 2, "last_test_result", "failed", "status", "success")}}, "AC-013a", true},
		{"validated while it iterates", "second", []change{{second + "constitutional_validation", object("completed", true, "iterations_used", 1, "status", "iterating")}}, "AC-013b", false},
		{"compliant, but not validated", "second", []change{{second + "constitutional_validation", object("completed", false, "status", "compliant")}}, "AC-013b", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := at(t, test.moment)
			for _, c := range test.changes {
				c.apply(in.State)
			}
			found := Check(in)
			var got []string
			mendable := true
			for _, f := range found {
				id := f.Criterion
				if f.Rule != "" {
					id += "/" + f.Rule
				}
				got = append(got, id)
				mendable = mendable && f.Fix != nil
				assert.Check(t, f.Place != "" && f.Value != "" && f.Against != "" && f.Remedy != "" && (f.Severity == Error || f.Severity == Warning), f)
			}
			slices.Sort(got)
			want := strings.Fields(test.want)
			slices.Sort(want)
			assert.DeepEqual(t, got, want)
			assert.Equal(t, mendable, test.mends, strings.Join(lines(found), "\n"))
			covers(t, in, found)

			Mend(in)
			left := Check(in)
			if test.mends {
				assert.DeepEqual(t, lines(left), []string(nil))
			}
			for _, f := range left {
				assert.Check(t, f.Fix == nil, "what can be mended is mended: %s", f.Place)
			}
		})
	}
}

// covers asserts that what the rules on one document find is among the findings:
// under their number, or in a finding at the same place.
func covers(t *testing.T, in Input, found []Finding) {
	t.Helper()
	for _, rules := range [][]validate.Finding{validate.Results(in.State), validate.Consistency(in.State), validate.Progress(in.State)} {
		for _, r := range rules {
			assert.Check(t, slices.ContainsFunc(found, func(f Finding) bool {
				switch r.Rule {
				case f.Rule:
					return true
				case "V9-C":
					return strings.HasPrefix(f.Place, "active_workflow.current_phase")
				case "V9-A", "V4":
					return strings.Contains(f.Place, r.Phase)
				}
				return false
			}), r.String())
		}
	}
}

// Whatever stands anywhere, looking and mending come to an end, a second mending
// has nothing to do, and no rule's finding is lost.
func TestAnything(t *testing.T) {
	for _, moment := range []string{"second", "through", "over"} {
		var paths [][]string
		var walk func(v *ordered.Value, path []string)
		walk = func(v *ordered.Value, path []string) {
			for _, m := range v.Members() {
				p := append(slices.Clone(path), m.Name)
				paths = append(paths, p)
				walk(m.Value, p)
			}
		}
		walk(at(t, moment).State, nil)
		for _, path := range paths {
			for _, junk := range []string{`null`, `"in_progress"`, `"06-implementation"`, `-1.5`, `1e400`, `[]`, `[null,7,{}]`, `{}`, `{"03-architecture":{"status":"completed"}}`, `true`} {
				in := at(t, moment)
				value, err := ordered.Parse([]byte(junk))
				assert.NilError(t, err)
				change{strings.Join(path, "/"), value}.apply(in.State)
				covers(t, in, Check(in))
				Mend(in)
				again := Mend(in)
				assert.Equal(t, len(again), 0, "%s = %s at %s: %v", path, junk, moment, lines(again))
			}
		}
	}
}

// Against an earlier version, the rules on writes are judged too.
func TestBefore(t *testing.T) {
	for _, test := range []struct {
		name    string
		changes []change
		want    string
		place   string
	}{
		{"older", []change{{"state_version", 3}}, "AC-011c/V7", "state_version"},
		{"index goes back", []change{{"active_workflow/current_phase_index", 0}}, "AC-012a/V8", "active_workflow.current_phase_index"},
		{"status goes back", []change{{"active_workflow/phase_status/02-impact-analysis", "pending"}}, "AC-012b/V8", "active_workflow.phase_status.02-impact-analysis"},
		{"record goes back", []change{{"phases/02-impact-analysis/status", "pending"}}, "AC-012b/V8", "phases.02-impact-analysis.status"},
		{"enforcement is switched off", []change{{"iteration_enforcement/enabled", false}}, "V6/V6", "iteration_enforcement.enabled"},
		{"gate is opened", []change{{"phases/03-architecture/gate_validation/status", "passed"}}, "V6/V6", "phases.03-architecture.gate_validation.status"},
		{"nothing", nil, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := at(t, "second")
			in.Before = in.State.Clone()
			for _, c := range test.changes {
				c.apply(in.State)
			}
			found := Check(in)
			i := slices.IndexFunc(found, func(f Finding) bool { return f.Criterion+"/"+f.Rule == test.want })
			if test.want == "" {
				assert.DeepEqual(t, lines(found), []string(nil))
				return
			}
			assert.Assert(t, i >= 0, lines(found))
			assert.Equal(t, found[i].Place, test.place)
		})
	}
}
