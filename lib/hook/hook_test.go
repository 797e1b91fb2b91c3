package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

func TestSomebodyElseWritesMeanwhile(t *testing.T) {
	dir, path := project(t, `{"state_version":1}`)
	out := run(t, dir, "interrupted", event)
	assert.Equal(t, read(t, path), "{\n  \"state_version\": 42,\n  \"foreign\": 1.0,\n  \"rule\": \"done\"\n}",
		"the rule is applied to what the other one wrote")
	log := read(t, filepath.Join(dir, ".isdlc", "hook-activity.log"))
	assert.Equal(t, strings.Count(log, `"event":"allow"`), 1, "effects go out once")
	assert.Equal(t, strings.Count(log, "the second effect failed"), 1)
	assert.Equal(t, strings.Count(log, "panic: the third effect failed"), 1)
	assert.Equal(t, read(t, filepath.Join(dir, "outside")), "asked after the commit: acted ")
	assert.Equal(t, strings.Count(out.stdout, "told once"), 1)
}

func TestSomebodyElseWritesAllTheTime(t *testing.T) {
	dir, path := project(t, `{}`)
	out := run(t, dir, "hopeless", event)
	assert.Assert(t, cmp.Contains(out.stdout, "stop all the same"), "the last evaluation answers")
	assert.Assert(t, !strings.Contains(read(t, path), "rule"), "the file is left alone")
	log := read(t, filepath.Join(dir, ".isdlc", "hook-activity.log"))
	assert.Assert(t, cmp.Contains(log, `"event":"error"`))
	assert.Assert(t, cmp.Contains(log, "changed meanwhile"))
}

func TestAnswers(t *testing.T) {
	dir, _ := project(t, `{}`)
	deny := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because <of> this & that"}}` + "\n"
	for _, test := range []struct {
		hook, stdin, env string
		stdout, stderr   string
	}{
		{"block", event, "", deny, "a notice\n"},
		{"block", `{"tool_name":"Task"}`, "", deny, "a notice\n"},
		{"block", event, "ISDLC_BLOCK_FORMAT=legacy", `{"continue":false,"stopReason":"because <of> this & that"}` + "\n", "a notice\n"},
		{"block", `{"tool_name":"TaskCreate"}`, "", "", ""},
		{"block", `{"tool_name":"task"}`, "", "", ""},
		{"block", "", "", "", ""},
		{"block", " \n", "", "", ""},
		{"block", "{", "", "", ""},
		{"block", "[]", "", "", ""},
		{"block", "\xef\xbb\xbf" + event, "", "", ""},
		{"tell", `{"hook_event_name":"PostToolUseFailure","tool_name":"Agent"}`, "",
			`{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"first\n\nsecond"}}` + "\n", ""},
		{"tell", event, "", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"first\n\nsecond"}}` + "\n", ""},
		{"legacy", event, "", `{"systemMessage":"today"}` + "\n", ""},
		{"legacy", event, "ISDLC_BLOCK_FORMAT=legacy", `{"continue":true,"a":1}` + "\n", ""},
		{"tell", event, "ISDLC_BLOCK_FORMAT=legacy", "first\n\nsecond\n", ""},
	} {
		out := run(t, dir, test.hook, test.stdin, test.env)
		assert.Equal(t, out.stdout, test.stdout, "%s %s", test.hook, test.stdin)
		assert.Equal(t, out.stderr, test.stderr, "%s %s", test.hook, test.stdin)
	}
	entries, err := os.ReadDir(filepath.Join(dir, ".isdlc"))
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 1, "nothing was logged or written: %v", entries)
}

func TestTouchWritesWithoutAChange(t *testing.T) {
	dir, path := project(t, `{"a":1.50,"state_version":2.5}`)
	run(t, dir, "touch", event)
	assert.Equal(t, read(t, path), "{\n  \"a\": 1.50,\n  \"state_version\": 3.5\n}")
}

func TestFailuresLetTheCallGo(t *testing.T) {
	for _, test := range []struct{ hooks, reason, stdout string }{
		{"panic", "index out of range", ""},
		{"fail", "it went wrong", ""},
		{"panic,touch,block", "index out of range", "because"},
		{"touch,fail,block", "it went wrong", "because"},
	} {
		dir, path := project(t, `{"a":1}`)
		out := run(t, dir, test.hooks, event)
		assert.Assert(t, cmp.Contains(out.stdout, test.stdout))
		assert.Assert(t, test.stdout != "" || out.stdout == "", out.stdout)
		state := read(t, path)
		assert.Assert(t, !strings.Contains(state, "half"), "%s: a failed hook has changed nothing: %s", test.hooks, state)
		assert.Equal(t, strings.Contains(state, `"state_version": 1`), strings.Contains(test.hooks, "touch"))
		log := read(t, filepath.Join(dir, ".isdlc", "hook-activity.log"))
		assert.Equal(t, strings.Count(log, "\n"), 1, log)
		assert.Assert(t, cmp.Contains(log, `"event":"error","phase":null,"agent":null,"reason":"`))
		assert.Assert(t, cmp.Contains(log, test.reason))
	}
}

func TestAStateThatIsALink(t *testing.T) {
	dir, path := project(t, "")
	real := filepath.Join(dir, "elsewhere.json")
	assert.NilError(t, os.WriteFile(real, []byte("{}"), 0o600))
	assert.NilError(t, os.Symlink(real, path))
	run(t, dir, "touch", event)
	info, err := os.Lstat(path)
	assert.NilError(t, err)
	assert.Assert(t, info.Mode()&os.ModeSymlink != 0, "the link stays")
	assert.Equal(t, read(t, real), "{\n  \"state_version\": 1\n}")
	info, err = os.Stat(real)
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), os.FileMode(0o600), "the mode stays")
}

func TestTheDispatcherTellsItsTime(t *testing.T) {
	dir, _ := project(t, `{}`)
	out := run(t, dir, "touch,block", event)
	lines := strings.Split(strings.TrimSpace(out.stderr), "\n")
	assert.Equal(t, len(lines), 2)
	assert.Assert(t, cmp.Regexp(`^DISPATCHER_TIMING: several completed in \d+\.\dms \(2 hooks\)$`, lines[1]))
}
