package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/discovermenuguard"
)

func main() { hook.Main(discovermenuguard.Hook) }
