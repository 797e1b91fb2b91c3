// Package constitutionaliterationvalidator keeps the gate of a phase shut while
// its constitutional validation is recorded as unfinished, or not as it has to be
// (spec 50 §5).
package constitutionaliterationvalidator

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/text"
	"isdlc-hooks/lib/validate"
)

// Hook is constitutional-iteration-validator.
var Hook = &hook.Hook{
	Name:   "constitutional-iteration-validator",
	Doc:    "block a gate check while the constitutional validation of the phase is not complete",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Skill},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	if !isGateCall(c.Event) {
		return hook.Allow()
	}
	key := c.State().WorkflowPhase()
	if key == "" {
		return hook.Allow()
	}
	section := c.State().Phase(key).Get("constitutional_validation")
	if !section.Present() {
		c.Log("skip", key, "", "no constitutional_validation is recorded for the phase")
		return hook.Allow()
	}
	found := validate.Constitutional(key, section)
	if len(found) == 0 {
		c.Log("allow", key, "", "Validation complete")
		return hook.Allow()
	}
	var facts []string
	for _, f := range found {
		facts = append(facts, f.Fact)
	}
	c.Log("block", key, "", strings.Join(facts, "; "))
	return hook.Block(fmt.Sprintf("CONSTITUTIONAL VALIDATION INCOMPLETE: the gate of phase %s stays shut, because its constitutional_validation in state.json is not finished:\n- %s\n"+
		"Check the artifacts of the phase against the articles of the constitution, record the result there, then ask for the gate again.",
		key, strings.Join(facts, "\n- ")))
}

// isGateCall tells whether a call of a skill is about passing a gate (spec 50
// §5.1).
func isGateCall(e *claude.Event) bool {
	switch text.LowerASCII(e.Text("skill")) {
	case "/isdlc", "isdlc", "/sdlc":
		if hasGateWord(e.Text("args")) {
			return true
		}
	}
	return hasGateWord(e.FirstText("prompt", "description"))
}

// gateWords count anywhere, also inside longer words.
var gateWords = []string{
	"gatecheck", "gate-check", "gate_check",
	"gatevalidation", "gate-validation", "gate_validation",
	"phasetransition", "phase-transition", "phase_transition",
}

func hasGateWord(s string) bool {
	s = text.LowerASCII(s)
	return text.ContainsAny(s, gateWords) || hasWord(s, "advance")
}

// hasWord tells whether word stands in s with no ASCII letter, digit or
// underscore right before or after it.
func hasWord(s, word string) bool {
	for {
		before, after, ok := strings.Cut(s, word)
		if !ok {
			return false
		}
		if (before == "" || !isWord(before[len(before)-1])) && (after == "" || !isWord(after[0])) {
			return true
		}
		s = s[len(before)+1:]
	}
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}
