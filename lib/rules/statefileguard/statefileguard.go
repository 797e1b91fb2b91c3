// Package statefileguard keeps shell commands from writing the state file, which
// only the Write and Edit tools may do, where the rules on it are checked (spec
// 40 §4, spec 05 D.6).
package statefileguard

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/shellcmd"
	"isdlc-hooks/lib/text"
)

// Hook is state-file-guard.
var Hook = &hook.Hook{
	Name:   "state-file-guard",
	Doc:    "block shell commands that write state.json",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Bash},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	command := c.Event.Text("command")
	if !mayWrite(command) {
		return hook.Allow()
	}
	script := shellcmd.Parse(command, shellcmd.Place{Dir: c.WorkDir(), Home: c.Getenv("HOME")})
	paths := script.StateWrites()
	if len(paths) == 0 {
		return hook.Allow()
	}
	c.Log("block", "", "", "shell command that writes the state: "+text.Cut(command, 100))
	return hook.Block(fmt.Sprintf("STATE FILE GUARD: this command writes %s through Bash, which is not allowed: "+
		"nothing would check the change of state.json, and a hook that writes at the same time could lose it.\n"+
		"Use the Write or Edit tool for the file instead. Reading it with Bash is fine.\n"+
		"Command: %s", show(paths[0]), text.Cut(command, 200)))
}

// mayWrite tells, without reading the command, whether the name of a state file
// can come out of it: it stands there, or wildcards do that may match it.
func mayWrite(command string) bool {
	return shellcmd.Mentions(command, "state.json") || strings.ContainsAny(command, "*?[")
}

// show gives a path for people.
func show(path string) string { return strings.ReplaceAll(path, string(shellcmd.Unknown), "…") }
