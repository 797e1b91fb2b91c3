package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/des/domain"
)

var noon = time.Date(2026, 2, 6, 12, 0, 0, 0, time.UTC)

// A world stands in for all that the services need, and notes what they asked.
type world struct {
	calls  []string
	events []AuditEvent

	promptProblems []string
	auditFails     bool
	transcript     string
	log            map[string]any // project: what ProjectID says; events: lines; nil: none there
	readError      error
	outside        []string
	scopeError     error
}

func (w *world) note(format string, args ...any) {
	w.calls = append(w.calls, fmt.Sprintf(format, args...))
}

func (w *world) Now() time.Time { return noon }

func (w *world) Append(e AuditEvent) error {
	if w.auditFails {
		return errors.New("the disk is full")
	}
	w.note("record %s", e.Event)
	w.events = append(w.events, e)
	return nil
}

type prompts struct{ *world }

func (p prompts) Validate(string) []string {
	p.note("validate prompt")
	return p.promptProblems
}

func (w *world) FirstWith(path, word string) (string, bool) {
	w.note("transcript %s", path)
	return w.transcript, strings.Contains(w.transcript, word)
}

func (w *world) Read(path string) (ExecutionLog, error) {
	w.note("read %s", path)
	if w.readError != nil {
		return nil, w.readError
	}
	return w, nil
}

func (w *world) ProjectID() (string, bool) {
	id, ok := w.log["project"].(string)
	return id, ok
}

func (w *world) StepEvents(stepID string) ([]domain.PhaseEvent, error) {
	w.note("events of %s", stepID)
	if err, ok := w.log["events"].(error); ok {
		return nil, err
	}
	var list []domain.PhaseEvent
	for phase := range strings.FieldsSeq(w.log["events"].(string)) {
		list = append(list, domain.PhaseEvent{StepID: stepID, Phase: phase, Status: domain.Executed, Data: domain.Pass})
	}
	return list, nil
}

func (w *world) OutOfScope(dir string, allowed []string) ([]string, error) {
	w.note("scope of %s", dir)
	return w.outside, w.scopeError
}

func (w *world) preToolUse() PreToolUsePort {
	return NewPreToolUseService(domain.MaxTurns(), domain.MarkerParser{}, prompts{w}, w, w)
}

func (w *world) subagentStop() SubagentStopPort {
	return NewSubagentStopService(domain.MarkerParser{}, domain.StepCompletionValidator{Schema: domain.TDD()}, w, w, w, w, w, "/here")
}

func (w *world) called() string { return strings.Join(w.calls, "; ") }

const (
	complete = "PREPARE RED_ACCEPTANCE RED_UNIT GREEN REVIEW REFACTOR_CONTINUOUS COMMIT"
	desTask  = "<!-- DES-VALIDATION: required --><!-- DES-PROJECT-ID: foo --><!-- DES-STEP-ID: 01-01 -->"
)

func turns(n string) domain.Value { return domain.Value{Kind: domain.Number, Text: n, JSON: n} }

// Flow 1: a task beside DES is allowed, and that is recorded.
func TestFlow1NoDESTask(t *testing.T) {
	w := &world{}
	d, err := w.preToolUse().Validate(PreToolUseInput{Prompt: domain.Text{Value: "hello"}, MaxTurns: turns("30")})
	assert.NilError(t, err)
	assert.Check(t, is.DeepEqual(d, HookDecision{Action: Allow}))
	assert.Equal(t, w.called(), "record HOOK_PRE_TOOL_USE_ALLOWED")
	assert.DeepEqual(t, w.events[0], AuditEvent{
		Time: noon, Event: PreToolUseAllowed, Hook: "PreToolUse", Decision: Allow,
		Details: map[string]any{"max_turns": turns("30"), "is_des_task": false, "mode": nil},
	})
}

