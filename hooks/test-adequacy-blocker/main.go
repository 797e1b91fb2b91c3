package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/testadequacyblocker"
)

func main() { hook.Main(testadequacyblocker.Hook) }
