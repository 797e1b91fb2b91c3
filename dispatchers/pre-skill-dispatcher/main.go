package main

import (
	"isdlc-hooks/lib/dispatch/preskill"
	"isdlc-hooks/lib/hook"
)

func main() { hook.Dispatch(preskill.Dispatcher) }
