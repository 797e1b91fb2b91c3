package audit

import (
	"fmt"
	"math"
	"strings"

	"isdlc-hooks/lib/completion"
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
	"isdlc-hooks/lib/text"
	"isdlc-hooks/lib/validate"
)

func isTime(v *ordered.Value) bool { _, ok := completion.Time(v); return ok }

func isCount(v *ordered.Value) bool {
	f, ok := v.Float()
	return ok && f >= 0 && f == math.Trunc(f)
}

// ended looks at what completing a phase has to leave behind (IR-003).
func (c *check) ended(key string, record *ordered.Value) {
	place := c.recordPlace(key)
	switch summary := record.Get("summary"); {
	case strings.TrimSpace(summary.Text()) == "":
		c.report(Finding{Criterion: "IR-003", Severity: Warning, Place: place + ".summary", Value: show(summary), Against: with(place+".status", record.Get("status")), Remedy: "write what the phase has brought"})
	case text.Units(summary.Text()) > completion.MaxSummary:
		c.report(Finding{Criterion: "IR-003", Severity: Warning, Place: place + ".summary", Value: fmt.Sprintf("%d characters", text.Units(summary.Text())), Against: fmt.Sprintf("may have at most %d characters", completion.MaxSummary),
			Remedy: "cut it", Fix: func() { record.Set("summary", text.Cut(summary.Text(), completion.MaxSummary)) }})
	}
	timing := record.Get("timing")
	begun, end := timing.Get("started_at"), timing.Get("completed_at")
	if !isTime(end) {
		f := Finding{Criterion: "AC-003g", Severity: Warning, Place: place + ".timing.completed_at", Value: show(end), Against: with(place+".completed", record.Get("completed")), Remedy: "write when the phase was completed"}
		if done := record.Get("completed"); isTime(done) {
			f.Fix = func() { record.Ensure("timing").Set("completed_at", done) }
		}
		c.report(f)
	} else if isTime(begun) && completion.Minutes(begun, end) == nil {
		c.report(Finding{Criterion: "AC-003g", Severity: Warning, Place: place + ".timing.completed_at", Value: show(end), Against: with(place+".timing.started_at", begun), Remedy: "find out which time is right"})
		return
	}
	if wall := timing.Get("wall_clock_minutes"); !isLength(wall) {
		f := Finding{Criterion: "AC-003g", Severity: Warning, Place: place + ".timing.wall_clock_minutes", Value: show(wall), Against: "has to be minutes, 0 or more", Remedy: "write how long the phase took"}
		if minutes := completion.Minutes(begun, end); minutes != nil {
			f.Against, f.Remedy = fmt.Sprintf("from started_at to completed_at it is %d minutes", minutes), "write that"
			f.Fix = func() { record.Ensure("timing").Set("wall_clock_minutes", minutes) }
		}
		c.report(f)
	}
}

func isLength(v *ordered.Value) bool { f, ok := v.Float(); return ok && f >= 0 }

// requirements are the criteria of what a gate asks for, and where that stands in
// the record of a phase.
var requirements = [...]struct {
	name, criterion string
	section         []string
}{
	{"test_iteration", "AC-004a", []string{"iteration_requirements", "test_iteration"}},
	{"constitutional_validation", "AC-004b", []string{"constitutional_validation"}},
	{"interactive_elicitation", "AC-004c", []string{"iteration_requirements", "interactive_elicitation"}},
	{"artifact_presence", "AC-007b", []string{"artifacts"}},
}

// gate holds a completed phase against its gate, by the checks of gate-blocker
// (IR-004). Whether its agent was called is not judged: the log of that is short.
func (c *check) gate(key string, record *ordered.Value) {
	place := c.recordPlace(key)
	st := &state.State{Object: c.State}
	if !st.Enforced() {
		return
	}
	overridden := record.Get("gate_override").IsObject()
	if s := record.Get("gate_validation", "status"); s.Text() == "blocked" && !overridden {
		c.report(Finding{Criterion: "IR-004", Severity: Error, Place: place + ".gate_validation.status", Value: show(s), Against: with(place+".status", record.Get("status")), Remedy: "have the gate judged again before the workflow goes on"})
	}
	g := gate.Gate{State: st, Key: phase.Canonical(key), Required: c.required(key, record), Sources: gate.Sources{
		Manifest:      func() *ordered.Value { return c.Manifest },
		ArtifactPaths: func() *ordered.Value { return c.ArtifactPaths },
		Exists:        c.Exists,
	}}
	for _, f := range g.Check() {
		for _, r := range requirements {
			if r.name == f.Requirement && !isOverridden(record, r.name) {
				c.report(Finding{Criterion: r.criterion, Severity: Error, Place: place + "." + strings.Join(r.section, "."), Value: show(record.Get(r.section...)),
					Against: with(place+".status", record.Get("status")), Remedy: f.Reason})
			}
		}
	}
}

