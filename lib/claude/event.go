// Package claude is the protocol of the client, Claude Code: the events that it
// hands to a hook and the answers that it understands (spec 00 §1).
package claude

import (
	"errors"
	"strconv"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// An EventName says when a hook is run.
type EventName string

// The events that hooks here are registered for.
const (
	PreToolUse         EventName = "PreToolUse"
	PostToolUse        EventName = "PostToolUse"
	PostToolUseFailure EventName = "PostToolUseFailure"
	Stop               EventName = "Stop"
	SubagentStop       EventName = "SubagentStop"
)

// A Tool is the name of a tool of the client.
type Tool string

// The tools that rules are about. Task is the sub-agent tool, which newer
// clients call Agent: an [Event] has Task for both.
const (
	Task         Tool = "Task"
	Skill        Tool = "Skill"
	Bash         Tool = "Bash"
	Write        Tool = "Write"
	Edit         Tool = "Edit"
	MultiEdit    Tool = "MultiEdit"
	NotebookEdit Tool = "NotebookEdit"

	agent Tool = "Agent"
)

// An Event is what the client tells a hook: one JSON object on standard input.
type Event struct {
	Name EventName // hook_event_name as sent, "" where it is missing
	Tool Tool      // tool_name; Task for Agent
	Body *ordered.Value
}

// ErrNoObject is given for input that is JSON but no object.
var ErrNoObject = errors.New("the event is no JSON object")

// Decode reads an event. A byte order mark in front of it is an error, as in the
// client's own reader.
func Decode(data []byte) (*Event, error) {
	if strings.HasPrefix(string(data[:min(len(data), 3)]), "\xef\xbb\xbf") {
		return nil, ordered.ErrSyntax
	}
	body, err := ordered.Parse(data)
	if err != nil {
		return nil, err
	}
	if !body.IsObject() {
		return nil, ErrNoObject
	}
	e := &Event{
		Name: EventName(body.Get("hook_event_name").Text()),
		Tool: Tool(body.Get("tool_name").Text()),
		Body: body,
	}
	if e.Tool == agent {
		e.Tool = Task
	}
	return e, nil
}

// Input is a field of tool_input, nil where it is missing.
func (e *Event) Input(name string) *ordered.Value { return e.Body.Get("tool_input", name) }

// Text is a field of tool_input that is a text, "" for anything else.
func (e *Event) Text(name string) string { return e.Input(name).Text() }

// FirstText is the first of several fields of tool_input that says anything; ""
// where that is no text, or there is none.
func (e *Event) FirstText(names ...string) string {
	for _, name := range names {
		if v := e.Input(name); v.Present() {
			return v.Text()
		}
	}
	return ""
}

// Agent is the sub-agent that an event is about: the one that a call of the
// sub-agent tool names, or the one that stops.
func (e *Event) Agent() string {
	if e.Name == SubagentStop {
		return e.Body.Get("agent_type").Text()
	}
	return e.Text("subagent_type")
}

// Result is what the tool returned, or what a sub-agent that stops said last;
// nil where there is nothing: it is missing, null, false, 0 or "", or the agent
// went on in the background and has not reported yet (spec 30 §1.2).
func (e *Event) Result() *ordered.Value {
	var r *ordered.Value
	switch e.Name {
	case SubagentStop:
		if r = e.Body.Get("last_assistant_message"); r.Kind() != ordered.String {
			return nil
		}
	case PostToolUseFailure:
		r = e.Body.Get("error")
	default:
		if r = e.Body.Get("tool_response"); r == nil {
			r = e.Body.Get("tool_result")
		}
	}
	if !r.Present() || r.Get("status").Text() == "async_launched" {
		return nil
	}
	return r
}

// ResultText is the text of [Event.Result] (spec 00 §1.1), "" where there is
// none.
func (e *Event) ResultText() string {
	r := e.Result()
	if e.Name == PostToolUseFailure {
		return afterExitCode(r.Text())
	}
	return resultText(r)
}

func resultText(r *ordered.Value) string {
	switch {
	case r == nil:
		return ""
	case r.Kind() == ordered.String:
		return r.Text()
	case r.IsObject():
		for _, field := range resultFields {
			if s, ok := field(r); ok {
				return s
			}
		}
	}
	return string(r.Compact())
}

// resultFields are the places in a result that may hold its text, the first
// that does counts.
var resultFields = []func(*ordered.Value) (string, bool){
	func(r *ordered.Value) (string, bool) { return stringField(r, "text") },
	streams,
	contentBlocks,
	func(r *ordered.Value) (string, bool) { return stringField(r, "result") },
	func(r *ordered.Value) (string, bool) { return stringField(r, "output") },
	func(r *ordered.Value) (string, bool) { return stringField(r, "error") },
}

func stringField(r *ordered.Value, name string) (string, bool) {
	v := r.Get(name)
	return v.Text(), v.Kind() == ordered.String
}

func streams(r *ordered.Value) (string, bool) {
	stdout, hasOut := stringField(r, "stdout")
	stderr, hasErr := stringField(r, "stderr")
	if stdout != "" && stderr != "" {
		return stdout + "\n" + stderr, true
	}
	return stdout + stderr, hasOut || hasErr
}

func contentBlocks(r *ordered.Value) (string, bool) {
	content := r.Get("content")
	if content.Kind() == ordered.String {
		return content.Text(), true
	}
	var texts []string
	for _, item := range content.Items() {
		if s, ok := stringField(item, "text"); ok && item.Get("type").Text() == "text" {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n"), texts != nil
}

const exitCode = "Exit code "

// FailureCode is the exit code of a failed command that the client reports in
// the error text of PostToolUseFailure, where it names one.
func (e *Event) FailureCode() (code int, ok bool) {
	rest, ok := strings.CutPrefix(e.Body.Get("error").Text(), exitCode)
	if !ok {
		return 0, false
	}
	code, err := strconv.Atoi(rest[:digits(rest)])
	return code, err == nil
}

// afterExitCode is the output in the error text of a failed command.
func afterExitCode(s string) string {
	rest, ok := strings.CutPrefix(s, exitCode)
	if !ok {
		return s
	}
	return rest[digits(rest)+text.SpaceLen(rest[digits(rest):]):]
}

func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
