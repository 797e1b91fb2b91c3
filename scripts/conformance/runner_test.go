package conformance

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// The cases below are for the runner itself: a program that plays a script meets
// an expectation that it fulfils, or fails in one way, and the runner has to find
// out.

const (
	deny    = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Gate is closed"}}` + "\n"
	stop    = `{"continue":false,"stopReason":"Gate is closed"}` + "\n"
	context = `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"Gate is closed"}}` + "\n"
	state   = "{\n  \"b\": 1.0,\n  \"a\": {\n    \"y\": 1,\n    \"x\": 2\n  },\n  \"list\": [],\n  \"state_version\": 7\n}"
	logLine = `{"ts":"2026-02-20T08:22:22.123Z","hook":"h","event":"warn","phase":null,"agent":null,"reason":"why"}` + "\n"
)

// rehearse runs one case on the stand-in. The keys of the case are those of a
// vector; what is left out is a silent run that changes nothing.
func rehearse(t *testing.T, s script, more string, f form) []string {
	t.Helper()
	self, err := os.Executable()
	assert.NilError(t, err)
	plan, err := json.Marshal(s)
	assert.NilError(t, err)
	doc, err := parse([]byte(`{"id": "x/y", "why": "w", "configs": "none",
		"stdin": {"hook_event_name": "PreToolUse"},
		"files": {".isdlc/state.json": ` + quote(state) + `, "keep.txt": "kept\n"},
		"expect": {"exit": 0, "stdout": {"kind": "none"}, "stderr": {"empty": true}, "files": {}}}`))
	assert.NilError(t, err)
	doc.set("program", str(self))
	env, err := parse([]byte(`{}`))
	assert.NilError(t, err)
	env.set(standInScript, str(string(plan)))
	doc.set("env", env)
	patch := []operation{}
	assert.NilError(t, json.Unmarshal([]byte(more), &patch))
	doc, err = applyPatch(doc, patch)
	assert.NilError(t, err)
	problems, err := runCase(t, nil, json.RawMessage(doc.compact()), f)
	assert.NilError(t, err)
	return problems
}

