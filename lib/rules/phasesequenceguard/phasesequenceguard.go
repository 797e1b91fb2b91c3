// Package phasesequenceguard lets work go to the current phase only (spec 10
// §6).
package phasesequenceguard

import (
	"fmt"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
)

// Hook is phase-sequence-guard.
var Hook = &hook.Hook{
	Name:   "phase-sequence-guard",
	Doc:    "block a delegation to any phase but the current one",
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
	if !ok || phase.Same(to.Target, current) {
		return hook.Allow()
	}
	agent := to.Agent
	if agent == "" {
		agent = "unknown"
	}
	c.Log("block", current, agent, fmt.Sprintf("delegation to %s while %s is the current phase", to.Target, current))
	return hook.Block(fmt.Sprintf("Out of order: %s belongs to phase %s, but the workflow is in phase %s.\n"+
		"Finish %s and pass %s first; then the workflow moves on to the next phase.",
		agent, to.Target, current, current, gate(current)))
}

// gate names the gate at the end of a phase: by the number in its key, which
// some keys do not have.
func gate(key string) string {
	n := 0
	for n < len(key) && '0' <= key[n] && key[n] <= '9' {
		n++
	}
	if n == 0 {
		return "GATE-??"
	}
	return "GATE-" + key[:n]
}