// Flow 2: without max_turns it is blocked before the prompt is looked at.
func TestFlow2MissingMaxTurns(t *testing.T) {
	w := &world{}
	d, err := w.preToolUse().Validate(PreToolUseInput{Prompt: domain.Text{Value: desTask}, MaxTurns: domain.Value{Kind: domain.Null, JSON: "null"}})
	assert.NilError(t, err)
	assert.Equal(t, d.Action, Block)
	assert.Equal(t, d.ExitCode, 2)
	assert.Equal(t, w.called(), "record HOOK_PRE_TOOL_USE_BLOCKED")
	assert.Equal(t, w.events[0].Reason, "MISSING_MAX_TURNS")
	assert.Equal(t, w.events[0].FeatureName+" "+w.events[0].StepID, "foo 01-01")
	assert.Equal(t, len(w.events[0].Details), 2)
}

// Flow 3: a step that is complete may stop; the scope is looked at before the
// pass is recorded.
func TestFlow3AllPhasesValid(t *testing.T) {
	w := &world{log: map[string]any{"project": "foo", "events": complete}}
	d, err := w.subagentStop().Validate(SubagentStopInput{Step: &Step{ProjectID: "foo", StepID: "01-01", LogPath: "/p/docs/feature/foo/execution-log.yaml"}})
	assert.NilError(t, err)
	assert.Check(t, is.DeepEqual(d, HookDecision{Action: Allow}))
	assert.Equal(t, w.called(), "read /p/docs/feature/foo/execution-log.yaml; events of 01-01; scope of /p/docs; record HOOK_SUBAGENT_STOP_PASSED")
	assert.DeepEqual(t, w.events[0].Details, map[string]any{"step_id": "01-01", "phases_validated": 7})
}

// Flow 4: a step that lacks phases is blocked; the scope is not looked at.
func TestFlow4MissingPhases(t *testing.T) {
	w := &world{log: map[string]any{"project": "foo", "events": "PREPARE RED_ACCEPTANCE RED_UNIT GREEN REFACTOR_CONTINUOUS"}}
	step := Step{ProjectID: "foo", StepID: "01-01", LogPath: "/p/docs/feature/foo/execution-log.yaml"}
	d, err := w.subagentStop().Validate(SubagentStopInput{Step: &step})
	assert.NilError(t, err)
	assert.Equal(t, d.Action, Block)
	assert.Equal(t, d.ExitCode, 2)
	assert.Equal(t, d.Step, step)
	assert.Check(t, is.Contains(d.Reason, "Missing phases: REVIEW, COMMIT"))
	assert.Check(t, len(d.RecoverySuggestions) > 0)
	assert.Equal(t, w.called(), "read /p/docs/feature/foo/execution-log.yaml; events of 01-01; record HOOK_SUBAGENT_STOP_FAILED")
	assert.DeepEqual(t, w.events[0].Details["missing_phases"], []string{"REVIEW", "COMMIT"})
}

func TestPreToolUseModes(t *testing.T) {
	for _, test := range []struct {
		prompt   string
		problems []string
		mode     any
		blocked  string
		looked   bool
	}{
		{prompt: "x", mode: nil},
		{prompt: "<!-- DES-MODE: orchestrator -->", mode: nil},
		{prompt: desTask + "<!-- DES-MODE: orchestrator -->", problems: []string{"a"}, mode: "orchestrator"},
		{prompt: desTask, mode: "execution", looked: true},
		{prompt: desTask, problems: []string{"a", "b"}, blocked: "a; b", looked: true},
	} {
		w := &world{promptProblems: test.problems}
		d, err := w.preToolUse().Validate(PreToolUseInput{Prompt: domain.Text{Value: test.prompt}, MaxTurns: turns("30")})
		assert.NilError(t, err)
		assert.Check(t, is.Equal(d.Reason, test.blocked), test.prompt)
		assert.Check(t, is.Equal(w.events[0].Reason, test.blocked), test.prompt)
		assert.Check(t, is.Equal(w.events[0].Details["mode"], test.mode), test.prompt)
		assert.Check(t, is.Equal(strings.Contains(w.called(), "validate prompt"), test.looked), test.prompt)
	}
}

