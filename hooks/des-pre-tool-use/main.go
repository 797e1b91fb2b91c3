package main

import (
	"os"

	"isdlc-hooks/lib/des/adapters/audit"
	"isdlc-hooks/lib/des/adapters/clock"
	"isdlc-hooks/lib/des/adapters/driver"
	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
)

func main() {
	service := app.NewPreToolUseService(
		domain.MaxTurns(),
		domain.MarkerParser{},
		domain.PromptValidator{Schema: domain.TDD()},
		audit.NewWriter(audit.Here()),
		clock.System{},
	)
	os.Exit(driver.PreToolUse(driver.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, service))
}
