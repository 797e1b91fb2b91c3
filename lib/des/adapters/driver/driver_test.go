package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
)

// A stop is a port that notes its input and gives the answer it was told.
type stop struct {
	in     *app.SubagentStopInput
	answer app.HookDecision
	err    error
	panics bool
}

func (s *stop) Validate(in app.SubagentStopInput) (app.HookDecision, error) {
	s.in = &in
	if s.panics {
		panic("oh")
	}
	return s.answer, s.err
}

func runStop(port *stop, stdin string) (exit int, stdout, stderr string) {
	var out, errs bytes.Buffer
	exit = SubagentStop(Streams{strings.NewReader(stdin), &out, &errs}, port)
	return exit, out.String(), errs.String()
}

const direct = `{"executionLogPath":"/p/log","projectId":"foo","stepId":"01"}`

func TestAnswers(t *testing.T) {
	exit, out, errs := runStop(&stop{answer: app.HookDecision{Action: app.Allow, Notices: []string{"n"}}}, direct)
	assert.Equal(t, exit, 0)
	assert.Equal(t, out, `{"decision":"allow"}`+"\n")
	assert.Equal(t, errs, "n\n")

	port := &stop{answer: app.HookDecision{Action: app.Block, ExitCode: 2, Reason: `C: "x" <y>`, RecoverySuggestions: []string{"r", "s"}, Step: app.Step{ProjectID: "foo", StepID: "01", LogPath: "/p/log"}}}
	exit, out, errs = runStop(port, direct)
	assert.Equal(t, exit, 2)
	assert.Equal(t, errs, "")
	var answer struct {
		Decision, Reason, SystemMessage string
		Recovery                        []string
		HookSpecificOutput              struct{ HookEventName, AdditionalContext string }
	}
	decoder := json.NewDecoder(strings.NewReader(out))
	decoder.DisallowUnknownFields()
	assert.NilError(t, decoder.Decode(&answer))
	assert.Equal(t, answer.Decision, "block")
	assert.Equal(t, answer.Reason, `C: "x" <y>`)
	assert.DeepEqual(t, answer.Recovery, []string{"r", "s"})
	assert.Equal(t, answer.HookSpecificOutput.HookEventName, "SubagentStop")
	for _, token := range []string{"foo/01", "/p/log", "FAILED", answer.Reason, "RECOVERY REQUIRED", "1. r", "2. s"} {
		assert.Check(t, is.Contains(answer.HookSpecificOutput.AdditionalContext, token))
	}
	assert.Check(t, is.Contains(answer.SystemMessage, answer.Reason))
}

