package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-json"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// guarded is a project with a hook that stops commits and one that counts.
func guarded(t *testing.T) (dir, events string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		file := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		assert.NilError(t, os.WriteFile(file, []byte(text), mode))
	}
	program(t, filepath.Join(dir, ".claude/hooks"), "state-file-guard")
	write(".claude/hooks/branch-guard", "#!/bin/sh\ngrep -q commit && printf '%s' '{\"decision\":\"block\",\"reason\":\"not on\\nmain\"}'\nexit 0\n", 0o755)
	write(".claude/hooks/post-bash-dispatcher", `#!/bin/sh
cat >/dev/null
echo '{"runs":2,"a":1,"b":1,"c":1}' >"$CLAUDE_PROJECT_DIR"/.isdlc/state.json
echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"two runs"}}'
`, 0o755)
	write(".claude/settings.json", `{"hooks":{
		"PreToolUse":[{"matcher":"Bash","hooks":[
			{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard"},
			{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/state-file-guard"}]}],
		"PostToolUse":[{"hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/post-bash-dispatcher"}]}]}}`, 0o644)
	write(".isdlc/state.json", `{"runs":1}`, 0o644)
	write("node_modules/x", "", 0o644)
	events = filepath.Join(t.TempDir(), "session.jsonl")
	assert.NilError(t, os.WriteFile(events, []byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"1","tool_input":{"command":"git commit"}}
{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"2","tool_input":{"command":"npm test"}}
{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"2","tool_input":{"command":"npm test"}}
`), 0o644))
	return dir, events
}

func TestReplay(t *testing.T) {
	dir, events := guarded(t)
	out, notes, code := outputs("replay", events, "--project", dir)
	assert.Equal(t, code, 0, out+notes)
	assert.Equal(t, notes, "left out of the copy: node_modules\n")
	table, summary, _ := strings.Cut(out, "\n\n")
	assert.Equal(t, table, `LINE  EVENT        TOOL  PROGRAM               ANSWER  WHAT
1     PreToolUse   Bash  branch-guard          deny    not on main
1     PreToolUse   Bash  state-file-guard      allow   -
2     PreToolUse   Bash  branch-guard          allow   -
2     PreToolUse   Bash  state-file-guard      allow   -
3     PostToolUse  Bash  post-bash-dispatcher  allow   to the model: two runs; state runs: 1 -> 2; state a = 1; state b = 1; and 1 more`)
	assert.Check(t, strings.HasPrefix(summary, "3 events, 5 runs of hooks in "), summary)
	assert.Check(t, strings.HasSuffix(summary, " ms: 1 denied, 0 blocked, 1 message for the model, 1 write of the state, 0 failed, 0 not run.\n"), summary)
	state, err := os.ReadFile(filepath.Join(dir, ".isdlc/state.json"))
	assert.NilError(t, err)
	assert.Equal(t, string(state), `{"runs":1}`)

	out, _, code = outputs("replay", events, "--project", dir, "-q")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Equal(strings.Count(strings.Split(out, "\n\n")[0], "\n"), 2), out)

	out, _, code = outputs("replay", events, "--project", dir, "--json")
	assert.Equal(t, code, 0)
	var r struct {
		Events []struct {
			Line    int
			Verdict string
			Answers []struct {
				Program, Reason string
				State           []struct{ Field, Before, After string }
			}
		}
		Summary struct{ Runs, Denied int }
	}
	assert.NilError(t, json.Unmarshal([]byte(out), &r))
	assert.Check(t, is.Equal(r.Summary.Runs, 5))
	assert.Check(t, is.Equal(r.Events[0].Verdict, "deny"))
	assert.Check(t, is.Equal(r.Events[0].Answers[0].Reason, "not on\nmain"))
	assert.Check(t, is.Len(r.Events[2].Answers[0].State, 4))
}

func TestReplayFails(t *testing.T) {
	dir, events := guarded(t)
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	assert.NilError(t, os.WriteFile(broken, []byte("{\n{\"hook_event_name\":\"Stop\"}\n"), 0o644))
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no file", nil, 2, "accepts 1 arg"},
		{"two files", []string{events, events}, 2, "accepts 1 arg"},
		{"size", []string{events, "--max-size", "0"}, 2, "positive"},
		{"no project", []string{events, "--project", "none"}, 2, "does not exist"},
		{"no such file", []string{"none", "--project", dir}, 1, "reading the events: open none"},
		{"no hooks", []string{events, "--project", t.TempDir()}, 1, "no hooks are registered"},
		{"a broken line", []string{broken, "--project", dir}, 1, "1 line was no events"},
		{"a program that fails", []string{events, "--project", dir}, 1, "failed: exit code 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "a program that fails" {
				assert.NilError(t, os.WriteFile(filepath.Join(dir, ".claude/hooks/branch-guard"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
			}
			out, notes, code := outputs(append([]string{"replay"}, c.args...)...)
			assert.Check(t, is.Equal(code, c.code))
			assert.Check(t, is.Contains(out+notes, c.says))
		})
	}
}

func TestReplayFromStandardInput(t *testing.T) {
	dir, _ := guarded(t)
	out, err := run(strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git commit"}}`), "replay", "-", "--project", dir)
	assert.NilError(t, err)
	assert.Check(t, is.Contains(out, "branch-guard      deny    not on main"))
}

func TestProgress(t *testing.T) {
	var notes bytes.Buffer
	assert.Check(t, progress(&notes) == nil, "no terminal")
	show := showProgress(&notes)
	for i := range 101 {
		show(i, 100)
	}
	assert.Check(t, strings.HasPrefix(notes.String(), "\rreplaying event 1 of 100\rreplaying event 11 of 100"))
	assert.Check(t, strings.HasSuffix(notes.String(), "\r\x1b[K"))
	notes.Reset()
	show(0, 3)
	show(3, 3)
	assert.Check(t, is.Equal(notes.String(), ""))
}
