package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/gateblocker"
)

func main() { hook.Main(gateblocker.Hook) }
