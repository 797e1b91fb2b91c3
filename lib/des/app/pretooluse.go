package app

import (
	"errors"
	"strings"

	"isdlc-hooks/lib/des/domain"
)

// PreToolUseService lets a sub-agent start only within bounds, and on a DES task
// only with a complete prompt (spec 60 §4).
type PreToolUseService struct {
	turns   domain.MaxTurnsPolicy
	markers domain.MarkerParser
	prompts PromptValidator
	audit   AuditLogWriter
	clock   TimeProvider
}

// NewPreToolUseService makes the service from all that it depends on.
func NewPreToolUseService(turns domain.MaxTurnsPolicy, markers domain.MarkerParser, prompts PromptValidator, audit AuditLogWriter, clock TimeProvider) *PreToolUseService {
	return &PreToolUseService{turns, markers, prompts, audit, clock}
}

// Validate judges a call. The error is for a prompt that is no text, and for a
// decision that could not be recorded.
func (s *PreToolUseService) Validate(in PreToolUseInput) (HookDecision, error) {
	markers := s.markers.Parse(in.Prompt.Value) // before any decision: each is recorded with the ids
	if refusal := s.turns.Check(in.MaxTurns, in.Tool); refusal != nil {
		return s.block(in, markers, string(refusal.Code), refusal.Reason)
	}
	if in.Prompt.Wrong {
		return HookDecision{}, errors.New("the prompt is not a text")
	}
	mode := any(nil)
	switch {
	case markers.DESTask && markers.Orchestrator:
		mode = "orchestrator"
	case markers.DESTask:
		mode = "execution"
		if problems := s.prompts.Validate(in.Prompt.Value); len(problems) > 0 {
			reason := strings.Join(problems, "; ")
			return s.block(in, markers, reason, reason)
		}
	}
	err := s.record(in, markers, AuditEvent{
		Event: PreToolUseAllowed, Decision: Allow,
		Details: map[string]any{"mode": mode},
	})
	if err != nil {
		return HookDecision{}, err
	}
	return allowed(), nil
}

// block records why under one name and answers it under another.
func (s *PreToolUseService) block(in PreToolUseInput, markers domain.Markers, recorded, told string) (HookDecision, error) {
	err := s.record(in, markers, AuditEvent{
		Event: PreToolUseBlocked, Decision: Block, Reason: recorded,
		Details: map[string]any{},
	})
	if err != nil {
		return HookDecision{}, err
	}
	return blocked(told), nil
}

// record completes an event and writes it.
func (s *PreToolUseService) record(in PreToolUseInput, markers domain.Markers, e AuditEvent) error {
	e.Time = s.clock.Now()
	e.Hook = PreToolUseHook
	e.FeatureName, e.StepID = markers.ProjectID, markers.StepID
	e.Details["max_turns"] = in.MaxTurns
	e.Details["is_des_task"] = markers.DESTask
	return s.audit.Append(e)
}
