package settings

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func command(name string) string { return `"$CLAUDE_PROJECT_DIR"/.claude/hooks/` + name }

// wish registers one command each for a tool event and for a stop, and
// exchanges two .cjs hooks, one of them for any matcher.
var (
	task = Entry{Event: "PreToolUse", Matcher: "Task|Agent", Command: command("dispatchers/pre-task-dispatcher"), Timeout: 15}
	bash = Entry{Event: "PreToolUse", Matcher: "Bash", Command: command("branch-guard"), Timeout: 10}
	stop = Entry{Event: "Stop", Command: command("delegation-gate"), Timeout: 10}
)

func exchange(event, name string) []Entry {
	switch {
	case name == "pre-task-dispatcher" && event == "PreToolUse":
		return []Entry{task}
	case name == "plan-surfacer" && event == "PreToolUse":
		return []Entry{task, {Command: command("plan-surfacer"), Timeout: 10}}
	case name == "branch-guard" && event == "PreToolUse":
		return []Entry{bash}
	}
	return nil
}

func known(name string) bool { return name != "own" }

func TestEditLayouts(t *testing.T) {
	wish := Wish{Entries: []Entry{bash, stop}, Exchange: exchange, Known: known}
	for _, c := range []struct{ name, in, want string }{
		{
			"nothing but an object", "{}\n",
			`{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard",
            "timeout": 10
          }
        ]
      }
    ],
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/delegation-gate",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`,
		},
		{
			"four blanks, odd numbers, no final newline",
			"{\n    \"x\": 1.0,   \"y\":12345678901234567890,\n    \"hooks\": {}}",
			"{\n    \"x\": 1.0,   \"y\":12345678901234567890,\n    \"hooks\": {\n" +
				"        \"PreToolUse\": [\n            {\n                \"matcher\": \"Bash\",\n                \"hooks\": [\n                    {\n" +
				"                        \"type\": \"command\",\n                        \"command\": \"\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/branch-guard\",\n" +
				"                        \"timeout\": 10\n                    }\n                ]\n            }\n        ],\n" +
				"        \"Stop\": [\n            {\n                \"hooks\": [\n                    {\n" +
				"                        \"type\": \"command\",\n                        \"command\": \"\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/delegation-gate\",\n" +
				"                        \"timeout\": 10\n                    }\n                ]\n            }\n        ]\n    }}",
		},
		{
			"minified", `{"a":[1,2],"hooks":{"Stop":[]}}`,
			`{"a":[1,2],"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/delegation-gate","timeout":10}]}],` +
				`"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard","timeout":10}]}]}}`,
		},
		{
			"one line with blanks", `{ "a": 1 }`,
			`{ "a": 1, "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard", "timeout": 10}]}], ` +
				`"Stop": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/delegation-gate", "timeout": 10}]}]} }`,
		},
		{
			"tabs, CRLF and a byte order mark",
			"\ufeff{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{ \"hooks\": [ { \"type\": \"command\", \"command\": \"true\" } ] }\r\n\t\t]\r\n\t}\r\n}\r\n",
			"\ufeff{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{ \"hooks\": [ { \"type\": \"command\", \"command\": \"true\" } ] },\r\n" +
				"\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/delegation-gate\",\r\n\t\t\t\t\t\t\"timeout\": 10\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t],\r\n" +
				"\t\t\"PreToolUse\": [\r\n\t\t\t{\r\n\t\t\t\t\"matcher\": \"Bash\",\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/branch-guard\",\r\n\t\t\t\t\t\t\"timeout\": 10\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, changes, _, err := Edit([]byte(c.in), wish)
			assert.NilError(t, err)
			assert.Equal(t, string(got), c.want)
			assert.Check(t, is.Len(changes, 2))
			again, more, _, err := Edit(got, wish)
			assert.NilError(t, err)
			assert.Check(t, is.Len(more, 0))
			assert.Equal(t, string(again), string(got))
			back, err := Revert(got, changes)
			assert.NilError(t, err)
			assert.Equal(t, string(back), c.in)
		})
	}
}

func TestEditBlank(t *testing.T) {
	for _, in := range []string{"", " \n", "\ufeff"} {
		got, changes, _, err := Edit([]byte(in), Wish{Entries: []Entry{stop}})
		assert.NilError(t, err)
		assert.Check(t, is.Len(changes, 1))
		assert.NilError(t, Check(got))
		back, err := Revert(got, changes)
		assert.NilError(t, err)
		assert.Check(t, Empty(back), "%q", back)
	}
}

