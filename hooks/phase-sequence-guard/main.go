package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/phasesequenceguard"
)

func main() { hook.Main(phasesequenceguard.Hook) }
