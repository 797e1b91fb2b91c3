package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/constitutionaliterationvalidator"
)

func main() { hook.Main(constitutionaliterationvalidator.Hook) }