func TestEditExchange(t *testing.T) {
	for _, c := range []struct{ name, in, want, remark string }{
		{
			name: "matcher, milliseconds, other keys",
			in:   `{"hooks":{"PreToolUse":[{"matcher":"Task","x":1.0,"hooks":[{"timeout":10000,"type":"command","command":"node $CLAUDE_PROJECT_DIR/.claude/hooks/plan-surfacer.cjs","statusMessage":"s"}]}]}}`,
			want: `{"hooks":{"PreToolUse":[{"matcher":"Task|Agent","x":1.0,"hooks":[{"timeout":15,"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/dispatchers/pre-task-dispatcher","statusMessage":"s"}]}]}}`,
		},
		{
			name: "quoted path, no timeout",
			in:   `{"hooks":{"PreToolUse":[{"matcher":"Task|Agent","hooks":[{"type":"command","command":"node \"$CLAUDE_PROJECT_DIR/.claude/hooks/dispatchers/pre-task-dispatcher.cjs\""}]}]}}`,
			want: `{"hooks":{"PreToolUse":[{"matcher":"Task|Agent","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/dispatchers/pre-task-dispatcher","timeout":15}]}]}}`,
		},
		{
			name: "quoted variable, a timeout in seconds is the user's",
			in:   `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"/usr/bin/node --no-warnings \"${CLAUDE_PROJECT_DIR}\"/.claude/hooks/branch-guard.cjs","timeout":3}]}]}}`,
			want: `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard","timeout":3}]}]}}`,
		},
		{
			name: "a matcher for which only the single hook is right",
			in:   `{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs","timeout":5000}]}]}}`,
			want: `{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/plan-surfacer","timeout":10}]}]}}`,
		},
		{
			name:   "a command that does more",
			in:     `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"node .claude/hooks/branch-guard.cjs && echo done"}]}]}}`,
			remark: "branch-guard.cjs stays registered, beside ours",
		},
		{
			name:   "the exec form",
			in:     `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"node","args":["${CLAUDE_PROJECT_DIR}/.claude/hooks/branch-guard.cjs"]}]}]}}`,
			remark: "branch-guard.cjs stays registered, beside ours",
		},
		{
			name:   "an event at which we have nothing",
			in:     `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"node .claude/hooks/branch-guard.cjs"}]}]}}`,
			remark: "Stop: branch-guard.cjs stays registered: nothing that is installed now",
		},
		{
			name: "the user's own hook",
			in:   `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"node .claude/hooks/own.cjs"}]}]}}`,
		},
		{
			name: "somebody else's script of the same name",
			in:   `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"node tools/branch-guard.cjs"}]}]}}`,
		},
		{
			name: "a prompt that mentions it",
			in:   `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"prompt","prompt":"p","command":"node .claude/hooks/branch-guard.cjs"}]}]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			got, changes, remarks, err := Edit([]byte(c.in), Wish{Exchange: exchange, Known: known})
			assert.NilError(t, err)
			assert.Equal(t, string(got), c.want)
			assert.Check(t, is.Contains(strings.Join(remarks, "\n"), c.remark))
			assert.Check(t, c.remark != "" || len(remarks) == 0, "%q", remarks)
			back, err := Revert(got, changes)
			assert.NilError(t, err)
			assert.Equal(t, string(back), c.in)
		})
	}
}

// Only the tools that are not covered yet are registered.
func TestEditCovered(t *testing.T) {
	entry := Entry{Event: "PreToolUse", Matcher: "Write|Edit|NotebookEdit", Command: command("x"), Timeout: 10}
	for _, c := range []struct{ have, want string }{
		{"Write|Edit|NotebookEdit", ""},
		{"NotebookEdit, Write , Edit", ""},
		{"", ""},
		{"*", ""},
		{".*", ""},
		{"^(Write|Edit|NotebookEdit)$", ""},
		{"Write", "Edit|NotebookEdit"},
		{"Edit", "Write|NotebookEdit"},
		{"^Edit$", "Write|NotebookEdit"},
		{"[", "Write|Edit|NotebookEdit"},
		{"Bash", "Write|Edit|NotebookEdit"},
	} {
		t.Run(c.have, func(t *testing.T) {
			in := `{"hooks":{"PreToolUse":[{"matcher":` + quote(c.have) + `,"hooks":[{"type":"command","command":"$CLAUDE_PROJECT_DIR/.claude/hooks/x"}]}]}}`
			_, changes, _, err := Edit([]byte(in), Wish{Entries: []Entry{entry}})
			assert.NilError(t, err)
			if c.want == "" {
				assert.Check(t, is.Len(changes, 0))
				return
			}
			assert.Check(t, is.Len(changes, 1))
			assert.Check(t, is.Equal(changes[0].Matcher, c.want))
		})
	}
}

// Several .cjs hooks whose work one program does leave one registration.
func TestEditDrops(t *testing.T) {
	const in = `{"hooks":{"PreToolUse":[` +
		`{"matcher":"Task","hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs","timeout":5000},{"type":"command","command":"node .claude/hooks/pre-task-dispatcher.cjs"}]},` +
		`{"matcher":"Agent","x":1.0,"hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs"}]},` +
		`{"matcher":"Bash","hooks":[]}]}}`
	got, changes, _, err := Edit([]byte(in), Wish{Entries: []Entry{task}, Exchange: exchange, Known: known})
	assert.NilError(t, err)
	assert.Equal(t, string(got), `{"hooks":{"PreToolUse":[`+
		`{"matcher":"Task|Agent","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/dispatchers/pre-task-dispatcher","timeout":15}]},`+
		`{"matcher":"Bash","hooks":[]}]}}`)
	assert.Check(t, is.Len(changes, 3))
	back, err := Revert(got, changes)
	assert.NilError(t, err)
	assert.Equal(t, string(back), `{"hooks":{"PreToolUse":[`+
		`{"matcher":"Task","hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs","timeout":5000},{"type":"command","command":"node .claude/hooks/pre-task-dispatcher.cjs"}]},`+
		`{"matcher":"Bash","hooks":[]},`+
		`{"matcher":"Agent","x":1.0,"hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs"}]}]}}`)
}

// What the user did to the file since stays; what is ours goes.
func TestRevertEdited(t *testing.T) {
	const in = `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      {"matcher": "Task", "hooks": [
        {"type": "command", "command": "node .claude/hooks/pre-task-dispatcher.cjs", "timeout": 10000},
        {"type": "command", "command": "node .claude/hooks/plan-surfacer.cjs", "timeout": 5000}
      ]},
      {"matcher": "Read", "hooks": [{"type": "command", "command": "node .claude/hooks/plan-surfacer.cjs"}]}
    ]
  }
}
`
	got, changes, _, err := Edit([]byte(in), Wish{Entries: []Entry{task, bash, stop}, Exchange: exchange, Known: known})
	assert.NilError(t, err)
	assert.Check(t, is.Len(changes, 5))
	for _, c := range []struct{ name, old, new string }{
		{"another value elsewhere", `"opus"`, `"sonnet"`},
		{"a key of its own in front", `"model"`, `"env": {}, "model"`},
		{"a hook of its own in front", `"PreToolUse": [`, `"PreToolUse": [ {"matcher":"Bash","hooks":[]},`},
	} {
		t.Run(c.name, func(t *testing.T) {
			edited := strings.Replace(string(got), c.old, c.new, 1)
			assert.Check(t, edited != string(got))
			back, err := Revert([]byte(edited), changes)
			assert.NilError(t, err)
			assert.Equal(t, string(back), strings.Replace(in, c.old, c.new, 1))
		})
	}
	t.Run("a hook of its own beside ours", func(t *testing.T) {
		edited := strings.Replace(string(got), `"Stop": [`, `"Stop": [ {"hooks":[{"type":"command","command":"true"}]},`, 1)
		back, err := Revert([]byte(edited), changes)
		assert.NilError(t, err)
		assert.Check(t, bytes.Contains(back, []byte(`"command":"true"`)))
		assert.Check(t, !Has(back, stop.Command))
		assert.NilError(t, Check(back))
	})
	t.Run("ours already removed", func(t *testing.T) {
		back, err := Revert([]byte(`{"hooks": {"Stop": []}}`), changes)
		assert.NilError(t, err)
		assert.Equal(t, string(back), `{"hooks": {}}`)
	})
	t.Run("broken since", func(t *testing.T) {
		_, err := Revert([]byte(`{"hooks": `), changes)
		assert.ErrorIs(t, err, ErrBroken)
	})
}
