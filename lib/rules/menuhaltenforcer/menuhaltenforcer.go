// Package menuhaltenforcer notices an agent that shows a menu and goes on
// writing instead of waiting for the choice (spec 30 §7).
package menuhaltenforcer

import (
	"fmt"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/report"
)

const name = "menu-halt-enforcer"

// Hook is menu-halt-enforcer.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "warn when an agent does not stop after the menu that it shows",
	Events: []claude.EventName{claude.PostToolUse, claude.SubagentStop},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	kind, rest := violation(c.Event.ResultText())
	if kind == "" || report.LeftToStop(c, name) {
		return hook.Allow()
	}
	c.Log("warn", "", "", fmt.Sprintf("%d characters follow the menu (%s)", rest, kind))
	c.Warn(fmt.Sprintf("MENU HALT VIOLATION (%s): %d characters follow a menu of the kind %s.\n"+
		"After a menu an agent has to stop and wait for the user's choice.", name, rest, kind))
	return hook.Allow()
}
