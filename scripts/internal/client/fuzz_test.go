package client

import (
	"strings"
	"testing"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/scripts/internal/settings"
)

// Whatever stands in a settings file: what it runs is made out without a panic,
// and a program is only named where the command holds its name.
func FuzzFind(f *testing.F) {
	for _, command := range []string{
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/x 'a b'`, `node --x "$CLAUDE_PROJECT_DIR"/x.js`, `cd x && ./y || true`, `${A:-b}/c`,
		"cat <<E\nx\nE\n", `a\`, `"x`, `$(x)`, `~/x`, `x() { y; }`, `$'a\nb'`, "\x00", `"${CLAUDE_PLUGIN_ROOT}"/x`,
	} {
		f.Add(command, false)
		f.Add(command, true)
	}
	f.Fuzz(func(t *testing.T, command string, exec bool) {
		target := Find(settings.Hook{Command: command, Exec: exec}, "/project", "/plugin", func(string) string { return "/home" })
		if name := target.Name(); len(name) > 1 && !strings.ContainsAny(command, "\\$~'\"\x00\r\n") && !strings.Contains(command, name) {
			t.Errorf("%q runs %q", command, name)
		}
	})
}

// Whatever a program prints: the answer is one of the verdicts, and one that the
// client takes no notice of lets things go on.
func FuzzRead(f *testing.F) {
	for _, answer := range []string{
		`{"decision":"block","reason":"no"}`, `{"continue":false}`, `{"hookSpecificOutput":{"hookEventName":"Stop"}}`,
		`{"hookSpecificOutput":[]}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`, `{`, "", "\ufeff{}", `{"decision":7}`,
	} {
		f.Add("PreToolUse", answer, 0)
		f.Add("Stop", answer, 2)
	}
	f.Fuzz(func(t *testing.T, event, stdout string, exit int) {
		a := Read(claude.EventName(event), Result{Stdout: stdout, Exit: exit})
		switch a.Verdict {
		case Allow, Deny, Ask, Block, End:
		default:
			t.Errorf("the verdict is %q", a.Verdict)
		}
		if a.Fault != "" && a.Verdict != Allow {
			t.Errorf("%s with the fault %s", a.Verdict, a.Fault)
		}
		if a.Verdict == Deny && event != "PreToolUse" {
			t.Errorf("deny at %s", event)
		}
	})
}
