package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/statefileguard"
)

func main() { hook.Main(statefileguard.Hook) }
