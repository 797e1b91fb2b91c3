package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/outputformatvalidator"
)

func main() { hook.Main(outputformatvalidator.Hook) }