// What cannot be judged, and what cannot be recorded, is no decision.
func TestErrors(t *testing.T) {
	step := SubagentStopInput{Step: &Step{ProjectID: "foo", StepID: "01-01", LogPath: "/l"}}
	good := map[string]any{"project": "foo", "events": complete}
	for _, test := range []struct {
		what string
		w    *world
		run  func(*world) error
	}{
		{"a prompt that is no text", &world{}, preToolUse(PreToolUseInput{Prompt: domain.Text{Wrong: true}, MaxTurns: turns("30")})},
		{"an allow that is not recorded", &world{auditFails: true}, preToolUse(PreToolUseInput{MaxTurns: turns("30")})},
		{"a block that is not recorded", &world{auditFails: true}, preToolUse(PreToolUseInput{})},
		{"a log that cannot be read", &world{readError: errors.New("a folder")}, subagentStop(step)},
		{"events that are none", &world{log: map[string]any{"project": "foo", "events": errors.New("a number")}}, subagentStop(step)},
		{"a pass that is not recorded", &world{log: good, auditFails: true}, subagentStop(step)},
		{"a violation that is not recorded", &world{log: good, outside: []string{"a"}, auditFails: true}, subagentStop(step)},
		{"a failure that is not recorded", &world{log: map[string]any{"project": "bar"}, auditFails: true}, subagentStop(step)},
		{"an agent of others that is not recorded", &world{auditFails: true}, subagentStop(SubagentStopInput{Live: &LiveStop{}})},
		{"a cwd that is no text", &world{transcript: desTask}, subagentStop(SubagentStopInput{Live: &LiveStop{Transcript: "t", WorkDir: domain.Text{Wrong: true}}})},
	} {
		assert.Check(t, test.run(test.w) != nil, test.what)
		assert.Check(t, is.Len(test.w.events, 0), test.what)
	}
}

func preToolUse(in PreToolUseInput) func(*world) error {
	return func(w *world) error {
		_, err := w.preToolUse().Validate(in)
		return err
	}
}

func subagentStop(in SubagentStopInput) func(*world) error {
	return func(w *world) error {
		_, err := w.subagentStop().Validate(in)
		return err
	}
}

func TestLogFailures(t *testing.T) {
	for _, test := range []struct {
		w      *world
		code   string
		reason []string
	}{
		{&world{readError: fmt.Errorf("%w: x", ErrLogNotFound)}, "LOG_FILE_NOT_FOUND", []string{"/l/log"}},
		{&world{readError: fmt.Errorf("%w: x", ErrLogCorrupted)}, "LOG_FILE_CORRUPTED", []string{"YAML", ": x"}},
		{&world{log: map[string]any{"project": "bar", "events": errors.New("not looked at")}}, "PROJECT_ID_MISMATCH", []string{"foo", "bar"}},
		{&world{log: map[string]any{"project": 1}}, "PROJECT_ID_MISMATCH", []string{"foo"}},
	} {
		for _, in := range []SubagentStopInput{
			{Step: &Step{ProjectID: "foo", StepID: "01-01", LogPath: "/l/log"}},
			{Live: &LiveStop{Transcript: "t", WorkDir: domain.Text{Value: "/l/log"}, Repeated: true}}, // no excuse for these
		} {
			test.w.transcript = desTask
			test.w.events = nil
			d, err := test.w.subagentStop().Validate(in)
			assert.NilError(t, err)
			assert.Equal(t, d.Action, Block)
			for _, token := range append(test.reason, test.code) {
				assert.Check(t, is.Contains(d.Reason, token))
			}
			assert.Equal(t, test.w.events[0].Reason, test.code)
			assert.DeepEqual(t, test.w.events[0].Details["missing_phases"], []string(nil))
			assert.DeepEqual(t, len(test.w.events[0].Details["error_messages"].([]string)), 1)
		}
	}
}