func TestRunnerSeesWhatGoesWrong(t *testing.T) {
	const (
		block    = `[{"op": "replace", "path": "/expect/stdout", "value": {"kind": "block", "tokens": ["GATE"]}}]`
		stopping = `[{"op": "replace", "path": "/expect/stdout", "value": {"kind": "block"}}, {"op": "replace", "path": "/stdin/hook_event_name", "value": "Stop"}]`
		message  = `[{"op": "replace", "path": "/expect/stdout", "value": {"kind": "text", "tokens": ["gate"]}}, {"op": "replace", "path": "/stdin/hook_event_name", "value": "PostToolUse"}]`
		document = `[{"op": "replace", "path": "/expect/stdout", "value": {"kind": "json", "json": {"n": 1.0, "t": "<ts>", "w": "<text>", "a": "<any>"}}}]`
		warning  = `[{"op": "replace", "path": "/expect/stderr", "value": {"empty": false, "tokens": ["Careful"]}}]`
		bump     = `[{"op": "add", "path": "/expect/files/.isdlc~1state.json", "value": {"patch": [{"op": "replace", "path": "/state_version", "value": 8}]}}]`
		grow     = `[{"op": "add", "path": "/expect/files/.isdlc~1state.json", "value": {"patch": [{"op": "add", "path": "/new", "value": "<"}, {"op": "replace", "path": "/state_version", "value": 8}]}}]`
		whole    = `[{"op": "add", "path": "/expect/files/.isdlc~1state.json", "value": {"json": {"state_version": 8, "list": [], "a": {"x": 2, "y": 1}, "b": 1}}}]`
		logged   = `[{"op": "add", "path": "/expect/files/.isdlc~1hook-activity.log", "value": {"jsonl": [{"ts": "<ts>", "hook": "h", "event": "warn", "phase": null, "agent": null, "reason": "<text>"}]}}]`
		deleted  = `[{"op": "add", "path": "/expect/files/keep.txt", "value": {"deleted": true}}]`
		rewrite  = `[{"op": "add", "path": "/expect/files/keep.txt", "value": {"text": "new\n"}}]`
		swap     = `[{"op": "add", "path": "/expect/files/.isdlc~1state.json", "value": {"patch": [{"op": "remove", "path": "/a/y"}, {"op": "add", "path": "/a/z", "value": 3}, {"op": "replace", "path": "/state_version", "value": 8}]}}]`
		ignored  = `[{"op": "add", "path": "/ignore", "value": ["*.txt"]}]`
		nothing  = `[]`
	)
	edit := func(old, new string) script {
		edited := strings.Replace(state, old, new, 1)
		assert.Assert(t, edited != state)
		return script{Files: map[string]string{".isdlc/state.json": strings.Replace(edited, `"state_version": 7`, `"state_version": 8`, 1)}}
	}
	said := func(stdout string) script { return script{Stdout: stdout} }
	file := func(name, content string) script { return script{Files: map[string]string{name: content}} }

	for _, tt := range []struct {
		name   string
		script script
		expect string
		form   form
		want   string // part of the problem; "" for none
	}{
		{"silence", script{}, nothing, recorded, ""},
		{"exit code", script{Exit: 2}, nothing, recorded, "exit: want 0, got 2"},
		{"unwanted stdout", said("hello"), nothing, recorded, "want nothing"},
		{"unwanted stderr", script{Stderr: "hello"}, nothing, recorded, "stderr: want nothing"},
		{"timing is no stderr", script{Stderr: "DISPATCHER_TIMING: 3 ms\n"}, nothing, recorded, ""},

		{"block", said(deny), block, recorded, ""},
		{"block, in other words", said(strings.Replace(deny, "Gate", "Door", 1)), block, recorded, `tokens ["GATE"]`},
		{"block, token only in a key", said(strings.Replace(deny, "Gate is", "It is", 1)), block, recorded, "are missing"},
		{"block with a system message", said(strings.Replace(deny, `{"hook`, `{"systemMessage":"m","hook`, 1)), block, recorded, ""},
		{"block with another key", said(strings.Replace(deny, `{"hook`, `{"other":"m","hook`, 1)), block, recorded, "other"},
		{"block on two lines", said(strings.Replace(deny, `,`, ",\n", 1)), block, recorded, "one line"},
		{"block and more", said(deny + deny), block, recorded, "one line"},
		{"block without a reason", said(strings.Replace(deny, "Gate is closed", " ", 1)), block, recorded, "<text>"},
		{"silent instead of a block", script{}, block, recorded, "want a block"},
		{"legacy block where none was asked for", said(stop), block, recorded, "stopReason"},
		{"legacy block", said(stop), block, legacy, ""},
		{"legacy block with another key", said(strings.Replace(stop, `{`, `{"systemMessage":"m",`, 1)), block, legacy, "systemMessage"},
		{"new block where the old was asked for", said(deny), block, legacy, "permissionDecision"},
		{"stop", said(`{"decision":"block","reason":"r"}`), stopping, recorded, ""},
		{"stop in legacy form", said(`{"decision":"block","reason":"r"}`), stopping, legacy, ""},
		{"stop with the answer of a tool", said(deny), stopping, recorded, "decision"},

		{"message", said(context), message, recorded, ""},
		{"message for another event", said(strings.Replace(context, "Post", "Pre", 1)), message, recorded, "hookEventName"},
		{"message as plain text", said("Gate is closed\n"), message, recorded, "want JSON"},
		{"legacy message", said("Gate is closed\n"), message, legacy, ""},
		{"legacy message as JSON", said(context), message, legacy, "not JSON"},

		{"document", said(`{"a":[],"w":"x","t":"2026-02-20T08:22:22Z","n":1}`), document, recorded, ""},
		{"document, other number", said(`{"a":[],"w":"x","t":"2026-02-20T08:22:22Z","n":2}`), document, recorded, `"n": 2`},
		{"document, no time", said(`{"a":[],"w":"x","t":"today","n":1}`), document, recorded, "today"},
		{"document, blank text", said(`{"a":[],"w":"  ","t":"2026-02-20","n":1}`), document, recorded, "<text>"},
		{"document, missing key", said(`{"w":"x","t":"2026-02-20","n":1}`), document, recorded, "<any>"},
		{"document, additional key", said(`{"a":1,"w":"x","t":"2026-02-20","n":1,"z":1}`), document, recorded, `"z"`},
		{"document and more", said(`{"a":1,"w":"x","t":"2026-02-20","n":1} {}`), document, recorded, "one JSON document"},

		{"warning", script{Stderr: "be careful\n"}, warning, recorded, ""},
		{"warning in other words", script{Stderr: "mind\n"}, warning, recorded, `["Careful"]`},
		{"no warning", script{}, warning, recorded, "got nothing"},
		{"timing is no warning", script{Stderr: "DISPATCHER_TIMING: careful\n"}, warning, recorded, "got nothing"},

		{"new file", file("extra.txt", "x"), nothing, recorded, "extra.txt: must not change"},
		{"lock file", file("extra.lock", "x"), nothing, recorded, ""},
		{"changed file", file("keep.txt", "x"), nothing, recorded, "keep.txt: must not change"},
		{"changed file that is ignored", file("keep.txt", "x"), ignored, recorded, ""},
		{"mode", script{Chmod: map[string]os.FileMode{"keep.txt": 0o600}}, ignored, recorded, "the mode was"},
		{"removed file", script{Remove: []string{"keep.txt"}}, nothing, recorded, "keep.txt: must not change"},
		{"file in the home", script{Home: map[string]string{"x": ""}}, nothing, recorded, "in the home"},
		{"deletion", script{Remove: []string{"keep.txt"}}, deleted, recorded, ""},
		{"change instead of deletion", file("keep.txt", "x"), deleted, recorded, "want it deleted"},
		{"deletion instead of change", script{Remove: []string{"keep.txt"}}, rewrite, recorded, "want it deleted: false"},
		{"no deletion", script{}, deleted, recorded, "has to change"},
		{"text", file("keep.txt", "new\n"), rewrite, recorded, ""},
		{"other text", file("keep.txt", "new"), rewrite, recorded, "differs"},

		{"state", edit("7", "8"), bump, recorded, ""},
		{"state unchanged", script{}, bump, recorded, "has to change"},
		{"state, wrong value", edit("7", "9"), bump, recorded, `-  "state_version": 8`},
		{"state, order changed", edit("\"y\": 1,\n    \"x\": 2", "\"x\": 2,\n    \"y\": 1"), bump, recorded, "order of keys"},
		{"state, whole, order changed", edit("\"y\": 1,\n    \"x\": 2", "\"x\": 2,\n    \"y\": 1"), whole, recorded, "order of keys"},
		{"state, whole", edit("7", "8"), whole, recorded, ""},
		{"state, literal changed", edit("1.0", "1"), bump, recorded, "the number 1.0"},
		{"state, value changed", edit("1.0", "1.5"), bump, recorded, `"b": 1`},
		{"state, final line end", edit("7\n}", "7\n}\n"), bump, recorded, "laid out"},
		{"state, loose container", edit("[]", "[ ]"), bump, recorded, "laid out"},
		{"state, new key in front", edit(`"b"`, "\"new\": \"<\",\n  \"b\""), grow, recorded, "order of keys"},
		{"state, new key at the end", edit("7\n}", "7,\n  \"new\": \"<\"\n}"), grow, recorded, ""},
		{"state, new key in an object that lost one", edit(`"y": 1`, `"z": 3`), swap, recorded, ""},
		{"state, escape", edit("7\n}", "7,\n  \"new\": \"\\u003c\"\n}"), grow, recorded, `the escape \u003c`},
		{"state, cut off", edit("7\n}", "7"), bump, recorded, "is no JSON"},

		{"log", file(".isdlc/hook-activity.log", logLine), logged, recorded, ""},
		{"log, one line too many", file(".isdlc/hook-activity.log", logLine+logLine), logged, recorded, "differs"},
		{"log, no line end", file(".isdlc/hook-activity.log", strings.TrimSpace(logLine)), logged, recorded, "has no end"},
		{"log, loosely written", file(".isdlc/hook-activity.log", strings.Replace(logLine, `:null`, `: null`, 1)), logged, recorded, "compactly"},
		{"log, other order", file(".isdlc/hook-activity.log", strings.Replace(logLine, `"phase":null,"agent":null`, `"agent":null,"phase":null`, 1)), logged, recorded, "want the keys"},
		{"log, local time", file(".isdlc/hook-activity.log", strings.Replace(logLine, "123Z", "123+01:00", 1)), logged, recorded, "in UTC"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			problems := strings.Join(rehearse(t, tt.script, tt.expect, tt.form), "\n")
			if tt.want == "" {
				assert.Equal(t, problems, "")
				return
			}
			assert.Assert(t, strings.Contains(problems, tt.want), "want %q in the problems:\n%s", tt.want, problems)
		})
	}
}

