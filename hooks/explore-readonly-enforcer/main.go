package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/explorereadonlyenforcer"
)

func main() { hook.Main(explorereadonlyenforcer.Hook) }
