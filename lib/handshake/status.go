package handshake

import (
	"isdlc-hooks/lib/completion"
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// A Status is where a workflow is.
type Status struct {
	Version     string // state_version as it is written
	Active      bool
	Type        string
	Folder      string // of artifacts; "" without one
	Started     string
	Phases      []Phase
	Due         int             // place of the phase that is due; len(Phases): none is; -1: the index says nothing
	Open        []*gate.Failure // requirements of the current phase that are not met
	Review      string          // status of the supervised review
	Escalations []Escalation
	Next        string // the transition that comes next, as a command; "" where the state has to be mended first
}

// A Phase is one line of a [Status].
type Phase struct {
	Key            string
	Status         string // in phases
	WorkflowStatus string // in active_workflow.phase_status
	Agent          string
	Started        string
	Minutes        any // int, or nil where it is not known; of a phase in progress, up to now
	Retries        int
	Summary        string
}

// An Escalation waits for a person.
type Escalation struct{ Hook, Phase, Type, Detail string }

// Status tells where the workflow is, and changes nothing.
func (h *Handshake) Status() Status {
	s := Status{Version: h.State.Get("state_version").Literal(), Due: -1}
	for _, e := range h.State.Get("pending_escalations").Items() {
		if e.IsObject() {
			s.Escalations = append(s.Escalations, Escalation{e.Get("hook").Text(), e.Get("phase").Text(), e.Get("type").Text(), e.Get("detail").Text()})
		}
	}
	workflow := h.State.Workflow()
	if workflow == nil {
		s.Next = "init --type TYPE"
		return s
	}
	s.Active, s.Type, s.Started = true, workflow.Get("type").Text(), workflow.Get("started_at").Text()
	s.Folder, s.Review = h.State.ArtifactFolder(), workflow.Get("supervised_review", "status").Text()
	for _, item := range workflow.Get("phases").Items() {
		s.Phases = append(s.Phases, h.line(item.Text()))
	}
	r, err := h.route()
	if err != nil {
		return s
	}
	s.Due = r.index
	h.next(r, &s)
	return s
}

func (h *Handshake) line(key string) Phase {
	record := h.State.Phase(key)
	p := Phase{Key: key, Started: record.Get("started").Text(), Summary: record.Get("summary").Text()}
	p.Status, p.WorkflowStatus = h.statuses(key)
	p.Agent, _ = h.agent(key).(string)
	retries, _ := record.Get("timing", "retries").Float()
	p.Retries = int(min(max(0, retries), 1e9))
	switch p.Status {
	case completed:
		if f, ok := record.Get("timing", "wall_clock_minutes").Float(); ok && f >= 0 && f < 1e9 {
			p.Minutes = int(f)
		}
	case inProgress:
		p.Minutes = completion.Minutes(begun(record), ordered.Of(h.now()))
	}
	return p
}

// next finds the transition that comes next, and what keeps it from being made.
func (h *Handshake) next(r route, s *Status) {
	if h.mayFinalize() == nil {
		s.Next = "finalize"
		return
	}
	if back := r.index - 1; back >= 0 && s.Review == redoPending && about(r.workflow.Get("supervised_review"), r.phases[back]) {
		s.Next = "activate " + r.phases[back]
		return
	}
	if r.done() {
		return
	}
	due := r.phases[r.index]
	record, inWorkflow := h.statuses(due)
	if record == inProgress && inWorkflow == inProgress && begun(h.State.Phase(due)).Present() && phase.Same(r.workflow.Get("current_phase").Text(), due) {
		s.Open, _ = h.gate(due)
		s.Next = "complete " + due + " --summary TEXT"
	} else if h.mayActivate(r, r.index) == nil {
		s.Next = "activate " + due
	}
}
