package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/menuhaltenforcer"
)

func main() { hook.Main(menuhaltenforcer.Hook) }
