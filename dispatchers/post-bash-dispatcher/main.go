package main

import (
	"isdlc-hooks/lib/dispatch/postbash"
	"isdlc-hooks/lib/hook"
)

func main() { hook.Dispatch(postbash.Dispatcher) }
