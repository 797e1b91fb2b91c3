package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/modelproviderrouter"
)

func main() { hook.Main(modelproviderrouter.Hook) }
