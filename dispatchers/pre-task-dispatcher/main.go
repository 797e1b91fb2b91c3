package main

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/iterationcorridor"
	"isdlc-hooks/lib/rules/phaseloopcontroller"
	"isdlc-hooks/lib/rules/phasesequenceguard"
	"isdlc-hooks/lib/rules/phasetimeout"
	"isdlc-hooks/lib/rules/plansurfacer"
	"isdlc-hooks/lib/rules/skillvalidator"
)

func main() {
	hook.Dispatch(&hook.Dispatcher{
		Name:   "pre-task-dispatcher",
		Doc:    "check a call of a sub-agent before it runs",
		Events: []claude.EventName{claude.PreToolUse},
		Before: func(c *hook.Context) {
			if hook.WorkflowActive(c) {
				phasetimeout.Advise(c)
			}
		},
		Steps: []hook.Step{
			{Hook: iterationcorridor.Hook, When: hook.WorkflowActive},
			{Hook: skillvalidator.Hook},
			{Hook: phaseloopcontroller.Hook, When: hook.WorkflowActive},
			{Hook: plansurfacer.Hook, When: hook.WorkflowActive},
			{Hook: phasesequenceguard.Hook, When: hook.WorkflowActive},
		},
	})
}
