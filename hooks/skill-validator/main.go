package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/skillvalidator"
)

func main() { hook.Main(skillvalidator.Hook) }
