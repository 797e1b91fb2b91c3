package audit

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/completion"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
	"isdlc-hooks/lib/validate"
)

// keepWorkflows is how many entries pruning leaves in workflow_history.
const keepWorkflows = 50

// lists looks for what pruning, or anybody, has damaged in the lists of the
// document (AC-010f).
func (c *check) lists() {
	for _, name := range [...]string{"workflow_history", "history", "skill_usage_log", "pending_escalations"} {
		list := c.State.Get(name)
		if list.Present() && !list.IsArray() {
			c.report(Finding{Criterion: "AC-010f", Severity: Error, Place: name, Value: show(list), Against: "has to be a list", Remedy: "make it a list"})
		}
		for i, item := range list.Items() {
			if !item.IsObject() {
				c.report(Finding{Criterion: "AC-010f", Severity: Warning, Place: fmt.Sprintf("%s[%d]", name, i), Value: show(item), Against: "has to be an object", Remedy: "drop the entry",
					Fix: func() { c.State.Set(name, objects(list)) }})
			}
		}
	}
	if list := c.State.Get("workflow_history"); len(list.Items()) > keepWorkflows {
		c.report(Finding{Criterion: "AC-010f", Severity: Warning, Place: "workflow_history", Value: fmt.Sprintf("%d entries", len(list.Items())), Against: fmt.Sprintf("has to be at most %d", keepWorkflows), Remedy: "drop the oldest",
			Fix: func() { list.KeepLast(keepWorkflows) }})
	}
}

// objects is a list without what is no object.
func objects(list *ordered.Value) *ordered.Value {
	kept := ordered.NewArray()
	for _, item := range list.Items() {
		if item.IsObject() {
			kept.Append(item)
		}
	}
	return kept
}

// version looks at the counter of writes (IR-011).
func (c *check) version() {
	v := c.State.Get("state_version")
	if isCount(v) && v.Present() {
		return
	}
	c.report(Finding{Criterion: "AC-011a", Severity: Warning, Place: "state_version", Value: show(v), Against: "has to be a whole number, 1 or more", Remedy: "begin to count at 1",
		Fix: func() { c.State.Set("state_version", 1) }})
}

// history looks at the records of finished workflows (IR-010).
func (c *check) history() {
	entries := c.State.Get("workflow_history").Items()
	for i, entry := range entries {
		if entry.IsObject() {
			c.entryOf(i, entry, i == len(entries)-1)
		}
	}
	if len(entries) == 0 {
		return
	}
	newest := entries[len(entries)-1]
	began := newest.Get("started_at")
	if c.workflow != nil && began.Present() && string(began.Compact()) == string(c.workflow.Get("started_at").Compact()) && newest.Get("type").Text() == c.workflow.Get("type").Text() {
		c.report(Finding{Criterion: "AC-010d", Severity: Error, Place: "active_workflow", Value: show(c.workflow), Against: fmt.Sprintf("workflow_history[%d] is this workflow, on record", len(entries)-1), Remedy: "set it to null",
			Fix: func() { c.State.Set("active_workflow", nil) }})
	}
	if c.workflow == nil {
		c.pruned(newest)
	}
}

func (c *check) entryOf(i int, entry *ordered.Value, newest bool) {
	place := fmt.Sprintf("workflow_history[%d]", i)
	fixable := newest && c.workflow == nil && entry.Get("phases").IsArray() && len(c.State.Get("phases").Members()) > 0
	for _, part := range [...]struct {
		name, criterion string
		ok              bool
		fix             bool // completing the entry brings it
	}{
		{"phases", "AC-010c", len(entry.Get("phases").Items()) > 0, false},
		{"started_at", "AC-010c", isTime(entry.Get("started_at")), false},
		{"completed_at", "AC-010c", isTime(completion.End(entry)), false},
		{"phase_snapshots", "AC-010b", entry.Get("phase_snapshots").IsArray(), true},
		{"metrics", "AC-010c", len(entry.Get("metrics").Members()) > 0, true},
	} {
		if part.ok {
			continue
		}
		f := Finding{Criterion: part.criterion, Severity: Warning, Place: place + "." + part.name, Value: show(entry.Get(part.name)), Against: "a finished workflow has it", Remedy: "write it, if anybody knows"}
		if part.fix && fixable {
			f.Remedy = "make it from the phase records, as workflow-completion-enforcer does"
			f.Fix = func() { completion.Complete(c.State, entry, c.Now) }
		}
		c.report(f)
	}
	if began, end := entry.Get("started_at"), completion.End(entry); isTime(began) && isTime(end) && completion.Minutes(began, end) == nil {
		c.report(Finding{Criterion: "AC-010c", Severity: Warning, Place: place + ".completed_at", Value: show(end), Against: with(place+".started_at", began), Remedy: "find out which time is right"})
	}
	c.counts(place, entry)
}

