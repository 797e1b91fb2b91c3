// Package walkthroughtracker notices a discovery that ended although nobody was
// led through the constitution (spec 31 §1).
package walkthroughtracker

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/rules/report"
)

const (
	name         = "walkthrough-tracker"
	orchestrator = "discover-orchestrator"
)

// Hook is walkthrough-tracker.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "warn when a discovery ends without the constitution walkthrough",
	Events: []claude.EventName{claude.PostToolUse, claude.SubagentStop},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	if phase.NormalizeAgent(c.Event.Agent()) != orchestrator || c.Event.ResultText() == "" {
		return hook.Allow()
	}
	discovery := c.State().Get("discovery_context")
	if !discovery.IsObject() || discovery.Get("walkthrough_completed").IsTrue() || report.LeftToStop(c, name) {
		return hook.Allow()
	}
	c.Log("warn", "", "", "discovery ended without the constitution walkthrough")
	c.Warn(name + ": warning: the discovery has ended, but its constitution walkthrough is not recorded" +
		" (discovery_context.walkthrough_completed in state.json is not true).\n" +
		"Lead the user through docs/isdlc/constitution.md by hand, then set the field to true.")
	return hook.Allow()
}
