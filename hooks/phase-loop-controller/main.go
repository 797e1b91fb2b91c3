package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/phaseloopcontroller"
)

func main() { hook.Main(phaseloopcontroller.Hook) }
