package handshake

import (
	"strings"

	"isdlc-hooks/lib/completion"
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// A Report is what the agent of a phase brings back.
type Report struct {
	Phase   string
	Summary string // cut to 150 UTF-16 code units

	// Override is why a person lets the phase go although requirements are open;
	// "" for nobody does.
	Override string
}

// Complete marks the current phase as done: STEP 3e, the fields of IR-003. It
// leaves everything of the next phase alone, which is activated by itself.
func (h *Handshake) Complete(p Report) error {
	r, at, err := h.step(p.Phase)
	if err != nil {
		return err
	}
	summary := text.Cut(strings.TrimSpace(p.Summary), completion.MaxSummary)
	if summary == "" {
		return refuse("phase %s needs a summary of what was done", p.Phase)
	}
	if err := h.mayComplete(r, at); err != nil {
		return err
	}
	key := r.phases[at]
	open, judged := h.gate(key)
	if len(open) > 0 && p.Override == "" {
		return &Refusal{Reason: "the gate of phase " + key + " is closed, these requirements are not met:", Open: open}
	}
	record := h.setStatus(key, completed)
	record.Set("summary", summary)
	record.Set("completed", h.now())
	switch {
	case len(open) > 0:
		h.override(record, open, p.Override)
	case judged:
		record.Set("gate_passed", h.now())
		if blocked := record.Get("gate_validation"); blocked.IsObject() { // an earlier refusal does not stand any more
			record.Set("gate_validation", ordered.NewObject("status", "passed", "passed_at", h.now()))
		}
	}
	timing := record.Ensure("timing")
	timing.Set("completed_at", h.now())
	timing.Set("wall_clock_minutes", completion.Minutes(begun(record), timing.Get("completed_at")))
	r.workflow.Set("current_phase_index", at+1)
	return nil
}

// mayComplete tells whether the phase at a place of the route is under way.
func (h *Handshake) mayComplete(r route, at int) error {
	key := r.phases[at]
	switch {
	case at < r.index:
		return refuse("phase %s is completed already", key)
	case at > r.index:
		return refuse("phase %s is not due: the workflow is in %s", key, r.phases[r.index])
	case !phase.Same(r.workflow.Get("current_phase").Text(), key):
		return refuse("phase %s is not the current one, that is %s: activate it first", key, orUnknown(r.workflow.Get("current_phase").Text()))
	}
	record, inWorkflow := h.statuses(key)
	if record != inProgress || inWorkflow != inProgress || !begun(h.State.Phase(key)).Present() {
		return refuse("phase %s was not activated (phases: %s, phase_status: %s): activate it first", key, orUnknown(record), orUnknown(inWorkflow))
	}
	if reason := gate.UnderReview(r.workflow.Get("supervised_review"), key); reason != "" {
		return refuse("%s", reason)
	}
	return nil
}

// begun is when the work of a phase began.
func begun(record *ordered.Value) *ordered.Value {
	if t := record.Get("timing", "started_at"); t.Present() {
		return t
	}
	return record.Get("started")
}

// gate gives the requirements of a phase that are not met, by the checks of
// gate-blocker; judged is false where enforcement is off.
func (h *Handshake) gate(key string) (open []*gate.Failure, judged bool) {
	if !h.State.Enforced() {
		return nil, false
	}
	key = phase.Canonical(key)
	g := gate.Gate{
		State:    h.State,
		Key:      key,
		Required: phase.Requirements(h.Rules.Requirements(), key, h.State.Workflow().Get("type").Text()),
		Sources:  h.Rules.Sources,
	}
	return g.Check(), true
}

// override records that a person has let a phase go, and what was open then.
func (h *Handshake) override(record *ordered.Value, open []*gate.Failure, reason string) {
	var names []string
	for _, f := range open {
		names = append(names, f.Requirement)
	}
	record.Set("gate_override", ordered.NewObject("reason", reason, "at", h.now(), "open", names))
	h.clearEscalations()
}
