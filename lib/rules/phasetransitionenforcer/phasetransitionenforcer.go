// Package phasetransitionenforcer notices an agent that asks whether it may go
// on, where phases advance by themselves (spec 30 §6).
package phasetransitionenforcer

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/report"
	"isdlc-hooks/lib/text"
)

const name = "phase-transition-enforcer"

// Hook is phase-transition-enforcer.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "warn when an agent asks for permission to go on to the next phase",
	Events: []claude.EventName{claude.PostToolUse, claude.SubagentStop},
	Run:    run,
}

// questions are the words that ask for permission; the first in this list that
// a report holds is the one that is named.
var questions = [...]string{
	"would you like to proceed",
	"ready to advance",
	"should i continue",
	"shall we proceed",
	"do you want me to move forward",
	"want me to go ahead",
}

func run(c *hook.Context) hook.Decision {
	question := find(c.Event.ResultText())
	if question == "" || c.State().Workflow() == nil || report.LeftToStop(c, name) {
		return hook.Allow()
	}
	current := c.State().CurrentPhase()
	if current == "" {
		current = "unknown"
	}
	c.Log("warn", current, "", fmt.Sprintf("the agent asked for permission to go on: %q", question))
	c.Warn(fmt.Sprintf("PHASE TRANSITION WARNING (%s): the agent asked for permission in phase %s: \"%s\".\n"+
		"A phase advances by itself when its gate passes: transitions are automatic, nobody has to be asked.",
		name, current, question))
	return hook.Allow()
}

// find is the question in s as it is written there, "" where there is none.
func find(s string) string {
	lower := text.LowerASCII(s)
	for _, q := range questions {
		if at := strings.Index(lower, q); at >= 0 {
			return s[at : at+len(q)]
		}
	}
	return ""
}
