// Package atddcompletenessvalidator checks that acceptance tests are made to pass
// in the order of their priority (spec 40 §7).
package atddcompletenessvalidator

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/text"
)

// Hook is atdd-completeness-validator.
var Hook = &hook.Hook{
	Name:   "atdd-completeness-validator",
	Doc:    "warn when acceptance tests of a lower priority are worked on before those of a higher one pass",
	Events: []claude.EventName{claude.PostToolUse, claude.PostToolUseFailure},
	Run:    run,
}

var testCommand = pattern.Pattern{Expr: `\b(?:node\s+--test|npm\s+test|npx\s+jest|npx\s+vitest|npx\s+mocha|pytest|cargo\s+test|go\s+test)\b`}

// Concerns tells whether a command is one whose output is judged.
func Concerns(command string) bool {
	return (strings.Contains(command, "test") || strings.Contains(command, "npx")) && testCommand.In(command)
}

func run(c *hook.Context) hook.Decision {
	if !Concerns(c.Event.Text("command")) {
		return hook.Allow()
	}
	workflow := c.State().Get("active_workflow")
	if !workflow.Get("options", "atdd_mode").Present() && !workflow.Get("atdd_mode").Present() {
		return hook.Allow()
	}
	out, ok := output(c.Event)
	if !ok {
		return hook.Allow()
	}
	phase := workflow.Get("current_phase").Text()
	violations := check(tally(out))
	if len(violations) == 0 {
		c.Log("allow", phase, "", "the acceptance tests pass in the order of their priority")
		return hook.Allow()
	}
	c.Log("warn", phase, "", strings.Join(violations, "; "))
	c.Warn(fmt.Sprintf("ATDD: the order of the acceptance tests is violated (%d):\n- %s\nMake them pass in the order P0, P1, P2, P3, and leave none of them out.",
		len(violations), strings.Join(violations, "\n- ")))
	return hook.Allow()
}

// output is the text of what a test command printed; ok is false where it holds
// a text of another type, which nothing can be said about.
func output(e *claude.Event) (s string, ok bool) {
	r := e.Result()
	switch {
	case r.Kind() == ordered.String:
		return e.ResultText(), true
	case r.Get("text").Present():
		return r.Get("text").Text(), r.Get("text").Kind() == ordered.String
	case r.Get("stdout") != nil || r.Get("stderr") != nil || r.Get("content") != nil:
		return e.ResultText(), true
	}
	return "", true
}

// A priority is the results of the tests of one level.
type priority struct{ pass, fail, skip int }

func (p priority) ran() bool { return p.pass+p.fail+p.skip > 0 }

// tally counts the results of P0 to P3, line by line. A line that names several
// levels counts for each of them.
func tally(s string) (levels [4]priority) {
	for l := range strings.SplitSeq(s, "\n") {
		low := text.LowerASCII(l)
		for i := range levels {
			if strings.Contains(low, "p"+string(rune('0'+i))) {
				levels[i].count(l, low)
			}
		}
	}
	return levels
}

var (
	passWord = pattern.Pattern{Expr: `\bpass|ok\b`}
	failWord = pattern.Pattern{Expr: `\bfail`}
	skipWord = pattern.Pattern{Expr: `\bskip|\btodo\b`}
)

// count adds the result that a line tells; low is the line in lower case.
func (p *priority) count(l, low string) {
	switch {
	case strings.Contains(l, "✓") || passWord.In(low):
		p.pass++
	case strings.Contains(l, "✗") || failWord.In(low):
		p.fail++
	case skipWord.In(low):
		p.skip++
	}
}

// check tells where the order of the priorities is violated (spec 40 §7.6).
func check(levels [4]priority) (violations []string) {
	p0, p1, p2 := levels[0], levels[1], levels[2]
	if p1.ran() && p0.fail > 0 {
		violations = append(violations, fmt.Sprintf("P1 tests were run while %d P0 tests fail", p0.fail))
	}
	if p0.skip > 0 {
		violations = append(violations, fmt.Sprintf("%d P0 tests are skipped, and none may skip", p0.skip))
	}
	if p2.ran() && p1.fail > 0 {
		violations = append(violations, fmt.Sprintf("P2 tests were run while %d P1 tests fail", p1.fail))
	}
	return violations
}
