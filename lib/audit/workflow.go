package audit

import (
	"fmt"
	"slices"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// plan looks at the list of phases of the workflow, and that both other places
// have exactly these (IR-008, IR-009).
func (c *check) plan() {
	const place = "active_workflow.phases"
	bad := func(criterion, severity, against, remedy string) {
		c.report(Finding{Criterion: criterion, Severity: severity, Place: place, Value: show(c.list), Against: against, Remedy: remedy})
	}
	kind := c.workflow.Get("type")
	if kind.Text() == "" {
		c.report(Finding{Criterion: "AC-008a", Severity: Error, Place: "active_workflow.type", Value: show(kind), Against: "has to name a workflow", Remedy: "write the type that the workflow was begun with"})
	}
	if len(c.keys) == 0 || slices.Contains(c.keys, "") {
		bad("AC-008a", Error, "has to list the keys of the phases", "write the phases that the workflow was begun with")
		c.keys = nil
		return
	}
	for i, key := range c.keys {
		if first := phase.Position(c.list, key); first < i {
			bad("AC-009e", Error, fmt.Sprintf("%s and %s are one phase", c.keys[first], key), "leave one of them in the list")
		}
	}
	if defined := c.Workflows.Get("workflows", kind.Text(), "phases"); len(defined.Items()) > 0 && !within(c.keys, defined) {
		bad("AC-008a", Warning, with("workflows."+kind.Text()+".phases", defined), "keep to phases of the type, in its order")
	}
	if s := c.workflow.Get("status"); s.Text() == "completed" || s.Text() == "cancelled" {
		end := "isdlc-hooks handshake finalize"
		if s.Text() == "cancelled" {
			end += " --cancel"
		}
		c.report(Finding{Criterion: "AC-010d", Severity: Warning, Place: "active_workflow.status", Value: show(s), Against: "a workflow that is over is null here", Remedy: end})
	}
	c.entries()
}

// within tells whether keys are some of a list, in its order.
func within(keys []string, list *ordered.Value) bool {
	from := 0
	for _, key := range keys {
		at := phase.Position(list, key)
		if at < from {
			return false
		}
		from = at + 1
	}
	return true
}

// entries compares phase_status and phases with the list.
func (c *check) entries() {
	phases := c.State.Get("phases")
	for i, key := range c.keys {
		record, status := c.record(key), phase.Lookup(c.statuses, key)
		if status == nil {
			f := Finding{Criterion: "AC-008b", Severity: Error, Place: c.statusPlace(key), Value: "missing", Against: with(c.recordPlace(key)+".status", record.Get("status")), Remedy: "add the status"}
			if s := record.Get("status").Text(); ranked(s) {
				f.Fix = func() { c.workflow.Ensure("phase_status").Set(key, s) }
			} else if c.implied(i) == "pending" {
				f.Fix = func() { c.workflow.Ensure("phase_status").Set(key, "pending") }
			}
			c.report(f)
		}
		if !record.IsObject() {
			f := Finding{Criterion: "AC-008d", Severity: Error, Place: c.recordPlace(key), Value: show(record), Against: with(c.statusPlace(key), status), Remedy: "add the record of the phase"}
			if status.Text() == "pending" {
				f.Fix = func() {
					c.State.Ensure("phases").Set(key, ordered.NewObject("status", "pending", "started", nil, "completed", nil, "gate_passed", nil, "artifacts", ordered.NewArray()))
				}
			}
			c.report(f)
		}
	}
	for _, place := range [...]struct {
		object          *ordered.Value
		name, criterion string
		remedy          string
	}{
		{c.statuses, "active_workflow.phase_status", "AC-009a", "take out the phase that is skipped"},
		{phases, "phases", "AC-009c", "take out the record of an earlier workflow"},
	} {
		for _, m := range place.object.Members() {
			c.entry(place.object, m, place.name+"."+m.Name, place.criterion, place.remedy)
		}
	}
}

// entry looks at one member of a place that has one for each phase.
func (c *check) entry(object *ordered.Value, m ordered.Member, place, criterion, remedy string) {
	if known := phase.Key(object, m.Name); known != m.Name {
		c.report(Finding{Criterion: "AC-009e", Severity: Error, Place: place, Value: show(m.Value), Against: with(strings.TrimSuffix(place, m.Name)+known, object.Get(known)),
			Remedy: "both are one phase: keep what is right under " + known})
		return
	}
	if phase.Position(c.list, m.Name) < 0 {
		f := Finding{Criterion: criterion, Severity: Warning, Place: place, Value: show(m.Value), Against: with("active_workflow.phases", c.list), Remedy: remedy}
		if status := m.Value.Text() + m.Value.Get("status").Text(); status != "in_progress" && !phase.Same(m.Name, c.now) {
			f.Fix = func() { object.Delete(m.Name) }
		}
		c.report(f)
	}
}

// current looks at the current phase, in its two places, and at its index (IR-001).
func (c *check) current() {
	top, inWorkflow := c.State.Get("current_phase"), c.workflow.Get("current_phase")
	if c.now == "" {
		c.report(Finding{Criterion: "AC-001b", Severity: Error, Place: "active_workflow.current_phase", Value: show(inWorkflow), Against: with("current_phase", top), Remedy: activate + "the phase that is due"})
		return
	}
	if !phase.Same(top.Text(), c.now) {
		criterion, rule := "AC-001b", "V9-B"
		switch next := phase.Position(c.list, top.Text()); {
		case !top.Present():
			rule = ""
		case next >= 0 && next == c.at+1:
			criterion = "AC-003d"
		case c.index == 0 && c.at == 0:
			criterion = "AC-008e"
		}
		c.report(Finding{Criterion: criterion, Rule: rule, Severity: Error, Place: "current_phase", Value: show(top), Against: with("active_workflow.current_phase", inWorkflow),
			Remedy: "let it follow the workflow, which is what hooks read first",
			Fix:    func() { c.State.Set("current_phase", c.now) }})
	}
	if c.at < 0 {
		c.report(Finding{Criterion: "AC-001c", Severity: Error, Place: "active_workflow.current_phase", Value: show(inWorkflow), Against: with("active_workflow.phases", c.list),
			Remedy: activate + "the phase that is due"})
		return
	}
	c.place()
}

// place holds the index against the current phase and its status.
func (c *check) place() {
	const place = "active_workflow.current_phase_index"
	index := c.workflow.Get("current_phase_index")
	wrong := func(criterion, rule, against string) {
		f := Finding{Criterion: criterion, Rule: rule, Severity: Error, Place: place, Value: show(index), Against: against, Remedy: "set it to the place of the phase that is due"}
		if k := c.settled(); k >= 0 && k != c.index {
			f.Remedy = fmt.Sprintf("set it to %d, where all statuses lead", k)
			f.Fix = func() { c.workflow.Set("current_phase_index", k) }
		}
		c.report(f)
	}
	current := with("active_workflow.current_phase", c.workflow.Get("current_phase")) + fmt.Sprintf(", which is number %d", c.at)
	status := c.agreed(c.now)
	switch {
	case c.index < 0:
		wrong("AC-009b", "", fmt.Sprintf("has to be a whole number from 0 to %d", len(c.keys)))
	case c.index == len(c.keys) && !c.allCompleted():
		wrong("AC-010a", "", fmt.Sprintf("not all %d phases are completed", len(c.keys)))
	case c.index == c.at && status == "completed":
		wrong("AC-003e", "", with(c.recordPlace(c.now)+".status", ordered.Of(status)))
	case c.index == c.at+1 && (status == "in_progress" || status == "pending"):
		wrong("AC-001c", "", with(c.recordPlace(c.now)+".status", ordered.Of(status)))
	case c.index == c.at || c.index == c.at+1:
	case !slices.ContainsFunc(c.keys, func(key string) bool { return c.agreed(key) == "completed" }):
		wrong("AC-008c", "V9-C", current)
	default:
		wrong("AC-001c", "V9-C", current)
	}
}

func (c *check) allCompleted() bool {
	return !slices.ContainsFunc(c.keys, func(key string) bool {
		record, status := c.status(key)
		return record.Text() != "completed" && status.Text() != "completed"
	})
}

// agent compares the active agent with the current phase (AC-001d).
func (c *check) agent() {
	want, is := phase.AgentOf(c.now), c.State.Get("active_agent")
	if want == "" || phase.NormalizeAgent(strings.TrimSpace(is.Text())) == want || c.at < 0 {
		return
	}
	criterion, rule := "AC-001d", "V5"
	if is.Text() == "" {
		rule = ""
	} else if next := c.at + 1; next < len(c.keys) && phase.NormalizeAgent(strings.TrimSpace(is.Text())) == phase.AgentOf(c.keys[next]) {
		criterion = "AC-003d"
	}
	c.report(Finding{Criterion: criterion, Rule: rule, Severity: Warning, Place: "active_agent", Value: show(is),
		Against: fmt.Sprintf("%s does the work of %s", want, c.now),
		Remedy:  "set it to " + want,
		Fix:     func() { c.State.Set("active_agent", want) }})
}

func ranked(status string) bool {
	return status == "pending" || status == "in_progress" || status == "completed"
}
