// Command isdlc-hooks-shell is every hook and dispatcher of the workflow that
// parses shell commands, in one executable: nobody else should pay for the parser.
package main

import (
	"isdlc-hooks/lib/dispatch/postbash"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/atddcompletenessvalidator"
	"isdlc-hooks/lib/rules/branchguard"
	"isdlc-hooks/lib/rules/reviewreminder"
	"isdlc-hooks/lib/rules/statefileguard"
	"isdlc-hooks/lib/rules/testwatcher"
	"isdlc-hooks/scripts/internal/multicall"
)

func main() {
	multicall.Main("isdlc-hooks-shell",
		[]*hook.Hook{
			atddcompletenessvalidator.Hook,
			branchguard.Hook,
			reviewreminder.Hook,
			statefileguard.Hook,
			testwatcher.Hook,
		},
		[]*hook.Dispatcher{
			postbash.Dispatcher,
		})
}
