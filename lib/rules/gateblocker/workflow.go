package gateblocker

import (
	"fmt"
	"math"

	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

// mismatch says that the index of a defined workflow points at another phase
// than the current one; "" where it does not, or cannot be compared (spec 20
// §2.4).
func mismatch(c *hook.Context) string {
	workflow := c.State().Workflow()
	kind := workflow.Get("type").Text()
	index, ok := workflow.Get("current_phase_index").Float()
	if kind == "" || !ok || index < 0 || math.IsInf(index, 0) {
		return ""
	}
	definition := c.Config().Workflows().Get("workflows", kind)
	if !definition.IsObject() {
		return ""
	}
	list := workflow.Get("phases")
	if !list.IsArray() {
		list = definition.Get("phases")
	}
	phases := list.Items()
	if index >= float64(len(phases)) {
		return ""
	}
	expected, current := "no phase", c.State().CurrentPhase()
	if index == math.Trunc(index) {
		expected = phases[int(index)].Text()
		if expected != "" && phase.Same(expected, current) {
			return ""
		}
	}
	if current == "" {
		current = "not set"
	}
	return fmt.Sprintf("STATE MISMATCH: state.json contradicts itself, so no gate can be judged.\n"+
		"- current_phase_index %s of the workflow means: %s\n"+
		"- current_phase: %s\n"+
		"Find out which of the two is right, correct the other one, then advance again.",
		workflow.Get("current_phase_index").Literal(), expected, current)
}

// underReview says that a person has not approved the phase key yet, or has
// rejected it; "" where nobody reviews (spec 20 §2.6).
func underReview(review *ordered.Value, key string) string {
	if own := review.Get("phase").Text(); own != "" {
		key = own
	}
	switch review.Get("status").Text() {
	case "reviewing":
		return fmt.Sprintf("SUPERVISED REVIEW: a person is reviewing phase %s. Wait until the review is done; then advance.", key)
	case "rejected":
		reason := review.Get("reason").Text()
		if reason == "" {
			reason = "not given"
		}
		return fmt.Sprintf("SUPERVISED REVIEW: phase %s was rejected. Reason: %s\n"+
			"Do the phase again with that in mind, and have it reviewed before you advance.", key, reason)
	}
	return ""
}

// A cause is why requirements fail though the work may be done: the state is out
// of date or incomplete.
type cause struct{ remedy, detail string }

// diagnose finds the cause of failures in the phase key, nil where they are
// genuine. It does not depend on which requirements fail (spec 20 §1.3).
func diagnose(s *state.State, key string) *cause {
	switch status := s.Workflow().Get("status").Text(); status {
	case "completed", "cancelled":
		return &cause{"stale_workflow_detected", "the active workflow is " + status + " already"}
	}
	if current := s.WorkflowPhase(); current != "" && phase.Same(current, key) && s.Get("phases").IsObject() && s.Phase(key) == nil {
		return &cause{"missing_phase_state", "the state has no record of phase " + key + ", the current one"}
	}
	return nil
}
