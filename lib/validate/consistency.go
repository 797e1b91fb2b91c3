package validate

import (
	"math"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// Consistency finds places of a document that contradict each other: rule V9
// (spec 50 §2.7).
func Consistency(doc *ordered.Value) []Finding {
	found := statuses(doc)
	for _, f := range []*Finding{currentPhases(doc), index(doc.Get("active_workflow"))} {
		if f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// statuses is V9-A: the status of a phase stands in two places.
func statuses(doc *ordered.Value) []Finding {
	var found []Finding
	inWorkflow := doc.Get("active_workflow", "phase_status")
	for _, m := range doc.Get("phases").Members() {
		status, other := m.Value.Get("status"), inWorkflow.Get(m.Name)
		if other == nil {
			other = phase.Lookup(inWorkflow, m.Name)
		}
		if status.Present() && other.Present() && !same(status, other) {
			found = append(found, *finding("V9-A", m.Name, "phase %s is %s in phases, but %s in active_workflow.phase_status",
				named(m.Name), show(status), show(other)))
		}
	}
	return found
}

// currentPhases is V9-B: the current phase stands in two places.
func currentPhases(doc *ordered.Value) *Finding {
	top, inWorkflow := doc.Get("current_phase"), doc.Get("active_workflow", "current_phase")
	if !top.Present() || !inWorkflow.Present() || samePhase(top, inWorkflow) {
		return nil
	}
	return finding("V9-B", "", "current_phase is %s, but active_workflow.current_phase is %s", show(top), show(inWorkflow))
}

// index is V9-C: the index of the current phase leads to another one. It may be
// one ahead, for it is raised first.
func index(workflow *ordered.Value) *Finding {
	current, phases := workflow.Get("current_phase"), workflow.Get("phases").Items()
	at, ok := workflow.Get("current_phase_index").Float()
	if !ok || at != math.Trunc(at) || at < 0 || at >= float64(len(phases)) || !current.Present() {
		return nil
	}
	i := int(at)
	if !phases[i].Present() || samePhase(phases[i], current) || i > 0 && samePhase(phases[i-1], current) {
		return nil
	}
	return finding("V9-C", "", "current_phase_index %d of active_workflow is that of phase %s, but its current_phase is %s",
		i, show(phases[i]), show(current))
}
