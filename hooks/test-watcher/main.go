package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/testwatcher"
)

func main() { hook.Main(testwatcher.Hook) }
