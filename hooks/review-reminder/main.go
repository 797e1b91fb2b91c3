package main

import (
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/rules/reviewreminder"
)

func main() { hook.Main(reviewreminder.Hook) }
