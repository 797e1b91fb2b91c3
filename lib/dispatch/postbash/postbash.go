// Package postbash runs what follows a shell command (spec 40 §8).
package postbash

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/atddcompletenessvalidator"
	"isdlc-hooks/lib/rules/reviewreminder"
	"isdlc-hooks/lib/rules/testwatcher"
	"isdlc-hooks/lib/shellcmd"
)

// Dispatcher is post-bash-dispatcher.
var Dispatcher = &hook.Dispatcher{
	Name:   "post-bash-dispatcher",
	Doc:    "record and check what a shell command did",
	Events: []claude.EventName{claude.PostToolUse, claude.PostToolUseFailure},
	All:    true,
	Steps: []hook.Step{
		{Hook: testwatcher.Hook, When: mayTest},
		{Hook: reviewreminder.Hook, When: mayCommit},
		{Hook: atddcompletenessvalidator.Hook, When: acceptance},
	},
}

// The conditions look at the command first, so that most commands cost no file
// access.

func mayTest(c *hook.Context) bool {
	_, possible := testwatcher.Script(c.Event.Text("command"))
	return possible && hook.WorkflowActive(c)
}

func mayCommit(c *hook.Context) bool {
	return shellcmd.Mentions(c.Event.Text("command"), "commit") && hook.WorkflowActive(c)
}

func acceptance(c *hook.Context) bool {
	return atddcompletenessvalidator.Concerns(c.Event.Text("command")) &&
		c.State().Get("active_workflow", "options", "atdd_mode").Present()
}
