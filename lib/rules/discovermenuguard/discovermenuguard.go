// Package discovermenuguard checks the opening menu of the discovery: three
// entries, and neither of the two that were taken away (spec 31 §2).
package discovermenuguard

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/rules/report"
	"isdlc-hooks/lib/text"
)

const (
	name         = "discover-menu-guard"
	orchestrator = "discover-orchestrator"
	discover     = "discover"
	expected     = "[1] New Project, [2] Existing Project, [3] Chat/Explore"
)

// Hook is discover-menu-guard.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "warn of an opening menu of the discovery that lacks an option or shows a removed one",
	Events: []claude.EventName{claude.PostToolUse, claude.SubagentStop},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	call, result := c.Call(), c.Event.ResultText()
	menu := judged(call, result)
	if menu == "" {
		return hook.Allow()
	}
	missing, forbidden := findings(menu)
	if len(missing)+len(forbidden) == 0 || seenAtStop(c, call.Agent, result) {
		return hook.Allow()
	}
	if len(missing) > 0 {
		c.Log("warn", "", "", "the opening menu of the discovery lacks "+strings.Join(missing, ", "))
		c.Warn(fmt.Sprintf("%s: warning: options are missing from the opening menu of the discovery: %s.\nThe menu has these entries: %s.",
			name, strings.Join(missing, ", "), expected))
	}
	if len(forbidden) > 0 {
		c.Log("warn", "", "", "the opening menu of the discovery shows removed options: "+strings.Join(forbidden, ", "))
		c.Warn(fmt.Sprintf("%s: warning: the opening menu of the discovery shows options that were removed: %s.\nThe menu has only these entries: %s.",
			name, strings.Join(forbidden, ", "), expected))
	}
	return hook.Allow()
}

// judged is the text of a call that is held against the menu: its result, else
// its prompt; "" where it shows none (spec 31 §2.1).
func judged(call phase.Call, result string) string {
	switch {
	case !isDiscovery(call):
		if strings.Contains(text.Lower(result), discover) && isMenu(result) && namesOption(result) {
			return result
		}
	case isMenu(result):
		return result
	case isMenu(call.Prompt) && namesOption(call.Prompt):
		return call.Prompt
	}
	return ""
}

// seenAtStop tells whether the result of the call is judged at SubagentStop,
// where nothing is known of the call but the agent. A menu in a prompt, or one
// that only the prompt tells to be of the discovery, is not seen there.
func seenAtStop(c *hook.Context, agent, result string) bool {
	return judged(phase.Call{Agent: agent}, result) != "" && report.LeftToStop(c, name)
}

func isDiscovery(call phase.Call) bool {
	return phase.NormalizeAgent(call.Agent) == orchestrator ||
		strings.Contains(text.Lower(call.Prompt), discover) ||
		strings.Contains(text.Lower(call.Description), discover)
}
