package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/delegationgate"
)

func main() { hook.Main(delegationgate.Hook) }
