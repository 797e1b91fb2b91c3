// Command isdlc-hooks-plain is every hook and dispatcher of the workflow that
// parses no shell command, in one executable.
package main

import (
	"isdlc-hooks/lib/dispatch/posttask"
	"isdlc-hooks/lib/dispatch/postwriteedit"
	"isdlc-hooks/lib/dispatch/preskill"
	"isdlc-hooks/lib/dispatch/pretask"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/blastradiusvalidator"
	"isdlc-hooks/lib/rules/constitutionaliterationvalidator"
	"isdlc-hooks/lib/rules/constitutionvalidator"
	"isdlc-hooks/lib/rules/delegationgate"
	"isdlc-hooks/lib/rules/discovermenuguard"
	"isdlc-hooks/lib/rules/explorereadonlyenforcer"
	"isdlc-hooks/lib/rules/gateblocker"
	"isdlc-hooks/lib/rules/iterationcorridor"
	"isdlc-hooks/lib/rules/logskillusage"
	"isdlc-hooks/lib/rules/menuhaltenforcer"
	"isdlc-hooks/lib/rules/menutracker"
	"isdlc-hooks/lib/rules/outputformatvalidator"
	"isdlc-hooks/lib/rules/phaseloopcontroller"
	"isdlc-hooks/lib/rules/phasesequenceguard"
	"isdlc-hooks/lib/rules/phasetransitionenforcer"
	"isdlc-hooks/lib/rules/plansurfacer"
	"isdlc-hooks/lib/rules/skilldelegationenforcer"
	"isdlc-hooks/lib/rules/skillvalidator"
	"isdlc-hooks/lib/rules/statewritevalidator"
	"isdlc-hooks/lib/rules/testadequacyblocker"
	"isdlc-hooks/lib/rules/walkthroughtracker"
	"isdlc-hooks/lib/rules/workflowcompletionenforcer"
	"isdlc-hooks/scripts/internal/multicall"
)

func main() {
	multicall.Main("isdlc-hooks-plain",
		[]*hook.Hook{
			blastradiusvalidator.Hook,
			constitutionvalidator.Hook,
			constitutionaliterationvalidator.Hook,
			delegationgate.Hook,
			discovermenuguard.Hook,
			explorereadonlyenforcer.Hook,
			gateblocker.Hook,
			iterationcorridor.Hook,
			logskillusage.Hook,
			menuhaltenforcer.Hook,
			menutracker.Hook,
			outputformatvalidator.Hook,
			phaseloopcontroller.Hook,
			phasesequenceguard.Hook,
			phasetransitionenforcer.Hook,
			plansurfacer.Hook,
			skilldelegationenforcer.Hook,
			skillvalidator.Hook,
			statewritevalidator.Hook,
			testadequacyblocker.Hook,
			walkthroughtracker.Hook,
			workflowcompletionenforcer.Hook,
		},
		[]*hook.Dispatcher{
			pretask.Dispatcher,
			preskill.Dispatcher,
			posttask.Dispatcher,
			postwriteedit.Dispatcher,
		})
}
