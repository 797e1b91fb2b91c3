package main

import (
	"isdlc-hooks/lib/dispatch/pretask"
	"isdlc-hooks/lib/hook"
)

func main() { hook.Dispatch(pretask.Dispatcher) }
