package main

import (
	"os"
	"time"

	"isdlc-hooks/lib/des/adapters/audit"
	"isdlc-hooks/lib/des/adapters/clock"
	"isdlc-hooks/lib/des/adapters/driver"
	"isdlc-hooks/lib/des/adapters/execlog"
	"isdlc-hooks/lib/des/adapters/scope"
	"isdlc-hooks/lib/des/adapters/transcript"
	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
)

func main() {
	here := audit.Here()
	service := app.NewSubagentStopService(
		domain.MarkerParser{},
		domain.StepCompletionValidator{Schema: domain.TDD()},
		transcript.JSONL{Home: here.Home, Patience: 500 * time.Millisecond},
		execlog.YAML{},
		scope.Git{},
		audit.NewWriter(here),
		clock.System{},
		here.WorkDir,
	)
	os.Exit(driver.SubagentStop(driver.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, service))
}
