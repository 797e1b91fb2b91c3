package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/iterationcorridor"
)

func main() { hook.Main(iterationcorridor.Hook) }
