package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/logskillusage"
)

func main() { hook.Main(logskillusage.Hook) }
