package handshake

import (
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// redoPending is the status of a supervised review that has sent a phase back.
const redoPending = "redo_pending"

// Activate makes a phase the current one before its work is delegated: STEP
// 3c-prime, all fields of IR-002. A phase that is in progress is begun again: it
// keeps the time it was started, and the retry is counted. A completed one comes
// back only where a supervised review asks for that.
//
// With decided set, a person has dealt with the pending escalations, and they go.
func (h *Handshake) Activate(key string, decided bool) error {
	r, at, err := h.step(key)
	if err != nil {
		return err
	}
	if err := h.mayActivate(r, at); err != nil {
		return err
	}
	if decided {
		h.clearEscalations()
	}
	key = r.phases[at]
	if at < r.index {
		h.reopen(r, at)
	}
	record := h.setStatus(key, inProgress)
	if !record.Get("started").Present() {
		record.Set("started", h.now())
	}
	timing := record.Ensure("timing")
	if !timing.Get("started_at").Present() {
		timing.Set("started_at", h.now())
		timing.Set("retries", 0)
	} else {
		retries, _ := timing.Get("retries").Float()
		timing.Set("retries", int(min(max(0, retries), 1e9))+1)
	}
	r.workflow.Set("current_phase", key)
	h.State.Object.Set("current_phase", key)
	h.State.Object.Set("active_agent", h.agent(key))
	return nil
}

// mayActivate holds the phase at a place of the route against what the hooks ask
// of a transition: phase-sequence-guard and phase-loop-controller the order,
// gate-blocker the review, rule V8 that nothing goes back.
func (h *Handshake) mayActivate(r route, at int) error {
	key := r.phases[at]
	review := r.workflow.Get("supervised_review")
	if back := r.index - 1; back >= 0 && review.Get("status").Text() == redoPending {
		switch again := r.phases[back]; {
		case !about(review, again):
		case at == back:
			return nil
		default:
			return refuse("the review asks for phase %s once more: activate that one", again)
		}
	}
	switch {
	case at < r.index:
		return refuse("phase %s is completed, and a workflow does not go back (V8), unless a supervised review asks for the phase once more", key)
	case at > r.index:
		return refuse("phase %s is not due: complete %s first", key, r.phases[r.index])
	}
	record, inWorkflow := h.statuses(key)
	if record == inProgress && inWorkflow == inProgress {
		return nil // once more
	}
	if at > 0 {
		before := r.phases[at-1]
		if record, inWorkflow := h.statuses(before); record != completed || inWorkflow != completed {
			return refuse("phase %s cannot begin while %s before it is not completed (phases: %s, phase_status: %s)",
				key, before, orUnknown(record), orUnknown(inWorkflow))
		}
		if reason := gate.UnderReview(review, before); reason != "" && about(review, before) {
			return refuse("%s", reason)
		}
	}
	if record == completed || inWorkflow == completed {
		return refuse("phase %s is completed, but current_phase_index still leads to it; audit tells how to mend that", key)
	}
	return nil
}

// about tells whether a review is one of the phase key; one that names no phase
// is about the last.
func about(review *ordered.Value, key string) bool {
	of := review.Get("phase").Text()
	return of == "" || phase.Same(of, key)
}

// reopen takes back the completion of the phase before the one that is due. Its
// index becomes that of the current phase again: gate-blocker would otherwise
// refuse the phase its gate.
func (h *Handshake) reopen(r route, at int) {
	r.workflow.Set("current_phase_index", at)
	r.workflow.Get("supervised_review").Set("status", "redo_in_progress")
	record := h.setStatus(r.phases[at], inProgress)
	for _, field := range [...]string{"completed", "gate_passed"} {
		if record.Get(field) != nil {
			record.Set(field, nil)
		}
	}
	timing := record.Get("timing")
	for _, field := range [...]string{"completed_at", "wall_clock_minutes"} {
		if timing.Get(field) != nil {
			timing.Delete(field)
		}
	}
}
