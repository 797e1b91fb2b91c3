// Package handshake moves a workflow from one phase to the next: it begins a
// workflow, activates a phase before its work is delegated, completes it
// afterwards, and puts the finished workflow on record (IR-001 to IR-003, IR-008,
// IR-010). Each transition writes every field that it has to, and nothing else,
// or refuses and writes none.
//
// It works on a loaded state and does no input or output of its own.
package handshake

import (
	"fmt"
	"math"
	"strings"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

// The statuses of a phase.
const (
	pending    = "pending"
	inProgress = "in_progress"
	completed  = "completed"

	cancelled = "cancelled" // of a workflow only
)

// Rules are what a transition is judged by: the configuration, and how to find
// artifacts. Each is asked only when it is needed; all have to be there, and may
// give nil.
type Rules struct {
	Requirements func() *ordered.Value
	Workflows    func() *ordered.Value
	gate.Sources
}

// A Handshake is the next transition of a state.
type Handshake struct {
	State *state.State
	Rules Rules
	Now   time.Time
}

// A Refusal is the error of a transition that the rules do not allow.
type Refusal struct {
	Reason string          // what stands in the way, and what to do about it
	Open   []*gate.Failure // the requirements that are not met, where that is it
}

func (r *Refusal) Error() string {
	s := r.Reason
	for _, f := range r.Open {
		s += fmt.Sprintf("\n- %s: %s [%s]", f.Requirement, f.Reason, f.Action)
	}
	return s
}

func refuse(format string, args ...any) *Refusal {
	return &Refusal{Reason: fmt.Sprintf(format, args...)}
}

func (h *Handshake) now() string { return activity.Timestamp(h.Now) }

// agent does the work of a phase: by the table that everybody has, else by the
// manifest; nil for nobody.
func (h *Handshake) agent(key string) any {
	if a := phase.AgentOf(key); a != "" {
		return a
	}
	if a := phase.Owner(h.Rules.Manifest(), key); a != "" {
		return a
	}
	return nil
}

// A route is the way of the active workflow through its phases.
type route struct {
	workflow *ordered.Value
	phases   []string // as they are written
	index    int      // of the phase that is due; len(phases): none is
}

func (r route) done() bool { return r.index == len(r.phases) }

// route reads the workflow that is under way.
func (h *Handshake) route() (r route, err error) {
	r.workflow = h.State.Workflow()
	if r.workflow == nil {
		return r, refuse("no workflow is active; begin one with init")
	}
	for _, item := range r.workflow.Get("phases").Items() {
		r.phases = append(r.phases, item.Text())
	}
	if len(r.phases) == 0 {
		return r, refuse("active_workflow.phases lists no phases")
	}
	f, ok := r.workflow.Get("current_phase_index").Float()
	if !ok || f != math.Trunc(f) || f < 0 || f > float64(len(r.phases)) {
		return r, refuse("active_workflow.current_phase_index does not lead into the %d phases of the workflow; audit tells what it should be", len(r.phases))
	}
	r.index = int(f)
	return r, nil
}

// step reads the way of a workflow that goes on, and the place of a phase in it.
func (h *Handshake) step(key string) (r route, at int, err error) {
	if r, err = h.route(); err != nil {
		return r, 0, err
	}
	if s := r.workflow.Get("status").Text(); s == completed || s == cancelled {
		return r, 0, refuse("the active workflow is %s already, and only has to be put on record with finalize", s)
	}
	at, err = r.find(key)
	return r, at, err
}

// find is the place of a phase in the workflow.
func (r route) find(key string) (int, error) {
	if i := phase.Position(r.workflow.Get("phases"), key); i >= 0 {
		return i, nil
	}
	return 0, refuse("phase %s is not part of this workflow, which has %s", key, strings.Join(r.phases, ", "))
}

// statuses are what the two places say of a phase.
func (h *Handshake) statuses(key string) (record, workflow string) {
	return h.State.Phase(key).Get("status").Text(), phase.Lookup(h.State.Workflow().Get("phase_status"), key).Text()
}

// setStatus writes the status of a phase to both places, and gives its record.
func (h *Handshake) setStatus(key, status string) *ordered.Value {
	inWorkflow := h.State.Workflow().Ensure("phase_status")
	inWorkflow.Set(phase.Key(inWorkflow, key), status)
	phases := h.State.Object.Ensure("phases")
	record := phases.Ensure(phase.Key(phases, key))
	record.Set("status", status)
	return record
}

// clearEscalations takes away what a person has decided about.
func (h *Handshake) clearEscalations() {
	if len(h.State.Get("pending_escalations").Items()) > 0 {
		h.State.Object.Set("pending_escalations", ordered.NewArray())
	}
}
