package domain

import (
	"slices"
	"strings"
)

// StepCompletionValidator tells whether a step went through all its phases. It
// is the only place that knows these rules (spec 60 §5.4).
type StepCompletionValidator struct {
	Schema Schema
}

// The ways in which the event of a phase can be wrong.
type fault int

const (
	fine fault = iota
	incomplete
	badSkip
	badStatus
)

// Validate judges the events of one step, in the order in which they were
// recorded: of a phase the last counts. It is nil for a step that is done.
func (v StepCompletionValidator) Validate(events []PhaseEvent) *Failure {
	if len(events) == 0 {
		return v.silent()
	}
	last := make(map[string]PhaseEvent, len(v.Schema.Phases))
	for _, e := range events {
		last[e.Phase] = e
	}
	f := &Failure{Completion: true}
	var seen [badStatus + 1]bool
	for _, phase := range v.Schema.Phases {
		e, recorded := last[phase]
		if !recorded {
			f.Missing = append(f.Missing, phase)
			continue
		}
		kind, message := v.judge(e)
		if kind == fine {
			continue
		}
		seen[kind] = true
		f.Invalid = append(f.Invalid, phase)
		f.Messages = append(f.Messages, message)
	}
	if len(f.Missing) > 0 {
		f.Messages = slices.Insert(f.Messages, 0, "Missing phases: "+strings.Join(f.Missing, ", "))
	}
	if len(f.Messages) == 0 {
		return nil
	}
	f.Code = code(len(f.Missing) > 0, seen[incomplete], seen[badSkip])
	f.Recovery = v.recovery(f)
	return f
}

// judge tells what is wrong with the event that counts for a phase.
func (v StepCompletionValidator) judge(e PhaseEvent) (fault, string) {
	outcomes := strings.Join(v.Schema.Outcomes, " or ")
	terminal := e.Phase + ": Terminal phase, it must be EXECUTED with PASS, but is " + e.Status + " with " + quoted(e.Data)
	switch e.Status {
	case Executed:
		switch {
		case !slices.Contains(v.Schema.Outcomes, e.Data):
			return incomplete, e.Phase + ": Invalid outcome " + quoted(e.Data) + ", it must be " + outcomes
		case e.Data != Pass && v.Schema.isTerminal(e.Phase):
			return incomplete, terminal
		}
		return fine, ""
	case Skipped:
		switch {
		case !hasAnyPrefix(e.Data, v.Schema.SkipPrefixes):
			message := e.Phase + ": Invalid skip reason " + quoted(e.Data) + ", it must begin with " + strings.Join(v.Schema.SkipPrefixes, " or ")
			for _, p := range v.Schema.BlockingPrefixes {
				if strings.HasPrefix(e.Data, p) {
					message += "; " + strings.TrimSuffix(p, ":") + " blocks completion"
				}
			}
			return badSkip, message
		case v.Schema.isTerminal(e.Phase):
			return incomplete, terminal
		}
		return fine, ""
	case InProgress, NotExecuted:
		return incomplete, e.Phase + ": recorded as " + e.Status + ", so it is not complete"
	}
	return badStatus, e.Phase + ": Invalid status " + quoted(e.Status)
}

func quoted(s string) string { return "'" + s + "'" }

// code names the failure. Statuses that are none do not take part.
func code(missing, incomplete, badSkip bool) Code {
	switch {
	case missing && !incomplete && !badSkip:
		return AbandonedPhase
	case incomplete && !missing && !badSkip:
		return IncompletePhase
	case badSkip && !missing && !incomplete:
		return InvalidSkip
	}
	return MultipleErrors
}

func (v StepCompletionValidator) silent() *Failure {
	phases := slices.Clone(v.Schema.Phases)
	list := strings.Join(phases, ", ")
	return &Failure{
		Code:       SilentCompletion,
		Messages:   []string{"the agent recorded no event for this step. Missing phases: " + list},
		Missing:    phases,
		Completion: true,
		Recovery: []string{
			"Look at the transcript of the agent for what it did and why it recorded nothing.",
			"Check that the step context given to the agent names this step and its execution log.",
			"Resume the step, and carry out and record its phases: " + list + ". Each is one line " + EventForm + " under events in execution-log.yaml.",
		},
	}
}

func (v StepCompletionValidator) recovery(f *Failure) (steps []string) {
	if len(f.Missing) > 0 {
		steps = append(steps, "Resume the step, and carry out the missing phases: "+strings.Join(f.Missing, ", ")+".",
			"Record each of them as one line "+EventForm+" under events in execution-log.yaml.")
	}
	if len(f.Invalid) > 0 {
		steps = append(steps, "Correct the entries of "+strings.Join(f.Invalid, ", ")+" in execution-log.yaml by a further line each, for the last one of a phase counts: "+
			"EXECUTED needs "+strings.Join(v.Schema.Outcomes, " or ")+", SKIPPED needs a reason that begins with "+strings.Join(v.Schema.SkipPrefixes, " or ")+".")
	}
	if slices.ContainsFunc(f.Invalid, v.Schema.isTerminal) {
		steps = append(steps, "Bring "+strings.Join(v.Schema.Terminal, ", ")+" to EXECUTED with PASS: it can be neither failed nor skipped.")
	}
	return steps
}
