// Package skilldelegationenforcer makes the model hand the work of a loaded
// command to its orchestrator, and notes in the state that this is due (spec 35
// §1).
package skilldelegationenforcer

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/delegation"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

const name = "skill-delegation-enforcer"

// Hook is skill-delegation-enforcer.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "after /isdlc or /discover was loaded, ask for the delegation to its orchestrator and mark it as pending",
	Events: []claude.EventName{claude.PostToolUse},
	Tools:  []claude.Tool{claude.Skill},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	skill := strings.TrimPrefix(text.Lower(c.Event.Text("skill")), "/")
	agent := delegation.Orchestrator(skill)
	if agent == "" {
		return hook.Allow()
	}
	args := c.Event.Input("args")
	if args.Present() && args.Kind() != ordered.String {
		return hook.Allow()
	}
	if delegation.Exempt(args.Text()) {
		c.Debug(name + ": the action is exempt: /" + skill + " needs no orchestrator for it")
		return hook.Allow()
	}
	s := c.State()
	if s == nil {
		c.Debug(name + ": there is no state: the delegation of /" + skill + " cannot be marked")
		return hook.Allow()
	}
	c.Debug(name + ": detected /" + skill + ": " + agent + " is required")
	s.Object.Set(delegation.Field, delegation.NewMarker(skill, agent, c.Now(), args.Text()))
	c.Tell(message(skill, agent))
	return hook.Allow()
}

func message(skill, agent string) string {
	return fmt.Sprintf("MANDATORY: /%[1]s was loaded, and its work belongs to the agent %[2]s. Follow the instructions of the command now:\n"+
		"- For a workflow, start at step 1 of its Phase-Loop Controller: delegate the initialization to %[2]s with the Agent tool.\n"+
		"- Do not enter plan mode.\n"+
		"- Do not implement anything directly and write no code of your own before that.\n"+
		"The turn cannot end while the delegation to %[2]s is missing.", skill, agent)
}