// isOverridden tells whether a person has let the phase go without a requirement.
func isOverridden(record *ordered.Value, requirement string) bool {
	for _, item := range record.Get("gate_override", "open").Items() {
		if item.Text() == requirement {
			return true
		}
	}
	return false
}

// required is what the gate of a phase asks for and a document can tell. Without
// a configuration it is what the record has begun.
func (c *check) required(key string, record *ordered.Value) *ordered.Value {
	asked := ordered.NewObject()
	configured := phase.Requirements(c.Requirements, key, c.workflow.Get("type").Text())
	for _, r := range requirements {
		block := r.name
		if block == "artifact_presence" {
			block = "artifact_validation"
		}
		switch {
		case block == "artifact_validation" && c.Exists == nil:
		case c.Requirements == nil && record.Get(r.section...).IsObject():
			asked.Set(block, ordered.NewObject("enabled", true))
		case configured.Get(block) != nil:
			asked.Set(block, configured.Get(block))
		}
	}
	if record.Get("_pruned_at").Present() {
		return nil
	}
	return asked
}

// artifacts looks at what a workflow says of its documents (IR-007).
func (c *check) artifacts() {
	st := &state.State{Object: c.State}
	if folder := c.workflow.Get("artifact_folder"); folder.Present() && st.ArtifactFolder() == "" {
		c.report(Finding{Criterion: "AC-007a", Severity: Error, Place: "active_workflow.artifact_folder", Value: show(folder), Against: "has to be the name of one folder", Remedy: "write the name of the folder alone"})
	}
	if c.Exists == nil {
		return
	}
	for _, key := range c.keys {
		for i, item := range c.record(key).Get("artifacts").Items() {
			if path := item.Text(); path != "" && !c.Exists(path) {
				c.report(Finding{Criterion: "AC-007b", Severity: Warning, Place: fmt.Sprintf("%s.artifacts[%d]", c.recordPlace(key), i), Value: show(item), Against: "there is no such file", Remedy: "write the path that it has, or take the entry out"})
			}
		}
	}
}

// sections are the parts of a record whose impossible results V1, V2 and V3 find.
var sections = [...]struct{ rule, section, count string }{
	{"V1", "constitutional_validation", "iterations_used"},
	{"V2", "iteration_requirements.interactive_elicitation", "menu_interactions"},
	{"V3", "iteration_requirements.test_iteration", "current_iteration"},
}

// records looks at the results in all records, also of an earlier workflow
// (AC-004g, IR-013).
func (c *check) records() {
	for _, f := range validate.Results(c.State) {
		for _, s := range sections {
			if s.rule != f.Rule {
				continue
			}
			place := "phases." + f.Phase + "." + s.section
			section := c.State.Get("phases", f.Phase).Get(strings.Split(s.section, ".")...)
			c.report(Finding{Criterion: "AC-004g", Rule: s.rule, Severity: Warning, Place: place + "." + s.count, Value: show(section.Get(s.count)), Against: with(place+".completed", section.Get("completed")), Remedy: "take the completion back, or write how many it took"})
		}
	}
	for _, m := range c.State.Get("phases").Members() {
		c.corridor("phases."+m.Name, m.Value)
	}
}

// corridor looks for results that would let work leave a corridor, or keep it in
// one, against what happened.
func (c *check) corridor(place string, record *ordered.Value) {
	tests := record.Get("iteration_requirements", "test_iteration")
	if tests.Get("completed").IsTrue() && tests.Get("last_test_result").Text() == "failed" && tests.Get("status").Text() != "escalated" {
		at := place + ".iteration_requirements.test_iteration"
		c.report(Finding{Criterion: "AC-013a", Severity: Error, Place: at + ".completed", Value: "true", Against: with(at+".last_test_result", tests.Get("last_test_result")),
			Remedy: "take the success back: the last run failed",
			Fix: func() {
				tests.Set("completed", false)
				tests.Delete("status")
				tests.Delete("completed_at")
			}})
	}
	law := record.Get("constitutional_validation")
	status := law.Get("status").Text()
	if done := law.Get("completed"); done.IsTrue() && (status == "iterating" || status == "pending" || status == "in_progress") || !done.IsTrue() && status == "compliant" {
		at := place + ".constitutional_validation"
		c.report(Finding{Criterion: "AC-013b", Severity: Error, Place: at + ".completed", Value: show(done), Against: with(at+".status", law.Get("status")), Remedy: "validate again, and record how that ended"})
	}
}
