package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/plansurfacer"
)

func main() { hook.Main(plansurfacer.Hook) }
