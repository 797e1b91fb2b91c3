// Package preskill runs the checks on a call of a skill before it runs (spec 10
// §8).
package preskill

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/constitutionaliterationvalidator"
	"isdlc-hooks/lib/rules/gateblocker"
	"isdlc-hooks/lib/rules/iterationcorridor"
)

// Dispatcher is pre-skill-dispatcher.
var Dispatcher = &hook.Dispatcher{
	Name:   "pre-skill-dispatcher",
	Doc:    "check a call of a skill before it runs",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task, claude.Skill},
	Active: hook.WorkflowActive,
	Steps: []hook.Step{
		{Hook: iterationcorridor.Hook},
		{Hook: gateblocker.Hook},
		{Hook: constitutionaliterationvalidator.Hook},
	},
}
