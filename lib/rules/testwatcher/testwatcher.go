// Package testwatcher counts the test runs of a phase, judges each, and tells the
// agent what to do next (spec 40 §5, spec 05 E).
package testwatcher

import (
	"slices"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/shellcmd"
	"isdlc-hooks/lib/testrun"
	"isdlc-hooks/lib/text"
)

// Hook is test-watcher.
var Hook = &hook.Hook{
	Name:   "test-watcher",
	Doc:    "record the test runs of a phase, and tell the agent what they come to",
	Events: []claude.EventName{claude.PostToolUse, claude.PostToolUseFailure},
	Tools:  []claude.Tool{claude.Bash},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	command := c.Event.Text("command")
	script, possible := Script(command)
	if !possible {
		return hook.Allow()
	}
	st := c.State()
	workflow := st.Get("active_workflow")
	if st == nil || !st.Enforced() || !workflow.Present() || st.CurrentPhase() == "" {
		return hook.Allow()
	}
	key := phase.Canonical(st.CurrentPhase())
	required := c.Requirements(key)
	if !required.Get("test_iteration", "enabled").Present() {
		return hook.Allow()
	}
	extra := testCommands(required)
	tests := script.TestRuns(extra)
	if len(tests) == 0 {
		return hook.Allow()
	}
	record := open(st.Object, key, required, c.Now())
	if record == nil {
		return hook.Allow()
	}
	ended := outcome(c.Event, command, extra)
	ended.Tests = len(tests)
	message := record.add(ended, testrun.Read(ended))
	if record.succeeded && workflow.Get("atdd_mode").IsTrue() {
		message += record.skips(ended)
	}
	c.Tell(message)
	return hook.Allow()
}

// Script reads a command. Possible is false where it is certain that no project
// takes it for a test command, so that nothing need be read to know.
func Script(command string) (script *shellcmd.Script, possible bool) {
	if strings.TrimSpace(command) == "" {
		return nil, false
	}
	script = shellcmd.Parse(command, shellcmd.Place{})
	if slices.ContainsFunc(script.Commands, func(c shellcmd.Command) bool { return c.Program() != text.LowerASCII(c.Program()) }) {
		// Where the file system makes no difference, neither do the names of programs.
		script = shellcmd.Parse(text.LowerASCII(command), shellcmd.Place{})
	}
	possible = slices.ContainsFunc(script.Commands, func(c shellcmd.Command) bool {
		return c.Text != "" || len(c.Words) > 0 && !everyday(c.Program())
	})
	return script, possible
}

// everyday tells whether program is one that looks at files or moves them, which
// nobody tests with: only other commands are compared with the test commands
// that the phase has of its own.
func everyday(program string) bool {
	switch program {
	case "ls", "cd", "pwd", "cat", "head", "tail", "less", "wc", "file", "stat", "du", "df", "tree", "which", "type", "date", "env", "printenv",
		"echo", "printf", "true", "false", "sleep", "set", "export", "source", ".", ":", "read", "exit", "test", "[",
		"grep", "egrep", "fgrep", "rg", "find", "fd", "sed", "awk", "sort", "uniq", "cut", "tr", "diff", "cmp", "jq", "xxd", "tee",
		"mkdir", "rmdir", "rm", "cp", "mv", "ln", "touch", "chmod", "chown", "tar", "zip", "unzip", "curl", "wget", "ps", "kill", "git", "gh":
		return true
	}
	return false
}

// testCommands are the commands that the phase takes for tests besides the known
// runners, in words (spec 05 D.7).
func testCommands(required *ordered.Value) [][]string {
	var list [][]string
	for _, item := range required.Get("test_iteration", "test_commands").Items() {
		if words := strings.Fields(item.Text()); len(words) > 0 {
			list = append(list, words)
		}
	}
	return list
}
