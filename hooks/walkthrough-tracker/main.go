package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/walkthroughtracker"
)

func main() { hook.Main(walkthroughtracker.Hook) }
