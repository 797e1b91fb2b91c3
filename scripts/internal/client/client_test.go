package client

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/scripts/internal/settings"
)

func shellOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the hooks of this test are shell commands")
	}
}

func TestRun(t *testing.T) {
	shellOnly(t)
	dir := filepath.Join(t.TempDir(), "a project")
	assert.NilError(t, os.Mkdir(dir, 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "x"), []byte("#!/bin/sh\necho \"$1\"\n"), 0o755))
	for _, c := range []struct {
		name   string
		hook   settings.Hook
		stdout string
		fault  string
	}{
		{"the event is on standard input", settings.Hook{Command: "cat"}, "{}", ""},
		{"variables", settings.Hook{Command: `printf %s,%s,%s "$CLAUDE_PROJECT_DIR" "$EXTRA" "$CLAUDE_PLUGIN_ROOT"`}, dir + ",yes,", ""},
		{"the working directory", settings.Hook{Command: "pwd"}, dir + "\n", ""},
		{"quoted", settings.Hook{Command: `"$CLAUDE_PROJECT_DIR"/x 'a b'`}, "a b\n", ""},
		{"not quoted", settings.Hook{Command: `$CLAUDE_PROJECT_DIR/x`}, "", "exit code 127: "},
		{"exec form", settings.Hook{Command: "${CLAUDE_PROJECT_DIR}/x", Args: []string{"${CLAUDE_PROJECT_DIR} $HOME"}, Exec: true}, dir + " $HOME\n", ""},
		{"exec form without braces", settings.Hook{Command: "$CLAUDE_PROJECT_DIR/x", Exec: true}, "", "no such file"},
		{"exit code", settings.Hook{Command: "echo why >&2; echo more >&2; exit 3"}, "", "exit code 3: why"},
		{"an output held open by somebody else", settings.Hook{Command: "sleep 60 & echo done"}, "done\n", ""},
		{"the timeout of the hook", settings.Hook{Command: "echo begun; sleep 60 & sleep 60", Timeout: 0.2}, "begun\n", "no answer within 200ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Run(context.Background(), Call{Hook: c.hook, Event: []byte("{}"), Project: dir, Dir: dir, Env: map[string]string{"EXTRA": "yes"}})
			assert.Check(t, is.Equal(r.Stdout, c.stdout))
			assert.Check(t, is.Contains(r.Fault(), c.fault))
			assert.Check(t, (r.Fault() == "") == (c.fault == ""), r.Fault())
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, Run(ctx, Call{Hook: settings.Hook{Command: "true"}}).Err, context.Canceled)
	r := Run(context.Background(), Call{Hook: settings.Hook{Command: "head -c 20000000 /dev/zero"}, Dir: dir})
	assert.Check(t, is.Equal(len(r.Stdout), maxOutput))
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		event   string
		timeout float64
		want    time.Duration
	}{
		{"PreToolUse", 0, 600 * time.Second},
		{"PreToolUse", 0.5, 500 * time.Millisecond},
		{"UserPromptSubmit", 0, 30 * time.Second},
		{"SessionEnd", 0, 1500 * time.Millisecond},
		{"SessionEnd", 10, 10 * time.Second},
		{"Stop", 1e300, 1e6 * time.Second},
	} {
		assert.Check(t, is.Equal(Limit(settings.Hook{Event: c.event, Timeout: c.timeout}), c.want), "%+v", c)
	}
}

func TestFind(t *testing.T) {
	shellOnly(t)
	getenv := func(name string) string { return map[string]string{"HOME": "/home/me"}[name] }
	shell := func(command string) settings.Hook { return settings.Hook{Command: command} }
	const hooks = "/a b/.claude/hooks/"
	for _, c := range []struct {
		hook settings.Hook
		want Target
	}{
		{shell(`"$CLAUDE_PROJECT_DIR"/.claude/hooks/x`), Target{Path: hooks + "x", Alone: true}},
		{shell(`"${CLAUDE_PROJECT_DIR}/.claude/hooks/x" 1 'b c'`), Target{Path: hooks + "x", Args: []string{"1", "b c"}, Alone: true}},
		{shell(`$CLAUDE_PROJECT_DIR/.claude/hooks/x`), Target{Path: hooks + "x", Alone: true, Unquoted: "CLAUDE_PROJECT_DIR"}},
		{shell(`${CLAUDE_PROJECT_DIR:-.}/.claude/hooks/x`), Target{Alone: true, Unquoted: "CLAUDE_PROJECT_DIR"}},
		{shell(`/a\ b/x`), Target{Path: "/a b/x", Alone: true}},
		{shell(`~/x`), Target{Path: "/home/me/x", Alone: true}},
		{shell(`.claude/hooks/x`), Target{Path: ".claude/hooks/x", Alone: true, Relative: true}},
		{shell(`x`), Target{Path: "x", Alone: true, Lookup: true}},
		{shell(`node --no-warnings "$CLAUDE_PROJECT_DIR"/x.js 1`), Target{Path: "/a b/x.js", Args: []string{"1"}}},
		{shell(`bash -c 'x'`), Target{Path: "bash", Lookup: true}},
		{shell(`cd "$CLAUDE_PROJECT_DIR" && "$CLAUDE_PROJECT_DIR"/.claude/hooks/x || true`), Target{Path: hooks + "x"}},
		{shell(`x >/dev/null`), Target{Path: "x", Lookup: true}},
		{shell(`"$SOMEWHERE"/x`), Target{Alone: true}},
		{shell(`"$CLAUDE_PLUGIN_ROOT"/x`), Target{Path: "/x", Alone: true, Unset: "CLAUDE_PLUGIN_ROOT"}},
		{shell(`"x`), Target{Broken: "1: reached EOF without closing quote `\"`"}},
		{settings.Hook{Command: "${CLAUDE_PROJECT_DIR}/.claude/hooks/x", Args: []string{"1"}, Exec: true}, Target{Path: hooks + "x", Args: []string{"1"}, Alone: true}},
		{settings.Hook{Command: "$CLAUDE_PROJECT_DIR/x", Exec: true}, Target{Path: "/a b/x", Alone: true, Unset: "CLAUDE_PROJECT_DIR"}},
	} {
		assert.Check(t, is.DeepEqual(Find(c.hook, "/a b", "", getenv), c.want), "%s", c.hook.Command)
	}
	plugin := Find(shell(`"${CLAUDE_PLUGIN_ROOT}"/hooks/x`), "/a b", "/p q", getenv)
	assert.Check(t, is.DeepEqual(plugin, Target{Path: "/p q/hooks/x", Alone: true}))
}

