// Command isdlc-hooks-all is every hook and dispatcher of the workflow in one
// executable, which runs as the one whose name it is called by; by its own name
// it lists them. An installation of hard links to it takes a fifth of the space of
// separate programs.
//
// The programs that need a YAML parser or the network are not in it: nobody
// should pay for them who does not use them.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/dispatch/postbash"
	"isdlc-hooks/lib/dispatch/posttask"
	"isdlc-hooks/lib/dispatch/postwriteedit"
	"isdlc-hooks/lib/dispatch/preskill"
	"isdlc-hooks/lib/dispatch/pretask"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/atddcompletenessvalidator"
	"isdlc-hooks/lib/rules/blastradiusvalidator"
	"isdlc-hooks/lib/rules/branchguard"
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
	"isdlc-hooks/lib/rules/reviewreminder"
	"isdlc-hooks/lib/rules/skilldelegationenforcer"
	"isdlc-hooks/lib/rules/skillvalidator"
	"isdlc-hooks/lib/rules/statefileguard"
	"isdlc-hooks/lib/rules/statewritevalidator"
	"isdlc-hooks/lib/rules/testadequacyblocker"
	"isdlc-hooks/lib/rules/testwatcher"
	"isdlc-hooks/lib/rules/walkthroughtracker"
	"isdlc-hooks/lib/rules/workflowcompletionenforcer"
)

// programs are those that it can be.
var programs = [...]struct {
	name string
	run  func()
}{
	{"atdd-completeness-validator", func() { hook.Main(atddcompletenessvalidator.Hook) }},
	{"blast-radius-validator", func() { hook.Main(blastradiusvalidator.Hook) }},
	{"branch-guard", func() { hook.Main(branchguard.Hook) }},
	{"constitution-validator", func() { hook.Main(constitutionvalidator.Hook) }},
	{"constitutional-iteration-validator", func() { hook.Main(constitutionaliterationvalidator.Hook) }},
	{"delegation-gate", func() { hook.Main(delegationgate.Hook) }},
	{"discover-menu-guard", func() { hook.Main(discovermenuguard.Hook) }},
	{"explore-readonly-enforcer", func() { hook.Main(explorereadonlyenforcer.Hook) }},
	{"gate-blocker", func() { hook.Main(gateblocker.Hook) }},
	{"iteration-corridor", func() { hook.Main(iterationcorridor.Hook) }},
	{"log-skill-usage", func() { hook.Main(logskillusage.Hook) }},
	{"menu-halt-enforcer", func() { hook.Main(menuhaltenforcer.Hook) }},
	{"menu-tracker", func() { hook.Main(menutracker.Hook) }},
	{"output-format-validator", func() { hook.Main(outputformatvalidator.Hook) }},
	{"phase-loop-controller", func() { hook.Main(phaseloopcontroller.Hook) }},
	{"phase-sequence-guard", func() { hook.Main(phasesequenceguard.Hook) }},
	{"phase-transition-enforcer", func() { hook.Main(phasetransitionenforcer.Hook) }},
	{"plan-surfacer", func() { hook.Main(plansurfacer.Hook) }},
	{"review-reminder", func() { hook.Main(reviewreminder.Hook) }},
	{"skill-delegation-enforcer", func() { hook.Main(skilldelegationenforcer.Hook) }},
	{"skill-validator", func() { hook.Main(skillvalidator.Hook) }},
	{"state-file-guard", func() { hook.Main(statefileguard.Hook) }},
	{"state-write-validator", func() { hook.Main(statewritevalidator.Hook) }},
	{"test-adequacy-blocker", func() { hook.Main(testadequacyblocker.Hook) }},
	{"test-watcher", func() { hook.Main(testwatcher.Hook) }},
	{"walkthrough-tracker", func() { hook.Main(walkthroughtracker.Hook) }},
	{"workflow-completion-enforcer", func() { hook.Main(workflowcompletionenforcer.Hook) }},
	{"pre-task-dispatcher", func() { hook.Dispatch(pretask.Dispatcher) }},
	{"pre-skill-dispatcher", func() { hook.Dispatch(preskill.Dispatcher) }},
	{"post-task-dispatcher", func() { hook.Dispatch(posttask.Dispatcher) }},
	{"post-bash-dispatcher", func() { hook.Dispatch(postbash.Dispatcher) }},
	{"post-write-edit-dispatcher", func() { hook.Dispatch(postwriteedit.Dispatcher) }},
}

func main() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	for _, p := range programs {
		if p.name == name {
			p.run()
			return
		}
	}
	if name != "isdlc-hooks-all" {
		fmt.Fprintf(os.Stderr, "isdlc-hooks-all: there is no hook called %s\n", name)
		os.Exit(1)
	}
	for _, p := range programs { // the installer asks
		fmt.Println(p.name)
	}
}
