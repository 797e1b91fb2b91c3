package audit

import (
	"isdlc-hooks/lib/ordered"
)

// phases looks at every phase of the workflow: its status in both places, against
// each other and against where the workflow is, and its record.
func (c *check) phases() {
	orderly := c.index >= 0 && (c.index == c.at || c.index == c.at+1)
	for i, key := range c.keys {
		record, status := c.status(key)
		unranked := false
		for _, p := range [...]struct {
			place string
			value *ordered.Value
		}{{c.recordPlace(key) + ".status", record}, {c.statusPlace(key), status}} {
			if p.value != nil && !ranked(p.value.Text()) {
				unranked = true
				c.report(Finding{Criterion: "AC-012e", Severity: Error, Place: p.place, Value: show(p.value), Against: "has to be pending, in_progress or completed", Remedy: "write one of them",
					Fix: c.follow(i, record, status)})
			}
		}
		switch {
		case unranked || record == nil || status == nil:
		case record.Text() != status.Text():
			c.differ(i, key, record, status)
		case !orderly:
		case i < c.index && record.Text() != "completed" && i != c.at, i > c.index && record.Text() == "completed":
			c.report(Finding{Criterion: "AC-009d", Severity: Error, Place: c.recordPlace(key) + ".status", Value: show(record),
				Against: with("active_workflow.current_phase_index", c.workflow.Get("current_phase_index")), Remedy: "phases are completed in the order of the list: complete, or take out, what lies before"})
		case i != c.at && record.Text() == "in_progress":
			c.report(Finding{Criterion: "AC-003a", Severity: Error, Place: c.recordPlace(key) + ".status", Value: show(record), Against: with("active_workflow.current_phase", ordered.Of(c.now)),
				Remedy: "only " + activate + key + " begins the phase", Fix: func() { c.setStatus(key, "pending") }})
		case i == c.at && record.Text() == "pending":
			criterion := "AC-001e"
			if c.index > 0 {
				criterion = "AC-003c"
			}
			c.report(Finding{Criterion: criterion, Rule: "V4", Severity: Warning, Place: c.recordPlace(key) + ".status", Value: show(record), Against: with("active_workflow.current_phase", ordered.Of(c.now)),
				Remedy: activate + key})
		}
		c.boundary(i, key)
	}
}

// differ reports a phase whose two statuses are not the same (V9-A).
func (c *check) differ(i int, key string, record, status *ordered.Value) {
	f := Finding{Criterion: "AC-001a", Rule: "V9-A", Severity: Error, Place: c.recordPlace(key) + ".status", Value: show(record), Against: with(c.statusPlace(key), status),
		Remedy: "find out which of them is right", Fix: c.follow(i, record, status)}
	switch {
	case i == c.at && record.Text() != "completed" && status.Text() != "completed":
		f.Criterion = "AC-001b"
	case i != c.at && i >= c.index && record.Text() == "in_progress":
		f.Criterion = "AC-003a"
	case i != c.at && i >= c.index && status.Text() == "in_progress":
		f.Criterion = "AC-003b"
		f.Place, f.Value, f.Against = c.statusPlace(key), show(status), with(c.recordPlace(key)+".status", record)
	}
	if f.Fix != nil {
		f.Remedy = "set both to " + c.implied(i) + ", where the index leads"
	}
	c.report(f)
}

// follow sets both statuses of a phase to what the place of the workflow implies,
// if one of them says so already; else there is no one answer.
func (c *check) follow(i int, record, status *ordered.Value) func() {
	implied := c.implied(i)
	if implied == "" || record.Text() != implied && status.Text() != implied {
		return nil
	}
	return func() { c.setStatus(c.keys[i], implied) }
}

// boundary looks at what activating and completing have to leave in a record:
// the checklists after STEP 3c-prime and STEP 3e.
func (c *check) boundary(i int, key string) {
	record, status := c.record(key), c.agreed(key)
	if !record.IsObject() || status != "in_progress" && status != "completed" {
		return
	}
	if status == "completed" || i == c.at {
		c.begun(i, key, record)
	}
	if status == "completed" {
		c.ended(key, record)
		c.gate(key, record)
	}
}

// begun looks at the times of the beginning. The first phase of a workflow that
// nobody has activated yet has none.
func (c *check) begun(i int, key string, record *ordered.Value) {
	place := c.recordPlace(key)
	started, begun := record.Get("started"), record.Get("timing", "started_at")
	fresh := i == 0 && record.Get("status").Text() == "in_progress" && !started.Present() && !record.Get("timing").Present()
	if fresh {
		return
	}
	for _, p := range [...]struct {
		criterion, place string
		is, other        *ordered.Value
		otherPlace       string
		set              func(*ordered.Value)
	}{
		{"AC-002d", place + ".started", started, begun, place + ".timing.started_at", func(v *ordered.Value) { record.Set("started", v) }},
		{"AC-002e", place + ".timing.started_at", begun, started, place + ".started", func(v *ordered.Value) { record.Ensure("timing").Set("started_at", v) }},
	} {
		if isTime(p.is) {
			continue
		}
		f := Finding{Criterion: p.criterion, Severity: Warning, Place: p.place, Value: show(p.is), Against: with(p.otherPlace, p.other), Remedy: "write when the phase was begun"}
		if isTime(p.other) {
			f.Fix = func() { p.set(p.other) }
		}
		c.report(f)
	}
	if retries := record.Get("timing", "retries"); retries != nil && !isCount(retries) {
		c.report(Finding{Criterion: "AC-002e", Severity: Warning, Place: place + ".timing.retries", Value: show(retries), Against: "has to be a whole number, 0 or more", Remedy: "write how often the phase was begun again"})
	}
}
