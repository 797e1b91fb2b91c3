// Package plansurfacer asks for a task plan from the implementation on (spec 10
// §5).
package plansurfacer

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

const name = "plan-surfacer"

// Hook is plan-surfacer.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block delegations from the implementation on while there is no task plan",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

const (
	planName       = "tasks.md"
	implementation = "06-implementation"
)

// early are the phases that come before the plan.
var early = [...]string{
	"00-quick-scan", "01-requirements", "02-impact-analysis", "02-tracing", "03-architecture", "04-design",
	"05-test-strategy",
}

func run(c *hook.Context) hook.Decision {
	current := c.State().WorkflowPhase()
	if current == "" {
		return hook.Allow()
	}
	for _, key := range early {
		if phase.Canonical(current) == key {
			return hook.Allow()
		}
	}
	plan := c.Project().Doc(planName)
	if !disk.Exists(plan) {
		return withoutPlan(c, current)
	}
	if phase.Canonical(current) == implementation {
		if findings := checkFormat(plan); len(findings) > 0 {
			c.Warn(name + ": the task plan is not in order:\n- " + strings.Join(findings, "\n- "))
			c.Log("format-validation-warning", implementation, "", "")
		}
	}
	return hook.Allow()
}

// withoutPlan stops the call, unless it is the one that is to write the plan
// (spec 05 C.5).
func withoutPlan(c *hook.Context, current string) hook.Decision {
	if text.ContainsAny(text.Lower(c.Call().Text()), []string{"generate-plan", planName}) {
		return hook.Allow()
	}
	path := c.Project().NewDoc(planName)
	c.Log("block", current, "", "no task plan at "+path)
	return hook.Block(fmt.Sprintf("Phase %s needs a task plan, and there is none: %s\n"+
		"Have the plan written first, with the generate-plan skill, then delegate again.", current, path))
}

// checkFormat says what is wrong with the form of a plan; a plan that cannot be
// read is not judged.
func checkFormat(path string) []string {
	data, err := disk.Read(path)
	if err != nil {
		return nil
	}
	return findings(string(data))
}
