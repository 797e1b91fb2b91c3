// Package advancement tells which calls ask to pass the gate of a phase. It is no
// hook of its own: the rules that guard a gate ask it (spec 20 §2.1).
package advancement

import (
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// Attempted tells whether the call of c is an attempt to advance: a call of an
// orchestrator that speaks of it, or of the workflow's skill.
func Attempted(c *hook.Context) bool {
	switch c.Event.Tool {
	case claude.Task:
		return byAgent(c)
	case claude.Skill:
		return bySkill(c.Event)
	}
	return false
}

// skillWords are the arguments that ask the skill to advance, agentWords what
// asks an orchestrator besides. White space in them is a blank and nothing else.
var (
	skillWords = []text.Phrase{
		{Words: []string{"advance"}},
		{Words: []string{"gate"}},
	}
	agentWords = []text.Phrase{
		{Words: []string{"next phase"}},
		{Words: []string{"proceed"}},
		{Words: []string{"move to phase"}},
		{Words: []string{"progress to"}},
	}
)

// byAgent looks at the words first: whether it is a delegation takes the
// manifest to say.
func byAgent(c *hook.Context) bool {
	call := c.Call()
	if !strings.Contains(text.Lower(call.Agent), "orchestrator") || phase.IsSetup(call.Text()) {
		return false
	}
	if !asks(call.Prompt) && !asks(call.Description) {
		return false
	}
	_, delegated := c.Delegation()
	return !delegated
}

func asks(s string) bool {
	s = text.Lower(s)
	return text.AnyPhrase(s, skillWords, true) || text.AnyPhrase(s, agentWords, true)
}

func bySkill(e *claude.Event) bool {
	args := text.Lower(e.Text("args"))
	return text.Lower(e.Text("skill")) == "isdlc" && !phase.IsSetup(args) && text.AnyPhrase(args, skillWords, true)
}
