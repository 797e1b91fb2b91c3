package settings

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestRead(t *testing.T) {
	f, err := Read([]byte("\ufeff" + `{
  "disableAllHooks": true,
  "env": {"A": "b"},
  "enabledPlugins": {"one@here": true, "two@here": false},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [
        {"type": "command", "command": "x \"y\"", "timeout": 0.5},
        {"type": "command", "command": "z", "args": ["1", "2"], "async": true}
      ]}
    ],
    "Stop": [{"hooks": [{"type": "prompt", "prompt": "p", "timeout": 10000}]}]
  }
}`))
	assert.NilError(t, err)
	assert.DeepEqual(t, f, File{
		Hooks: []Hook{
			{Event: "PreToolUse", Matcher: "Bash", Type: "command", Command: `x "y"`, Timeout: 0.5, Line: 8},
			{Event: "PreToolUse", Matcher: "Bash", Type: "command", Command: "z", Args: []string{"1", "2"}, Exec: true, Async: true, Line: 9},
			{Event: "Stop", Type: "prompt", Timeout: 10000, Line: 12},
		},
		Disabled: true,
		Env:      map[string]string{"A": "b"},
		Plugins:  []string{"one@here"},
	})
	assert.Check(t, !f.Hooks[0].Milliseconds() && f.Hooks[2].Milliseconds())

	f, err = Read([]byte(" \n"))
	assert.NilError(t, err)
	assert.DeepEqual(t, f, File{})
	_, err = Read([]byte(`{"hooks": []}`))
	assert.ErrorIs(t, err, ErrBroken)
}

func TestCJS(t *testing.T) {
	for _, c := range []struct {
		hook Hook
		want string
	}{
		{Hook{Command: `node "$CLAUDE_PROJECT_DIR"/.claude/hooks/gate-blocker.cjs`}, "gate-blocker"},
		{Hook{Command: "node", Args: []string{"${CLAUDE_PROJECT_DIR}/.claude/hooks/dispatchers/pre-task-dispatcher.cjs"}, Exec: true}, "pre-task-dispatcher"},
		{Hook{Command: "cd x && node .claude/hooks/menu-tracker.cjs || true"}, "menu-tracker"},
		{Hook{Command: `"$CLAUDE_PROJECT_DIR"/.claude/hooks/gate-blocker`}, ""},
	} {
		assert.Check(t, is.Equal(c.hook.CJS(), c.want), "%v", c.hook)
	}
}

// What was seen with the client: spec claude-code.md, e.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		event, matcher, subject string
		want                    bool
	}{
		{"PreToolUse", "Task", "Agent", true},
		{"PreToolUse", "^Task$", "Agent", true},
		{"PreToolUse", "T(as)k", "Agent", true},
		{"PreToolUse", "Agent", "Task", false},
		{"PreToolUse", "Task |Bash", "Bash", true},
		{"PreToolUse", "Bash|", "Bash", true},
		{"PreToolUse", "Ba", "Bash", false},
		{"PreToolUse", "Bash Read", "Bash", false},
		{"PreToolUse", "[", "Bash", false},
		{"Stop", "Bash", "", true},
		{"UserPromptSubmit", "x", "", true},
		{"SubagentStop", "worker", "worker", true},
		{"SubagentStop", "worker", "other", false},
		{"SessionStart", "startup", "resume", false},
	} {
		assert.Check(t, is.Equal(Runs(c.event, c.matcher, c.subject), c.want), "%+v", c)
	}
}

func TestNever(t *testing.T) {
	for matcher, want := range map[string]string{
		"":                "",
		"*":               "",
		".*":              "",
		"Task|Agent":      "",
		"Bash|Frobnicate": "",
		"mcp__github":     "",
		"mcp__.*":         "",
		"^(?!Bash)":       "",
		"Ag.nt":           "",
		"bash":            "no tool is called bash; it is Bash",
		"Bas|Wri":         "no tool is called Bas or Wri, and a name must be the whole name",
		"Bash(touch:*)":   `what the call is about goes into the key "if"`,
		"/Bash/":          "found in the name of no tool",
		"!Bash":           "found in the name of no tool",
		"Bash Read":       "found in the name of no tool",
		"Bash;Read":       "found in the name of no tool",
		"[":               "it is no regular expression",
	} {
		got := Never("PreToolUse", matcher)
		if want == "" {
			assert.Check(t, is.Equal(got, ""), "%q", matcher)
			continue
		}
		assert.Check(t, is.Contains(got, want), "%q", matcher)
	}
	assert.Check(t, is.Equal(Never("Stop", "["), ""), "the client does not look at it")
	assert.Check(t, is.Equal(Never("SubagentStop", "worker"), ""))
	assert.Check(t, Never("SubagentStop", "[") != "")
}
