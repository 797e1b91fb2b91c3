package app

import (
	"errors"
	"path"

	"isdlc-hooks/lib/des/domain"
)

// SubagentStopService lets a sub-agent stop only when its step is complete
// (spec 60 §5).
type SubagentStopService struct {
	markers     domain.MarkerParser
	completion  domain.StepCompletionValidator
	transcripts TranscriptReader
	logs        ExecutionLogReader
	scope       ScopeChecker
	audit       AuditLogWriter
	clock       TimeProvider
	workDir     string // where a live stop that does not say happened
}

// NewSubagentStopService makes the service from all that it depends on.
func NewSubagentStopService(markers domain.MarkerParser, completion domain.StepCompletionValidator, transcripts TranscriptReader, logs ExecutionLogReader, scope ScopeChecker, audit AuditLogWriter, clock TimeProvider, workDir string) *SubagentStopService {
	return &SubagentStopService{markers, completion, transcripts, logs, scope, audit, clock, workDir}
}

// Validate judges a stop. The error is for a log that cannot be read, for input
// of the wrong type, and for a decision that could not be recorded.
func (s *SubagentStopService) Validate(in SubagentStopInput) (HookDecision, error) {
	if in.Live == nil {
		return s.judge(*in.Step, false)
	}
	step, ours := s.find(in.Live.Transcript)
	if !ours {
		return s.pass(Step{}, map[string]any{"step_id": nil, "phases_validated": 0, "is_des_task": false})
	}
	if !domain.SafeID(step.ProjectID) || !domain.SafeID(step.StepID) {
		return s.fail(step, domain.UnsafeID(step.ProjectID, step.StepID), false)
	}
	switch dir := in.Live.WorkDir; {
	case dir.Wrong:
		return HookDecision{}, errors.New("cwd is not a text")
	case dir.Value != "":
		step.LogPath = dir.Value
	default:
		step.LogPath = s.workDir
	}
	step.LogPath += "/docs/feature/" + step.ProjectID + "/execution-log.yaml"
	return s.judge(step, in.Live.Repeated)
}

// find reads the step of an agent from what it was told. An agent that was told
// of none is not ours.
func (s *SubagentStopService) find(transcript string) (step Step, ours bool) {
	if transcript == "" {
		return Step{}, false
	}
	text, found := s.transcripts.FirstWith(transcript, domain.Validation)
	if !found {
		return Step{}, false
	}
	m := s.markers.Parse(text)
	return Step{ProjectID: m.ProjectID, StepID: m.StepID}, m.DESTask && m.ProjectID != "" && m.StepID != ""
}

func (s *SubagentStopService) judge(step Step, repeated bool) (HookDecision, error) {
	log, err := s.logs.Read(step.LogPath)
	switch {
	case errors.Is(err, ErrLogNotFound):
		return s.fail(step, domain.LogNotFound(step.LogPath), repeated)
	case errors.Is(err, ErrLogCorrupted):
		return s.fail(step, domain.LogCorrupted(step.LogPath, err.Error()), repeated)
	case err != nil:
		return HookDecision{}, err
	}
	if id, ok := log.ProjectID(); !ok || id != step.ProjectID {
		return s.fail(step, domain.ProjectMismatch(step.ProjectID, id), repeated)
	}
	events, err := log.StepEvents(step.StepID)
	if err != nil {
		return HookDecision{}, err
	}
	if failure := s.completion.Validate(events); failure != nil {
		return s.fail(step, failure, repeated)
	}
	notices, err := s.checkScope(step)
	if err != nil {
		return HookDecision{}, err
	}
	decision, err := s.pass(step, map[string]any{"step_id": step.StepID, "phases_validated": len(s.completion.Schema.Phases)})
	decision.Notices = notices
	return decision, err
}

// checkScope records changes beside the task. They do not block; nor does it
// when nobody could look.
func (s *SubagentStopService) checkScope(step Step) (notices []string, err error) {
	allowed := domain.AllowedPatterns()
	files, err := s.scope.OutOfScope(path.Dir(path.Dir(path.Dir(step.LogPath))), allowed)
	if err != nil {
		return []string{"the scope of the changes was not checked: " + err.Error()}, nil
	}
	if len(files) == 0 {
		return nil, nil
	}
	return nil, s.record(step, AuditEvent{
		Event: ScopeViolation, Decision: Allow,
		Details: map[string]any{"out_of_scope_files": files, "allowed_patterns": allowed, "severity": "WARNING"},
	})
}

func (s *SubagentStopService) pass(step Step, details map[string]any) (HookDecision, error) {
	if err := s.record(step, AuditEvent{Event: SubagentStopPassed, Decision: Allow, Details: details}); err != nil {
		return HookDecision{}, err
	}
	return allowed(), nil
}

// fail blocks the stop, but for an agent that was told once already what is
// missing in its work: it would not end.
func (s *SubagentStopService) fail(step Step, f *domain.Failure, repeated bool) (HookDecision, error) {
	e := AuditEvent{
		Event: SubagentStopFailed, Decision: Block, Reason: string(f.Code),
		Details: map[string]any{"missing_phases": f.Missing, "invalid_phases": f.Invalid, "error_messages": f.Messages},
	}
	decision := blocked(f.Reason())
	decision.RecoverySuggestions = f.Recovery
	decision.Step = step
	if repeated && f.Completion {
		e.Decision = Allow
		e.Details["allowed_despite_failure"] = true
		decision = allowed()
	}
	if err := s.record(step, e); err != nil {
		return HookDecision{}, err
	}
	return decision, nil
}

// record completes an event and writes it.
func (s *SubagentStopService) record(step Step, e AuditEvent) error {
	e.Time = s.clock.Now()
	e.Hook = SubagentStopHook
	e.FeatureName, e.StepID = step.ProjectID, step.StepID
	return s.audit.Append(e)
}
