// Package testadequacyblocker lets nobody upgrade what no tests would miss: an
// upgrade needs a regression baseline (spec 20 §4).
package testadequacyblocker

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// Hook is test-adequacy-blocker.
var Hook = &hook.Hook{
	Name:   "test-adequacy-blocker",
	Doc:    "block upgrades of a project without enough tests to notice what they break",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

// minCoverage is how much of the code unit tests have to reach, in percent.
const minCoverage = 50

func run(c *hook.Context) hook.Decision {
	to, delegated := c.Delegation()
	if !(delegated && isUpgrade(to)) && !namesUpgrade(c.Call().Text()) {
		return hook.Allow()
	}
	st := c.State()
	if st == nil {
		return hook.Allow()
	}
	coverage := st.Get("discovery_context", "coverage_summary")
	if !coverage.IsObject() {
		c.Log("skip", "", "", "discovery left no coverage_summary, so the baseline is not judged")
		return hook.Allow()
	}
	tests, _ := coverage.Get("total_tests").Float()
	percent, _ := coverage.Get("unit_test_pct").Float()
	facts := fmt.Sprintf("total_tests is %s, unit_test_pct is %s%%", decimal(tests), decimal(percent))
	var issues []string
	if tests == 0 {
		issues = append(issues, "total_tests: there are no tests")
	}
	if percent < minCoverage {
		issues = append(issues, fmt.Sprintf("unit_test_pct: the coverage of the unit tests is %s%%, it has to be at least %d%%", decimal(percent), minCoverage))
	}
	if issues == nil {
		c.Log("allow", "", "", facts)
		return hook.Allow()
	}
	c.Log("block", cmp.Or(to.Target, st.WorkflowPhase(), "upgrade"), "", facts)
	return hook.Block(fmt.Sprintf("UPGRADE BLOCKED: too few tests would notice what the upgrade breaks (%s; minimum coverage %d%%).\n- %s\n"+
		"Write the missing tests first, with /isdlc test generate, then start the upgrade again.",
		facts, minCoverage, strings.Join(issues, "\n- ")))
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// isUpgrade tells whether a delegation is one to the work of an upgrade. The
// older keys of its phases are not meant (spec 20 §4.1).
func isUpgrade(to phase.Delegation) bool {
	return strings.HasPrefix(to.Target, "15-upgrade") || strings.Contains(text.Lower(to.Agent), "upgrade")
}

// namesUpgrade finds the agent of an upgrade in the text of a call, also of one
// that is no delegation because it speaks of an installation.
func namesUpgrade(s string) bool {
	s = text.Lower(s)
	return strings.Contains(s, "upgrade-engineer") || strings.Contains(s, "upgrade engineer") ||
		strings.Contains(s, "upgrade") && strings.Contains(s, "phase 14")
}