func TestLiveStop(t *testing.T) {
	for _, test := range []struct {
		what       string
		transcript string
		live       LiveStop
		called     string
		action     Action
	}{
		{"no transcript", desTask, LiveStop{}, "record HOOK_SUBAGENT_STOP_PASSED", Allow},
		{"no markers", "hello", LiveStop{Transcript: "t"}, "transcript t; record HOOK_SUBAGENT_STOP_PASSED", Allow},
		{"only the word", "DES-VALIDATION", LiveStop{Transcript: "t"}, "transcript t; record HOOK_SUBAGENT_STOP_PASSED", Allow},
		{"no step", "<!-- DES-VALIDATION: required --><!-- DES-PROJECT-ID: foo -->", LiveStop{Transcript: "t"}, "transcript t; record HOOK_SUBAGENT_STOP_PASSED", Allow},
		{"no cwd", desTask, LiveStop{Transcript: "t"}, "transcript t; read /here/docs/feature/foo/execution-log.yaml; events of 01-01; record HOOK_SUBAGENT_STOP_FAILED", Block},
		{"a cwd", desTask, LiveStop{Transcript: "t", WorkDir: domain.Text{Value: "/w"}}, "transcript t; read /w/docs/feature/foo/execution-log.yaml; events of 01-01; record HOOK_SUBAGENT_STOP_FAILED", Block},
		{"told once already", desTask, LiveStop{Transcript: "t", Repeated: true}, "transcript t; read /here/docs/feature/foo/execution-log.yaml; events of 01-01; record HOOK_SUBAGENT_STOP_FAILED", Allow},
		// No path is made of an id that could lead elsewhere (spec 05 G.3).
		{"a project that climbs", strings.Replace(desTask, "foo", "../../etc", 1), LiveStop{Transcript: "t", Repeated: true}, "transcript t; record HOOK_SUBAGENT_STOP_FAILED", Block},
		{"a step with a separator", strings.Replace(desTask, "01-01", "01/01", 1), LiveStop{Transcript: "t", WorkDir: domain.Text{Wrong: true}}, "transcript t; record HOOK_SUBAGENT_STOP_FAILED", Block},
	} {
		w := &world{transcript: test.transcript, log: map[string]any{"project": "foo", "events": "PREPARE"}}
		d, err := w.subagentStop().Validate(SubagentStopInput{Live: &test.live})
		assert.NilError(t, err, test.what)
		assert.Check(t, is.Equal(w.called(), test.called), test.what)
		assert.Check(t, is.Equal(d.Action, test.action), test.what)
		assert.Check(t, is.Equal(w.events[0].Decision, test.action), test.what)
		despite, _ := w.events[0].Details["allowed_despite_failure"].(bool)
		assert.Check(t, is.Equal(despite, test.what == "told once already"), test.what)
	}
}

func TestScope(t *testing.T) {
	step := SubagentStopInput{Step: &Step{ProjectID: "foo", StepID: "01-01", LogPath: "/a/b"}}
	w := &world{log: map[string]any{"project": "foo", "events": complete}, outside: []string{"b", "a"}}
	d, err := w.subagentStop().Validate(step)
	assert.NilError(t, err)
	assert.Check(t, is.DeepEqual(d, HookDecision{Action: Allow}))
	assert.Equal(t, w.called(), "read /a/b; events of 01-01; scope of /; record SCOPE_VIOLATION; record HOOK_SUBAGENT_STOP_PASSED")
	assert.DeepEqual(t, w.events[0], AuditEvent{
		Time: noon, Event: ScopeViolation, Hook: "SubagentStop", FeatureName: "foo", StepID: "01-01", Decision: Allow,
		Details: map[string]any{"out_of_scope_files": []string{"b", "a"}, "allowed_patterns": []string{"**/*"}, "severity": "WARNING"},
	})

	w = &world{log: w.log, scopeError: errors.New("no git")}
	d, err = w.subagentStop().Validate(step)
	assert.NilError(t, err)
	assert.Equal(t, d.Action, Allow)
	assert.Equal(t, len(d.Notices), 1)
	assert.Check(t, is.Contains(d.Notices[0], "no git"))
	assert.Equal(t, len(w.events), 1)
}
