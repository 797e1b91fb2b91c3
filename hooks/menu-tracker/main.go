package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/menutracker"
)

func main() { hook.Main(menutracker.Hook) }
