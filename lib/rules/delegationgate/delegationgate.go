// Package delegationgate keeps a turn from ending while a loaded command waits
// for its delegation (spec 35 §2).
package delegationgate

import (
	"fmt"
	"math"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/delegation"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

const name = "delegation-gate"

// Hook is delegation-gate.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block the end of a turn while the delegation that a loaded command asks for is missing",
	Events: []claude.EventName{claude.Stop},
	Run:    run,
}

const (
	errorCount = "_delegation_gate_error_count" // verification errors in a row
	maxErrors  = 5                              // the one that no longer blocks
)

func run(c *hook.Context) hook.Decision {
	marker := c.State().Get(delegation.Field)
	if !marker.IsObject() {
		return hook.Allow()
	}
	v, err := shut(func() (verdict, error) { return verify(c.State(), marker) })
	switch {
	case err != nil:
		return unverified(c, marker, err)
	case !v.done:
		c.Debug(name + ": the delegation to " + marker.Get(delegation.RequiredAgent).Text() + " is missing")
		return hook.Block(missing(marker))
	}
	if v.inProgress != "" {
		c.SelfHeal("", fmt.Sprintf("the pending delegation is dropped: phase %s is in_progress, so the workflow was initialized", v.inProgress))
	}
	c.Debug(name + ": the marker is cleared: " + v.why)
	done(c.State())
	return hook.Allow()
}

// done takes the marker and the count of errors back (spec 35 §2.6).
func done(s *state.State) {
	s.Object.Set(delegation.Field, nil)
	if s.Get(errorCount).Present() {
		s.Object.Set(errorCount, 0)
	}
}

// unverified is what comes of an error on the way to a verdict: this gate stays
// shut on its own errors, until there were too many of them (spec 35 §2.5).
func unverified(c *hook.Context, marker *ordered.Value, err error) hook.Decision {
	s := c.State()
	count, _ := s.Get(errorCount).Float()
	if math.IsInf(count, -1) { // it could not be written
		count = 0
	}
	count++
	c.Debug(name + ": " + err.Error())
	if count >= maxErrors {
		s.Object.Set(delegation.Field, nil)
		s.Object.Set(errorCount, 0)
		c.Log("warn", "", "", fmt.Sprintf("the pending delegation is given up after %d verification errors in a row: %v", maxErrors, err))
		return hook.Allow()
	}
	s.Object.Set(errorCount, count)
	c.Log("error", "", "", "the pending delegation cannot be verified: "+err.Error())
	agent := marker.Get(delegation.RequiredAgent).Text()
	if agent == "" {
		agent = "the orchestrator"
	}
	return hook.Block(fmt.Sprintf("An error kept the pending delegation from being verified: %v.\n"+
		"It is preserved in state.json. Delegate to %s (an orchestrator, with the Agent tool) if that has not happened, then retry.", err, agent))
}

// missing tells the model what it owes. Fields that the marker does not have are
// left out.
func missing(marker *ordered.Value) string {
	command, agent := "A command", "its orchestrator"
	if s := marker.Get(delegation.Skill).Text(); s != "" {
		command = "/" + s
	}
	if s := marker.Get(delegation.RequiredAgent).Text(); s != "" {
		agent = s
	}
	return strings.Join([]string{
		command + " was loaded, but its work was not delegated to " + agent + ".",
		"Delegate the initialization to " + agent + " now, with the Agent tool: for a workflow that is step 1 of the Phase-Loop Controller in the command's instructions.",
		"Do not implement the task directly.",
	}, "\n")
}