// What arrives at a program is told by one that prints it.
func TestEventsInTodaysForm(t *testing.T) {
	for _, tt := range []struct{ name, stdin, want string }{
		{"sub-agent", `{"tool_name": "Task", "tool_input": {"n": 1.0}, "tool_result": "R \"1\""}`,
			`{"tool_name":"Agent","tool_input":{"n":1.0},"tool_response":{"status":"completed","agentId":"a1","content":[{"type":"text","text":"R \"1\""}],"totalTokens":9},`},
		{"Bash", `{"tool_name": "Bash", "tool_result": "ok"}`,
			`{"tool_name":"Bash","tool_response":{"stdout":"ok","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false},`},
		{"Bash with an object", `{"tool_name": "Bash", "tool_result": {"exit_code": 1}}`,
			`{"tool_name":"Bash","tool_response":{"exit_code":1},`},
		{"another tool", `{"tool_name": "TaskCreate", "tool_result": "ok"}`,
			`{"tool_name":"TaskCreate","tool_response":"ok",`},
		{"text is sent as it is", `" {\"tool_name\": \"Task\"}"`, ` {"tool_name": "Task"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect := `[{"op": "replace", "path": "/stdin", "value": ` + tt.stdin + `}]`
			problems := strings.Join(rehearse(t, script{Echo: true}, expect, today), "\n")
			assert.Assert(t, strings.Contains(problems, strings.Trim(quote(tt.want), `"`)) || strings.Contains(problems, strings.ReplaceAll(strings.ReplaceAll(tt.want, `\`, `\\`), `"`, `\"`)), problems)
			if !strings.HasPrefix(tt.stdin, `"`) {
				for _, field := range []string{"session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_use_id"} {
					assert.Assert(t, strings.Contains(problems, field), problems)
				}
			}
		})
	}
}

