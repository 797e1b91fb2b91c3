package main

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/constitutionaliterationvalidator"
	"isdlc-hooks/lib/rules/gateblocker"
	"isdlc-hooks/lib/rules/iterationcorridor"
)

func main() {
	hook.Dispatch(&hook.Dispatcher{
		Name:   "pre-skill-dispatcher",
		Doc:    "check a call of a skill before it runs",
		Events: []claude.EventName{claude.PreToolUse},
		Active: hook.WorkflowActive,
		Steps: []hook.Step{
			{Hook: iterationcorridor.Hook},
			{Hook: gateblocker.Hook},
			{Hook: constitutionaliterationvalidator.Hook},
		},
	})
}
