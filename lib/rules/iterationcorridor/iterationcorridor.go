// Package iterationcorridor keeps an agent inside its repair loop: while tests
// fail or the constitutional validation is open, it may work, but not advance
// (spec 10 §2).
package iterationcorridor

import (
	"cmp"
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/escalate"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/rules/advancement"
	"isdlc-hooks/lib/text"
)

const name = "iteration-corridor"

// Hook is iteration-corridor.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block attempts to leave a phase while its tests fail or its constitutional validation is open",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task, claude.Skill},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	st := c.State()
	if st == nil || !st.Enforced() {
		return hook.Allow()
	}
	written := st.CurrentPhase()
	if written == "" {
		return hook.Allow()
	}
	key, notice := phase.Resolve(written)
	if notice != "" {
		c.SelfHeal("", notice)
	}
	required := c.Requirements(key)
	if required == nil {
		c.SelfHeal("", fmt.Sprintf("no requirements are configured for phase %s, so nothing is enforced there", key))
		return hook.Allow()
	}
	corridor := find(required, st.Phase(key))
	if corridor == nil || !leaves(c) {
		return hook.Allow()
	}
	reason := corridor.message(toolName(c.Event.Tool))
	escalate.Add(st, escalate.Escalation{Type: "corridor_blocked", Hook: name, Phase: key, Detail: reason}, c.Now())
	return hook.Block(reason)
}

// A corridor is what an agent has to finish before it may leave.
type corridor interface{ message(tool string) string }

// find tells which corridor a phase is in, by what it requires and what its
// record says; nil for none (spec 10 §2.2).
func find(required, record *ordered.Value) corridor {
	if record == nil {
		return nil
	}
	testsRequired := required.Get("test_iteration", "enabled").Present()
	tests := record.Get("iteration_requirements", "test_iteration")
	completed, escalated := tests.Get("completed").Present(), tests.Get("status").Text() == "escalated"
	if testsRequired && tests.IsObject() && !completed && !escalated && tests.Get("last_test_result").Text() == "failed" {
		return testCorridor{tests}
	}
	satisfied := !testsRequired || completed && (!escalated || tests.Get("escalation_approved").Present())
	if !satisfied || !required.Get("constitutional_validation", "enabled").Present() {
		return nil
	}
	validation := record.Get("constitutional_validation")
	switch {
	case validation.IsObject() && !validation.Get("completed").Present() && validation.Get("status").Text() != "escalated":
	case !validation.IsObject() && completed:
	default:
		return nil
	}
	return constitutionalCorridor{required.Get("constitutional_validation"), validation}
}

type testCorridor struct{ tests *ordered.Value }

func (t testCorridor) message(tool string) string {
	lastError := "unknown"
	if history := t.tests.Get("history").Items(); len(history) > 0 {
		lastError = orUnknown(history[len(history)-1].Get("error"))
	}
	return fmt.Sprintf("ITERATION CORRIDOR: the tests of this phase fail (iteration %s/%s), so this %s call that would leave it is stopped.\n"+
		"Last error: %s\n"+
		"Fix the cause and run the tests again: %s\n"+
		"Advance once they pass.",
		number(t.tests.Get("current_iteration")), number(t.tests.Get("max_iterations")), tool,
		lastError, orUnknown(t.tests.Get("last_test_command")))
}

type constitutionalCorridor struct {
	required *ordered.Value
	record   *ordered.Value // nil before the validation has begun
}

func (v constitutionalCorridor) message(tool string) string {
	status := v.record.Get("status").Text()
	if status == "" {
		status = "not_started"
	}
	limit := v.record.Get("max_iterations")
	if !limit.Present() {
		limit = v.required.Get("max_iterations")
	}
	var articles []string
	for _, a := range v.required.Get("articles").Items() {
		articles = append(articles, a.Text())
	}
	return fmt.Sprintf("ITERATION CORRIDOR: the work of this phase is not yet validated against the constitution (status %s, iteration %s/%s), so this %s call that would leave the phase is stopped.\n"+
		"Check it against the articles %s of docs/isdlc/constitution.md, mend what violates them, and record the result in the phase's constitutional_validation.\n"+
		"Advance once it is compliant.",
		status, number(v.record.Get("iterations_used")), number(limit), tool, strings.Join(articles, ", "))
}

func orUnknown(v *ordered.Value) string { return cmp.Or(v.Text(), "unknown") }

// number shows a count as it is written, 0 where there is none.
func number(v *ordered.Value) string { return cmp.Or(v.Literal(), "0") }

func toolName(t claude.Tool) string { return text.Lower(string(t)) }

// leaving are the words with which an agent asks to go on (spec 10 §2.3).
var leaving = []text.Phrase{
	{Words: []string{"advance"}},
	{Words: []string{"gate"}},
	{Words: []string{"next", "phase"}},
	{Words: []string{"proceed"}},
	{Words: []string{"move", "to", "phase"}},
	{Words: []string{"progress", "to"}},
	{Words: []string{"delegate"}},
	{Words: []string{"hand", "off"}, Glued: true},
	{Words: []string{"phase", "complete"}},
	{Words: []string{"declare", "complete"}},
}

// leaves tells whether the call is an attempt to leave the phase. A skill asks
// for it in the same way as at a gate.
func leaves(c *hook.Context) bool {
	if c.Event.Tool == claude.Skill {
		return advancement.Attempted(c)
	}
	searched := c.Call().Text()
	if phase.IsSetup(searched) || !text.AnyPhrase(text.LowerASCII(searched), leaving, true) {
		return false
	}
	_, delegated := c.Delegation()
	return !delegated
}