// counts compares the metrics of an entry with what they count.
func (c *check) counts(place string, entry *ordered.Value) {
	completed := 0
	for i, s := range entry.Get("phase_snapshots").Items() {
		if s.Get("status").Text() == "completed" {
			completed++
		}
		if key := s.Get("key"); phase.Position(entry.Get("phases"), key.Text()) < 0 && len(entry.Get("phases").Items()) > 0 {
			c.report(Finding{Criterion: "AC-010b", Severity: Warning, Place: fmt.Sprintf("%s.phase_snapshots[%d].key", place, i), Value: show(key), Against: with(place+".phases", entry.Get("phases")), Remedy: "the snapshot belongs to another workflow: take it out"})
		}
	}
	metrics := entry.Get("metrics")
	for _, m := range [...]struct {
		name string
		of   string
		n    int
	}{
		{"total_phases", "phases", len(entry.Get("phases").Items())},
		{"phases_completed", "phase_snapshots", completed},
	} {
		is := metrics.Get(m.name)
		if f, ok := is.Float(); !ok || f == float64(m.n) || !entry.Get(m.of).IsArray() {
			continue
		}
		c.report(Finding{Criterion: "AC-010c", Severity: Warning, Place: place + ".metrics." + m.name, Value: show(is), Against: fmt.Sprintf("%s.%s counts %d", place, m.of, m.n), Remedy: fmt.Sprintf("set it to %d", m.n),
			Fix: func() { metrics.Set(m.name, m.n) }})
	}
}

// pruned looks for what pruning after the newest workflow should have taken away.
func (c *check) pruned(entry *ordered.Value) {
	for _, item := range entry.Get("phases").Items() {
		record := c.record(item.Text())
		if record.Get("status").Text() != "completed" || record.Get("_pruned_at").Present() {
			continue
		}
		for _, section := range [...]string{"iteration_requirements", "constitutional_validation", "gate_validation"} {
			if record.Get(section) == nil {
				continue
			}
			c.report(Finding{Criterion: "AC-010f", Severity: Warning, Place: c.recordPlace(item.Text()) + "." + section, Value: show(record.Get(section)), Against: "the workflow is over, and its records are pruned", Remedy: "prune the state",
				Fix: func() { completion.Prune(c.State, c.Now) }})
			return // one fix prunes all
		}
	}
}

// earlier holds the document against an older one (V6, V7, V8), and adds what the
// rules on one document find and no criterion above has.
func (c *check) earlier() {
	if c.Before != nil {
		if f := validate.Version(c.State, c.Before); f != nil {
			c.sentence(*f, "AC-011c", Error, "state_version")
		}
		if f, _ := validate.Regression(c.State, c.Before); f != nil {
			switch {
			case f.Phase == "":
				c.sentence(*f, "AC-012a", Error, "active_workflow", "current_phase_index")
			case strings.HasPrefix(f.Fact, "phase_status"):
				c.sentence(*f, "AC-012b", Error, "active_workflow", "phase_status", f.Phase)
			default:
				c.sentence(*f, "AC-012b", Error, "phases", f.Phase, "status")
			}
		}
		for _, f := range validate.Protected(c.State, c.Before) {
			field, _, _ := strings.Cut(f.Fact, " ") // the fact begins with the field
			place := strings.Split(field, ".")
			if f.Phase != "" {
				place = []string{"phases", f.Phase, "gate_validation", "status"}
			}
			c.sentence(f, "V6", Warning, place...)
		}
	}
	for _, f := range append(validate.Consistency(c.State), validate.Progress(c.State)...) {
		if !c.has(f) {
			c.sentence(f, f.Rule, Warning, ruled(f)...)
		}
	}
}

// ruled is the place that a rule on one document is about.
func ruled(f validate.Finding) []string {
	switch f.Rule {
	case "V9-B":
		return []string{"current_phase"}
	case "V9-C":
		return []string{"active_workflow", "current_phase_index"}
	case "V5":
		return []string{"active_agent"}
	}
	return []string{"phases", f.Phase, "status"}
}

// sentence reports what a rule says of the value at a place.
func (c *check) sentence(f validate.Finding, criterion, severity string, place ...string) {
	c.report(Finding{Criterion: criterion, Rule: f.Rule, Severity: severity, Place: strings.Join(place, "."), Value: show(c.State.Get(place...)), Against: f.Fact, Remedy: "find out which of the two is right"})
}

// has tells whether a finding of a rule is reported already.
func (c *check) has(f validate.Finding) bool {
	st := &state.State{Object: c.State}
	for _, known := range c.found {
		same := known.Rule == f.Rule
		if f.Rule == "V4" || f.Rule == "V9-A" { // both are about the status of one phase
			about := f.Phase
			if about == "" {
				about = st.CurrentPhase()
			}
			same = strings.Contains(known.Place, about)
		}
		if f.Rule == "V9-C" {
			same = strings.HasSuffix(known.Place, "current_phase_index") || strings.HasSuffix(known.Place, "active_workflow.current_phase")
		}
		if same {
			return true
		}
	}
	return false
}
