package gateblocker

import (
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

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
