package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/branchguard"
)

func main() { hook.Main(branchguard.Hook) }
