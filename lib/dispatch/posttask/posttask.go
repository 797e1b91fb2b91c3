// Package posttask runs what follows a sub-agent (spec 31 §3).
package posttask

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/discovermenuguard"
	"isdlc-hooks/lib/rules/logskillusage"
	"isdlc-hooks/lib/rules/menuhaltenforcer"
	"isdlc-hooks/lib/rules/menutracker"
	"isdlc-hooks/lib/rules/phasetransitionenforcer"
	"isdlc-hooks/lib/rules/report"
	"isdlc-hooks/lib/rules/walkthroughtracker"
)

// Dispatcher is post-task-dispatcher.
var Dispatcher = &hook.Dispatcher{
	Name:   report.Dispatcher,
	Doc:    "record and check what a sub-agent did after it has ended",
	Events: []claude.EventName{claude.PostToolUse, claude.SubagentStop},
	All:    true,
	Steps: []hook.Step{
		{Hook: logskillusage.Hook},
		{Hook: menutracker.Hook, When: inWorkflow},
		{Hook: walkthroughtracker.Hook, When: mayDiscover},
		{Hook: discovermenuguard.Hook, When: mayDiscover},
		{Hook: phasetransitionenforcer.Hook, When: inWorkflow},
		{Hook: menuhaltenforcer.Hook, When: inWorkflow},
	},
}

// inWorkflow is the condition of checks that search what was said: where nothing
// was, no file is opened.
func inWorkflow(c *hook.Context) bool {
	return (c.Event.Result() != nil || c.Event.Text("prompt") != "") && c.State().Workflow() != nil
}

// mayDiscover: a discovery has a workflow of its own, or comes before there is
// one (spec 05 K.1).
func mayDiscover(c *hook.Context) bool {
	if c.State() == nil {
		return false
	}
	workflow := c.State().Workflow()
	return workflow == nil || workflow.Get("type").Text() == "discover"
}
