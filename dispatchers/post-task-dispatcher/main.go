package main

import (
	"isdlc-hooks/lib/dispatch/posttask"
	"isdlc-hooks/lib/hook"
)

func main() { hook.Dispatch(posttask.Dispatcher) }
