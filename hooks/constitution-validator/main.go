package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/constitutionvalidator"
)

func main() { hook.Main(constitutionvalidator.Hook) }
