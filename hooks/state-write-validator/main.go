package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/statewritevalidator"
)

func main() { hook.Main(statewritevalidator.Hook) }
