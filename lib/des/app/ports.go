package app

import (
	"errors"
	"time"

	"isdlc-hooks/lib/des/domain"
)

// The ports through which the services are driven. An error is a call that could
// not be judged; no decision stands then, and no record.
type (
	// PreToolUsePort judges a call of the sub-agent tool before it is made.
	PreToolUsePort interface {
		Validate(PreToolUseInput) (HookDecision, error)
	}
	// SubagentStopPort judges the work of a sub-agent that is about to stop.
	SubagentStopPort interface {
		Validate(SubagentStopInput) (HookDecision, error)
	}
)

// PreToolUseInput is a call of the sub-agent tool.
type PreToolUseInput struct {
	Tool         string // the name of the tool; "" where the caller did not say
	Prompt       domain.Text
	MaxTurns     domain.Value
	SubagentType string // decides nothing
}

// SubagentStopInput is a stop of a sub-agent, told in one of two forms.
type SubagentStopInput struct {
	Step *Step     // direct: the step is named; or
	Live *LiveStop // the step has to be found
}

// A Step is one step of a project, with the log of what was done for it.
type Step struct {
	ProjectID, StepID string
	LogPath           string // absolute, with slashes
}

// LiveStop is the stop of a sub-agent as the client tells it.
type LiveStop struct {
	Transcript string      // path of the agent's transcript, "" where there is none
	WorkDir    domain.Text // where the agent worked
	Repeated   bool        // the stop was blocked before
}

// An Action is what becomes of a call or a stop.
type Action string

// The actions.
const (
	Allow Action = "allow"
	Block Action = "block"
)

// A HookDecision is the answer of a service.
type HookDecision struct {
	Action              Action
	Reason              string // why it is blocked
	ExitCode            int    // 0 allow, 2 block
	RecoverySuggestions []string
	Step                Step     // which step is blocked
	Notices             []string // for the person, one line each
}

func allowed() HookDecision { return HookDecision{Action: Allow} }

func blocked(reason string) HookDecision {
	return HookDecision{Action: Block, Reason: reason, ExitCode: 2}
}

var (
	// ErrLogNotFound is wrapped by an [ExecutionLogReader] where no file is.
	ErrLogNotFound = errors.New("no such execution log")
	// ErrLogCorrupted is wrapped by an [ExecutionLogReader] for a file whose text
	// is no log.
	ErrLogCorrupted = errors.New("the execution log cannot be understood")
)

// The ports of what the services need.
type (
	// ExecutionLogReader opens logs of steps. Other errors than the two above are
	// for what cannot be read at all.
	ExecutionLogReader interface {
		Read(path string) (ExecutionLog, error)
	}
	// An ExecutionLog is a log that was read.
	ExecutionLog interface {
		// ProjectID is the project that the log is of. Where the log names none, or
		// not by a text, ok is false, and id says what is there instead.
		ProjectID() (id string, ok bool)
		// StepEvents are the events of one step, as they were recorded.
		StepEvents(stepID string) ([]domain.PhaseEvent, error)
	}
	// TranscriptReader looks into what was said to an agent and by it.
	TranscriptReader interface {
		// FirstWith gives the text of the first message that contains word. There
		// is none in a transcript that cannot be read.
		FirstWith(path, word string) (text string, found bool)
	}
	// ScopeChecker finds changed files in the repository of dir that match none of
	// the patterns, see [domain.OutOfScope]. The error tells why it was not
	// possible to look.
	ScopeChecker interface {
		OutOfScope(dir string, allowed []string) (files []string, err error)
	}
	// PromptValidator lists what is wrong with the prompt of a DES task.
	PromptValidator interface {
		Validate(prompt string) []string
	}
	// AuditLogWriter appends to the record of what was decided.
	AuditLogWriter interface {
		Append(AuditEvent) error
	}
	// TimeProvider is the clock.
	TimeProvider interface {
		Now() time.Time
	}
)
