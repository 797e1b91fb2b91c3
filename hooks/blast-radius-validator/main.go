package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/blastradiusvalidator"
)

func main() { hook.Main(blastradiusvalidator.Hook) }
