package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/workflowcompletionenforcer"
)

func main() { hook.Main(workflowcompletionenforcer.Hook) }