// The examples of RFC 6902, appendix A.
func TestPatch(t *testing.T) {
	for _, tt := range []struct{ doc, patch, want string }{
		{`{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`, `{"foo":"bar","baz":"qux"}`},
		{`{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`, `{"foo":["bar","qux","baz"]}`},
		{`{"baz":"qux","foo":"bar"}`, `[{"op":"remove","path":"/baz"}]`, `{"foo":"bar"}`},
		{`{"foo":["bar","qux","baz"]}`, `[{"op":"remove","path":"/foo/1"}]`, `{"foo":["bar","baz"]}`},
		{`{"baz":"qux","foo":"bar"}`, `[{"op":"replace","path":"/baz","value":"boo"}]`, `{"baz":"boo","foo":"bar"}`},
		{`{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`, `[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{`{"foo":["all","grass","cows","eat"]}`, `[{"op":"move","from":"/foo/1","path":"/foo/3"}]`, `{"foo":["all","cows","eat","grass"]}`},
		{`{"baz":"qux","foo":["a",2,"c"]}`, `[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]`, `{"baz":"qux","foo":["a",2,"c"]}`},
		{`{"baz":"qux"}`, `[{"op":"test","path":"/baz","value":"bar"}]`, ``},
		{`{"foo":"bar"}`, `[{"op":"add","path":"/child","value":{"grandchild":{}}}]`, `{"foo":"bar","child":{"grandchild":{}}}`},
		{`{"foo":"bar"}`, `[{"op":"add","path":"/baz/bat","value":"qux"}]`, ``},
		{`{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":10}]`, `{"/":9,"~1":10}`},
		{`{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":"10"}]`, ``},
		{`{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`, `{"foo":["bar",["abc","def"]]}`},
		{`{"a":{"b":1}}`, `[{"op":"copy","from":"/a","path":"/c"},{"op":"replace","path":"/c/b","value":2}]`, `{"a":{"b":1},"c":{"b":2}}`},
		{`{"a":1}`, `[{"op":"replace","path":"","value":null}]`, `null`},
		{`{"a":1}`, `[{"op":"replace","path":"/b","value":1}]`, ``},
		{`{"a":[1]}`, `[{"op":"add","path":"/a/2","value":1}]`, ``},
		{`{"a":[1]}`, `[{"op":"remove","path":"/a/00"}]`, ``},
		{`{"a":{}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, ``},
	} {
		doc, err := parse([]byte(tt.doc))
		assert.NilError(t, err)
		var patch []operation
		assert.NilError(t, json.Unmarshal([]byte(tt.patch), &patch))
		got, err := applyPatch(doc, patch)
		if tt.want == "" {
			assert.Assert(t, err != nil, tt.patch)
			continue
		}
		assert.NilError(t, err)
		assert.Equal(t, got.compact(), tt.want)
		assert.Equal(t, doc.compact(), tt.doc, "the document itself must stay")
	}
}
