package claude

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func decode(t *testing.T, text string) *Event {
	t.Helper()
	e, err := Decode([]byte(text))
	assert.NilError(t, err)
	return e
}

func TestBothNamesOfTheSubAgentTool(t *testing.T) {
	for name, want := range map[string]Tool{
		"Task": Task, "Agent": Task, "task": "task", "TaskCreate": "TaskCreate", "Bash": Bash,
	} {
		assert.Equal(t, decode(t, `{"tool_name":"`+name+`"}`).Tool, want)
	}
	assert.Equal(t, decode(t, `{"tool_name":7}`).Tool, Tool(""))
}

func TestWhatIsNoEvent(t *testing.T) {
	for _, text := range []string{"", "{", "\xef\xbb\xbf{}"} {
		_, err := Decode([]byte(text))
		assert.ErrorIs(t, err, ordered.ErrSyntax)
	}
	for _, text := range []string{"[]", "null", "42", `"x"`} {
		_, err := Decode([]byte(text))
		assert.ErrorIs(t, err, ErrNoObject)
	}
}

func TestResultText(t *testing.T) {
	for _, test := range []struct{ event, want string }{
		{`{}`, ""},
		{`{"tool_result":"old"}`, "old"},
		{`{"tool_response":"new","tool_result":"old"}`, "new"},
		{`{"tool_response":{"stdout":"a","stderr":"b","text":"t"}}`, "t"},
		{`{"tool_response":{"stdout":"a","stderr":"b"}}`, "a\nb"},
		{`{"tool_response":{"stdout":"a","stderr":""}}`, "a"},
		{`{"tool_response":{"stdout":"","stderr":"b","content":"c"}}`, "b"},
		{`{"tool_response":{"content":"c","result":"r"}}`, "c"},
		{`{"tool_response":{"content":[{"type":"text","text":"1"},{"type":"image","text":"no"},{"type":"text","text":"2"}]}}`, "1\n2"},
		{`{"tool_response":{"result":"r","output":"o"}}`, "r"},
		{`{"tool_response":{"output":"o","error":"e"}}`, "o"},
		{`{"tool_response":{"error":"e"}}`, "e"},
		{`{"tool_response":{"error":7, "x": [1.0, "é\n"]}}`, `{"error":7,"x":[1,"é\n"]}`},
		{`{"tool_response":[ 1 ]}`, "[1]"},
		{`{"tool_response":false}`, ""},
		{`{"tool_response":{"status":"async_launched","content":"c"}}`, ""},
		{`{"hook_event_name":"SubagentStop","last_assistant_message":"done","tool_response":"no"}`, "done"},
		{`{"hook_event_name":"PostToolUseFailure","error":"Exit code 3\nout\nerr"}`, "out\nerr"},
		{`{"hook_event_name":"PostToolUseFailure","error":"Command timed out"}`, "Command timed out"},
		{`{"hook_event_name":"PostToolUseFailure"}`, ""},
	} {
		assert.Equal(t, decode(t, test.event).ResultText(), test.want, test.event)
	}
}

func TestFailureCode(t *testing.T) {
	for _, test := range []struct {
		text string
		code int
		ok   bool
	}{
		{"Exit code 127\nnot found", 127, true}, {"Exit code 1", 1, true}, {"Exit code x", 0, false}, {"exit code 1", 0, false}, {"", 0, false},
	} {
		e := &Event{Name: PostToolUseFailure, Body: ordered.NewObject("error", test.text)}
		code, ok := e.FailureCode()
		assert.Equal(t, ok, test.ok, test.text)
		assert.Equal(t, code, test.code, test.text)
	}
}

func TestTheAgentOfAnEvent(t *testing.T) {
	assert.Equal(t, decode(t, `{"tool_input":{"subagent_type":"qa"},"agent_type":"other"}`).Agent(), "qa")
	assert.Equal(t, decode(t, `{"hook_event_name":"SubagentStop","agent_type":"qa"}`).Agent(), "qa")
	assert.Equal(t, decode(t, `{"tool_input":"text"}`).Agent(), "")
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name          string
		answer        Answer
		today, legacy string
	}{
		{"nothing", Answer{Event: PreToolUse}, "", ""},
		{"a denied call", Answer{Event: PreToolUse, Block: "no"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}` + "\n",
			`{"continue":false,"stopReason":"no"}` + "\n"},
		{"a denied call is all that is said", Answer{Event: PreToolUse, Block: "no", Context: "told"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}` + "\n",
			`{"continue":false,"stopReason":"no"}` + "\n"},
		{"a stop", Answer{Event: Stop, Block: "go on"}, `{"decision":"block","reason":"go on"}` + "\n", `{"decision":"block","reason":"go on"}` + "\n"},
		{"an agent's stop", Answer{Event: SubagentStop, Block: "<go>"}, `{"decision":"block","reason":"<go>"}` + "\n", `{"decision":"block","reason":"<go>"}` + "\n"},
		{"a message", Answer{Event: PostToolUse, Context: "a\nb"},
			`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a\nb"}}` + "\n", "a\nb\n"},
		{"other input", Answer{Event: PreToolUse, Input: ordered.NewObject("model", "opus"), Message: "for you"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"model":"opus"}},"systemMessage":"for you"}` + "\n",
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"model":"opus"}}}` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, string(test.answer.Encode(false)), test.today)
			assert.Equal(t, string(test.answer.Encode(true)), test.legacy)
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"hook_event_name":"PostToolUse","tool_name":"Agent","tool_response":{"content":[{"type":"text","text":"x"}]}}`,
		`{"hook_event_name":"PostToolUseFailure","error":"Exit code 99999999999999999999\n"}`, `{"tool_input":[],"tool_response":{"stdout":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(data)
		if err != nil {
			return
		}
		_, _ = e.FailureCode()
		_ = e.ResultText() + e.Agent() + e.Text("prompt")
	})
}
