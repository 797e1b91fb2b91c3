package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/phasetransitionenforcer"
)

func main() { hook.Main(phasetransitionenforcer.Hook) }
