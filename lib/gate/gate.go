// Package gate judges whether a phase of a workflow may be left: by what the phase
// requires and what is recorded of it, by the place of the phase in the workflow,
// and by a person's review (spec 20 §2.4 to §2.7). It does no input or output of
// its own.
package gate

import (
	"fmt"
	"math"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

// Sources are what a gate is judged by besides the state. Each is asked only when
// a requirement needs it, for it may have to read a file.
type Sources struct {
	Manifest      func() *ordered.Value  // nil result: there is none
	ArtifactPaths func() *ordered.Value  // ditto
	Exists        func(path string) bool // whether there is an artifact that is written path

	// Inspect is given each section of the record that is judged, with the name of
	// its schema. It may be nil.
	Inspect func(schema, path string, section *ordered.Value)
}

// A Gate is the end of a phase.
type Gate struct {
	State    *state.State
	Key      string         // of the phase, canonical
	Required *ordered.Value // what the phase requires, overrides laid over; see [phase.Requirements]
	Sources
}

// Mismatch says that the index of a defined workflow points at another phase
// than the current one; "" where it does not, or cannot be compared (spec 20
// §2.4).
func Mismatch(st *state.State, workflows func() *ordered.Value) string {
	workflow := st.Workflow()
	kind := workflow.Get("type").Text()
	index, ok := workflow.Get("current_phase_index").Float()
	if kind == "" || !ok || index < 0 || math.IsInf(index, 0) {
		return ""
	}
	definition := workflows().Get("workflows", kind)
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
	expected, current := "no phase", st.CurrentPhase()
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

// UnderReview says that a person has not approved the phase key yet, or has
// rejected it; "" where nobody reviews (spec 20 §2.6).
func UnderReview(review *ordered.Value, key string) string {
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