// What was seen with the client: spec claude-code.md, b.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		event claude.EventName
		r     Result
		want  Answer
	}{
		{"nothing", claude.PreToolUse, Result{}, Answer{Verdict: Allow}},
		{"text", claude.PreToolUse, Result{Stdout: "hello"}, Answer{Verdict: Allow}},
		{"deny", claude.PreToolUse, Result{Stdout: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`}, Answer{Verdict: Deny, Reason: "no"}},
		{"deny with exit 1", claude.PreToolUse, Result{Exit: 1, Stdout: `{"decision":"block","reason":"no"}` + "\n"}, Answer{Verdict: Deny, Reason: "no"}},
		{"exit 2", claude.PreToolUse, Result{Exit: 2, Stderr: "no\n"}, Answer{Verdict: Deny, Reason: "no"}},
		{"exit 1", claude.PreToolUse, Result{Exit: 1, Stderr: "oops"}, Answer{Verdict: Allow, Fault: "exit code 1: oops"}},
		{"the legacy block", claude.PreToolUse, Result{Stdout: `{"continue":false,"stopReason":"no"}`}, Answer{Verdict: End, Reason: "no"}},
		{"continue and deny", claude.PreToolUse, Result{Stdout: `{"continue":false,"decision":"block","reason":"no"}`}, Answer{Verdict: Deny, Reason: "no"}},
		{"another event", claude.PreToolUse, Result{Stdout: `{"hookSpecificOutput":{"permissionDecision":"deny"}}`}, Answer{Verdict: Allow, Fault: "hookSpecificOutput is for the event (none)"}},
		{"a decision that is none", claude.PreToolUse, Result{Stdout: `{"decision":"deny"}`}, Answer{Verdict: Allow, Fault: `decision is "deny", which is neither approve nor block`}},
		{"a decision that means nothing", claude.SubagentStop, Result{Stdout: `{"decision":"allow"}`}, Answer{Verdict: Allow}},
		{"a decision that is no text", claude.Stop, Result{Stdout: `{"decision":true}`}, Answer{Verdict: Allow, Fault: "decision is no text"}},
		{"text before JSON", claude.PreToolUse, Result{Stdout: `{"a":1} {"b":2}`}, Answer{Verdict: Allow, Fault: "what it printed begins like JSON and is none"}},
		{"context", claude.PostToolUse, Result{Stdout: `{"systemMessage":"m","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c"}}`}, Answer{Verdict: Allow, Context: "c", Message: "m"}},
		{"feedback", claude.PostToolUse, Result{Exit: 2, Stderr: "no"}, Answer{Verdict: Block, Reason: "no"}},
		{"a stop goes on", claude.Stop, Result{Stdout: `{"decision":"block","reason":"more"}`}, Answer{Verdict: Block, Reason: "more"}},
		{"continue beats it", claude.Stop, Result{Stdout: `{"continue":false,"decision":"block","reason":"more"}`}, Answer{Verdict: End}},
		{"session start", "SessionStart", Result{Stdout: "hi\n"}, Answer{Verdict: Allow, Context: "hi"}},
		{"too late", claude.PreToolUse, Result{TimedOut: true, Limit: time.Second, Stdout: `{"decision":"block"}`}, Answer{Verdict: Allow, Fault: "no answer within 1s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.DeepEqual(t, Read(c.event, c.r), c.want)
		})
	}
	a := Read(claude.PreToolUse, Result{Stdout: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"model":"opus"}}}`})
	assert.Check(t, strings.Contains(string(a.Input.Compact()), "opus"))
}
