// Package pretask runs the checks on a call of a sub-agent before it starts (spec
// 10 §7).
package pretask

import (
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/rules/blastradiusvalidator"
	"isdlc-hooks/lib/rules/constitutionvalidator"
	"isdlc-hooks/lib/rules/gateblocker"
	"isdlc-hooks/lib/rules/iterationcorridor"
	"isdlc-hooks/lib/rules/phaseloopcontroller"
	"isdlc-hooks/lib/rules/phasesequenceguard"
	"isdlc-hooks/lib/rules/phasetimeout"
	"isdlc-hooks/lib/rules/plansurfacer"
	"isdlc-hooks/lib/rules/skillvalidator"
	"isdlc-hooks/lib/rules/testadequacyblocker"
)

// Dispatcher is pre-task-dispatcher.
var Dispatcher = &hook.Dispatcher{
	Name:   "pre-task-dispatcher",
	Doc:    "check a call of a sub-agent before it runs",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task, claude.Skill},
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
		{Hook: gateblocker.Hook, When: hook.WorkflowActive},
		{Hook: constitutionvalidator.Hook, When: hook.WorkflowActive},
		{Hook: testadequacyblocker.Hook, When: upgrading},
		{Hook: blastradiusvalidator.Hook, When: implementingFeature},
	},
}

// upgrading tells whether the active workflow is in a phase of an upgrade.
func upgrading(c *hook.Context) bool {
	return strings.HasPrefix(phase.Canonical(c.State().WorkflowPhase()), "15-upgrade")
}

// implementingFeature tells whether the active workflow is that of a feature,
// and in its implementation.
func implementingFeature(c *hook.Context) bool {
	return c.State().Workflow().Get("type").Text() == "feature" &&
		phase.Same(c.State().WorkflowPhase(), "06-implementation")
}
