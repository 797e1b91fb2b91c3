package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/atddcompletenessvalidator"
)

func main() { hook.Main(atddcompletenessvalidator.Hook) }
