package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/skilldelegationenforcer"
)

func main() { hook.Main(skilldelegationenforcer.Hook) }
