// Package postwriteedit runs what follows a write of a file (spec 50 §6).
package postwriteedit

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/outputformatvalidator"
	"isdlc-hooks/lib/rules/statewritevalidator"
	"isdlc-hooks/lib/rules/workflowcompletionenforcer"
)

// Dispatcher is post-write-edit-dispatcher.
var Dispatcher = &hook.Dispatcher{
	Name:   "post-write-edit-dispatcher",
	Doc:    "look at what a tool has written",
	Events: []claude.EventName{claude.PostToolUse},
	All:    true,
	Steps: []hook.Step{
		{Hook: statewritevalidator.Hook},
		{Hook: outputformatvalidator.Hook, When: func(c *hook.Context) bool {
			return c.Event.Tool == claude.Write && hook.WorkflowActive(c)
		}},
		{Hook: workflowcompletionenforcer.Hook, When: func(c *hook.Context) bool { // last: it prunes
			return !workflowcompletionenforcer.Written(c).Get("active_workflow").Present()
		}},
	},
}