// Whatever goes wrong, the answer is a block that the client honours.
func TestFailClosed(t *testing.T) {
	for _, test := range []struct {
		what, stdin string
		port        *stop
		reason      string
	}{
		{"nothing", "", &stop{}, "stdin"},
		{"white space", " \n\t\u00a0", &stop{}, "stdin"},
		{"no JSON", "{", &stop{}, "JSON"},
		{"a byte order mark", "\ufeff{}", &stop{}, "JSON"},
		{"two values", direct + direct, &stop{}, "JSON"},
		{"no object", "[]", &stop{}, "object"},
		{"no UTF-8", `{"projectId":"` + "\xff" + `"}`, &stop{}, "UTF-8"},
		{"deep lists", strings.Repeat("[", 1<<20), &stop{}, "JSON"},
		{"no fields", "{}", &stop{}, "executionLogPath"},
		{"an error", direct, &stop{err: errors.New("the disk is full")}, "the disk is full"},
		{"a panic", direct, &stop{panics: true}, "oh"},
	} {
		exit, out, errs := runStop(test.port, test.stdin)
		assert.Check(t, is.Equal(exit, 1), test.what)
		assert.Check(t, is.Equal(errs, ""), test.what)
		var answer map[string]string
		assert.NilError(t, json.Unmarshal([]byte(out), &answer), test.what)
		assert.Check(t, is.Equal(answer["status"], "error"), test.what)
		assert.Check(t, is.Equal(answer["decision"], "block"), test.what)
		assert.Check(t, is.Contains(answer["reason"], test.reason), test.what)
		assert.Check(t, is.Len(answer, 3), test.what)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("read fails") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("write fails") }

func TestBrokenStreams(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Equal(t, SubagentStop(Streams{broken{}, &out, &errs}, &stop{}), 1)
	assert.Check(t, is.Contains(out.String(), "read fails"))
	for _, answer := range []app.HookDecision{{Action: app.Allow}, {Action: app.Block, ExitCode: 2}} {
		assert.Equal(t, SubagentStop(Streams{strings.NewReader(direct), broken{}, &errs}, &stop{answer: answer}), 2)
		assert.Check(t, is.Contains(errs.String(), "write fails"))
	}
}

func TestSubagentStopInput(t *testing.T) {
	step := &app.Step{ProjectID: "foo", StepID: "01", LogPath: "/p/log"}
	for _, test := range []struct {
		stdin string
		want  app.SubagentStopInput
		error string
	}{
		{stdin: direct, want: app.SubagentStopInput{Step: step}},
		{stdin: `{"executionLogPath":"/p/log","projectId":"foo","stepId":"01","hook_event_name":"SubagentStop","stop_hook_active":true,"cwd":7}`, want: app.SubagentStopInput{Step: step}},
		{stdin: `{"hook_event_name":null}`, want: app.SubagentStopInput{Live: &app.LiveStop{}}},
		{stdin: `{"agent_transcript_path":"t","cwd":"/w","stop_hook_active":true}`, want: app.SubagentStopInput{Live: &app.LiveStop{Transcript: "t", WorkDir: domain.Text{Value: "/w"}, Repeated: true}}},
		{stdin: `{"agent_transcript_path":7,"cwd":7,"stop_hook_active":"true"}`, want: app.SubagentStopInput{Live: &app.LiveStop{WorkDir: domain.Text{Wrong: true}}}},
		{stdin: `{"executionLogPath":"","projectId":[],"stepId":0,"hook_event_name":"x"}`, want: app.SubagentStopInput{Live: &app.LiveStop{}}},
		{stdin: `{"projectId":[0],"hook_event_name":"x"}`, error: "stepId"},
		{stdin: `{"projectId":true,"agent_transcript_path":"x"}`, error: "stepId"},
		{stdin: `{"executionLogPath":7,"projectId":"foo","stepId":"01"}`, error: "executionLogPath"},
		{stdin: `{"executionLogPath":"","projectId":"foo","stepId":"01"}`, error: "executionLogPath"},
		{stdin: `{"executionLogPath":"~/log","projectId":"foo","stepId":"01"}`, error: "absolute, but is ~/log"},
	} {
		port := &stop{answer: app.HookDecision{Action: app.Allow}}
		exit, out, _ := runStop(port, test.stdin)
		if test.error != "" {
			assert.Check(t, is.Equal(exit, 1), test.stdin)
			assert.Check(t, is.Contains(out, test.error), test.stdin)
			assert.Check(t, port.in == nil, test.stdin)
			continue
		}
		assert.Check(t, is.Equal(exit, 0), test.stdin)
		assert.Check(t, is.DeepEqual(*port.in, test.want), test.stdin)
	}
}

type call struct{ in app.PreToolUseInput }

func (c *call) Validate(in app.PreToolUseInput) (app.HookDecision, error) {
	c.in = in
	return app.HookDecision{Action: app.Block, ExitCode: 2, Reason: "r"}, nil
}

func TestPreToolUseInput(t *testing.T) {
	for _, test := range []struct {
		stdin string
		want  app.PreToolUseInput
	}{
		{`{}`, app.PreToolUseInput{}},
		{`{"tool_name":"Agent","tool_input":{"prompt":"p","subagent_type":"s","max_turns":1.50e1}}`, app.PreToolUseInput{Tool: "Agent", Prompt: domain.Text{Value: "p"}, SubagentType: "s", MaxTurns: domain.Value{Kind: domain.Number, Text: "1.50e1", JSON: "1.50e1"}}},
		{`{"tool_input":{"prompt":null,"max_turns":null}}`, app.PreToolUseInput{Prompt: domain.Text{Wrong: true}, MaxTurns: domain.Value{Kind: domain.Null, JSON: "null"}}},
		{`{"tool_input":{"prompt":["p"],"max_turns":"30"}}`, app.PreToolUseInput{Prompt: domain.Text{Wrong: true}, MaxTurns: domain.Value{Kind: domain.String, Text: "30", JSON: `"30"`}}},
		{`{"tool_input":{"max_turns":true}}`, app.PreToolUseInput{MaxTurns: domain.Value{Kind: domain.Other, JSON: "true"}}},
	} {
		port := &call{}
		var out, errs bytes.Buffer
		assert.Equal(t, PreToolUse(Streams{strings.NewReader(test.stdin), &out, &errs}, port), 2)
		assert.Equal(t, out.String(), `{"decision":"block","reason":"r"}`+"\n")
		assert.Check(t, is.DeepEqual(port.in, test.want), test.stdin)
	}
	for _, stdin := range []string{`{"tool_input":null}`, `{"tool_input":[]}`, `{"tool_input":"x"}`} {
		var out bytes.Buffer
		assert.Equal(t, PreToolUse(Streams{strings.NewReader(stdin), &out, &out}, &call{}), 1)
		assert.Check(t, is.Contains(out.String(), "tool_input"))
	}
}

// Whatever comes in, exactly one JSON object goes out.
func FuzzSubagentStop(f *testing.F) {
	for _, seed := range []string{direct, `{"hook_event_name":"SubagentStop"}`, "", "[", `{"projectId":{}}`, "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stdin string) {
		port := &stop{answer: app.HookDecision{Action: app.Allow}}
		exit, out, _ := runStop(port, stdin)
		var answer map[string]any
		assert.NilError(t, json.Unmarshal([]byte(out), &answer))
		assert.Equal(t, exit == 0, answer["decision"] == "allow")
		if in := port.in; in != nil && in.Step != nil {
			assert.Assert(t, strings.HasPrefix(in.Step.LogPath, "/") && in.Step.ProjectID != "" && in.Step.StepID != "")
		}
	})
}
