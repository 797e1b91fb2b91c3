// Package phaseloopcontroller lets work go to another phase only when the
// progress of the current one is tracked (spec 10 §4).
package phaseloopcontroller

import (
	"fmt"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
)

// Hook is phase-loop-controller.
var Hook = &hook.Hook{
	Name:   "phase-loop-controller",
	Doc:    "block a delegation to another phase while the current one is not tracked as in progress",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	current := c.State().WorkflowPhase()
	if current == "" {
		return hook.Allow()
	}
	to, ok := c.Delegation()
	if !ok {
		return hook.Allow()
	}
	if phase.Same(to.Target, current) {
		agent := to.Agent
		if agent == "" {
			agent = "unknown"
		}
		c.Log("same-phase-bypass", current, agent, fmt.Sprintf("delegation inside the current phase %s", current))
		return hook.Allow()
	}
	status := c.State().Phase(current).Get("status").Text()
	if status == "in_progress" || status == "completed" {
		return hook.Allow()
	}
	if status == "" {
		status = "not set"
	}
	c.Log("block", to.Target, to.Label(), fmt.Sprintf("delegation to %s while the status of %s is %s", to.Target, current, status))
	return hook.Block(fmt.Sprintf("Delegation to %s (phase %s) is stopped: phase %s is not tracked, its status is %s.\n"+
		"Mark its task as in_progress with TaskUpdate, and the phase in state.json, before handing work on.",
		to.Label(), to.Target, current, status))
}
