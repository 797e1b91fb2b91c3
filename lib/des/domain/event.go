package domain

import "strings"

// EventForm is how a line of an execution log is written.
const EventForm = "step_id|phase|status|data|timestamp"

// A PhaseEvent is what happened to one phase of a step.
type PhaseEvent struct {
	StepID string
	Phase  string
	Status string
	Data   string // the outcome of EXECUTED, the reason of SKIPPED
}

// PhaseEventParser reads lines of the form [EventForm] (spec 60 §5.3).
type PhaseEventParser struct{}

// Parse reads one line. A line of too few fields is no event; fields beyond the
// form are ignored, and the timestamp is not looked at.
func (PhaseEventParser) Parse(line string) (e PhaseEvent, ok bool) {
	fields := strings.SplitN(line, "|", 6)
	if len(fields) < 5 {
		return PhaseEvent{}, false
	}
	return PhaseEvent{StepID: fields[0], Phase: fields[1], Status: fields[2], Data: fields[3]}, true
}
