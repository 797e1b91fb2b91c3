package handshake

import (
	"isdlc-hooks/lib/completion"
	"isdlc-hooks/lib/gate"
)

// Finalize puts a workflow whose phases are all completed on record and ends it
// (IR-010).
func (h *Handshake) Finalize() (completion.Result, error) {
	if err := h.mayFinalize(); err != nil {
		return completion.Result{}, err
	}
	return h.archive("completed_at", completed), nil
}

func (h *Handshake) mayFinalize() error {
	r, err := h.route()
	if err != nil {
		return err
	}
	if r.workflow.Get("status").Text() == cancelled {
		return refuse("the workflow is cancelled: put it on record with finalize --cancel")
	}
	if !r.done() {
		return refuse("the workflow is in phase %s (%d of %d): complete what is left, or give it up with finalize --cancel",
			r.phases[r.index], r.index+1, len(r.phases))
	}
	last, review := r.phases[len(r.phases)-1], r.workflow.Get("supervised_review")
	if reason := gate.UnderReview(review, last); reason != "" {
		return refuse("%s", reason)
	}
	if review.Get("status").Text() == redoPending && about(review, last) {
		return refuse("the review asks for phase %s once more: activate that one", last)
	}
	for _, key := range r.phases {
		if record, inWorkflow := h.statuses(key); record != completed || inWorkflow != completed {
			return refuse("phase %s is not completed (phases: %s, phase_status: %s), though the index says that all are; audit tells more",
				key, orUnknown(record), orUnknown(inWorkflow))
		}
	}
	return nil
}

// Cancel gives the active workflow up and puts what was done on record. Pending
// escalations go with it.
func (h *Handshake) Cancel(reason string) (completion.Result, error) {
	workflow := h.State.Workflow()
	if workflow == nil {
		return completion.Result{}, refuse("no workflow is active")
	}
	if reason != "" {
		workflow.Set("cancel_reason", reason)
	}
	h.clearEscalations()
	return h.archive("cancelled_at", cancelled), nil
}

// archive moves the workflow to the history, whole but for the fields that say
// where it is.
func (h *Handshake) archive(ended, status string) completion.Result {
	entry := h.State.Workflow().Clone()
	for _, field := range [...]string{"current_phase", "current_phase_index", "phase_status"} {
		entry.Delete(field)
	}
	entry.Set("status", status)
	entry.Set(ended, h.now())
	doc := h.State.Object
	entry = doc.EnsureArray("workflow_history").Append(entry)
	result := completion.Complete(doc, entry, h.Now)
	for _, field := range [...]string{"current_phase", "active_agent"} { // of a workflow that is no more
		if doc.Get(field) != nil {
			doc.Set(field, nil)
		}
	}
	return result
}
