package main

import (
	"isdlc-hooks/lib/dispatch/postwriteedit"
	"isdlc-hooks/lib/hook"
)

func main() { hook.Dispatch(postwriteedit.Dispatcher) }
