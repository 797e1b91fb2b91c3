package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

const (
	question = "Done. Shall we proceed?"
	menu     = "How would you like to start?\n[1] New Project\n[2] Existing Project\n[3] Scoped Analysis\n"

	anyWorkflow = `{"active_workflow": {"type": "feature", "current_phase": "06-implementation"}, "skill_enforcement": {"enabled": false}}`
	discovery   = `{"active_workflow": {"type": "discover", "current_phase": "06-implementation"}, "skill_enforcement": {"enabled": false}}`
	noWorkflow  = `{"active_workflow": null, "skill_enforcement": {"enabled": false}, "discovery_context": {}}`
	broken      = `{"active_workflow": [`

	registeredAtStop = `{"hooks": {"SubagentStop": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/dispatchers/post-task-dispatcher"}]}]}}`
	registeredBefore = `{"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/dispatchers/post-task-dispatcher"}]}]}}`
)

func ended(agent, prompt, result string) string {
	return fmt.Sprintf(`{"hook_event_name": "PostToolUse", "tool_name": "Agent", "tool_input": {"subagent_type": %q, "prompt": %q},`+
		`"tool_response": {"status": "completed", "agentId": "a1", "agentType": %[1]q, "content": [{"type": "text", "text": %[3]q}]}}`, agent, prompt, result)
}

func launched(agent, prompt string) string {
	return fmt.Sprintf(`{"hook_event_name": "PostToolUse", "tool_name": "Agent", "tool_input": {"subagent_type": %q, "prompt": %q},`+
		`"tool_response": {"isAsync": true, "status": "async_launched", "prompt": %[2]q}}`, agent, prompt)
}

func stopped(agent, message string) string {
	return fmt.Sprintf(`{"hook_event_name": "SubagentStop", "agent_type": %q, "stop_hook_active": true, "last_assistant_message": %s}`, agent, message)
}

// What the vectors do not hold: the two events of an agent in the foreground
// (spec 05 K.2), and the report of one in the background (spec 31 §3.5).
func TestEventsOfAnAgent(t *testing.T) {
	quote := strconv.Quote
	for _, test := range []struct {
		why      string
		state    string
		settings string
		program  string
		event    string
		warned   string // the hooks that warn, in order
	}{
		{"the question is judged at the stop", anyWorkflow, "", Dispatcher, stopped("worker", quote(question)), "phase-transition-enforcer"},
		{"and not again", anyWorkflow, registeredAtStop, Dispatcher, ended("worker", "", question), ""},
		{"but where nobody sees the stop", anyWorkflow, registeredBefore, Dispatcher, ended("worker", "", question), "phase-transition-enforcer"},
		{"or the settings are broken", anyWorkflow, "{", Dispatcher, ended("worker", "", question), "phase-transition-enforcer"},
		{"a rule alone leaves it to the dispatcher", anyWorkflow, registeredAtStop, "phase-transition-enforcer", ended("worker", "", question), ""},
		{"a rule alone that is seen to nowhere", anyWorkflow, registeredBefore, "phase-transition-enforcer", ended("worker", "", question), "phase-transition-enforcer"},
		{"a rule that is registered itself", anyWorkflow, strings.ReplaceAll(registeredAtStop, Dispatcher, "phase-transition-enforcer"), "phase-transition-enforcer", ended("worker", "", question), ""},
		{"an older client sends no message at the stop", anyWorkflow, registeredAtStop, Dispatcher, strings.ReplaceAll(ended("worker", "", question), "agentType", "x"), "phase-transition-enforcer"},

		{"before a workflow, discovery is judged", noWorkflow, "", Dispatcher, stopped("d0", quote(menu)), "walkthrough-tracker discover-menu-guard discover-menu-guard"},
		{"without a state nothing is", broken, "", Dispatcher, stopped("d0", quote(menu)), ""},
		{"nor in another workflow", anyWorkflow, "", Dispatcher, stopped("d0", quote(menu)), ""},
		{"walkthrough and menu are left to the stop", noWorkflow, registeredAtStop, Dispatcher, ended("d0", "", menu), ""},
		{"the prompt of a call in the background", discovery, registeredAtStop, Dispatcher, launched("d0", menu), "discover-menu-guard discover-menu-guard"},
		{"the prompt of a call in the foreground", discovery, registeredAtStop, Dispatcher, ended("d0", menu, "I have shown it."), "discover-menu-guard discover-menu-guard"},
		{"a discovery that only its prompt tells of", discovery, registeredAtStop, Dispatcher, ended("worker", "/discover", menu), "discover-menu-guard discover-menu-guard"},

		{"a message of a wrong type is none", discovery, "", Dispatcher, stopped("d0", `{"text": "`+strings.Repeat("1. ", 40)+`"}`), ""},
		{"no message", noWorkflow, "", Dispatcher, stopped("d0", "null"), ""},
	} {
		t.Run(test.why, func(t *testing.T) {
			p := hooktest.NewProject(t)
			p.Write(".isdlc/state.json", test.state)
			if test.settings != "" {
				p.Write(".claude/settings.json", test.settings)
			}
			before := p.Files()
			r := p.Run(test.program, test.event)
			assert.Equal(t, r.Exit, 0)
			assert.Equal(t, r.Stdout, "")
			after := p.Files()
			var warned []string
			for line := range strings.Lines(string(after[".isdlc/hook-activity.log"].Data)) {
				entry, err := ordered.Parse([]byte(line))
				assert.NilError(t, err)
				assert.Equal(t, entry.Get("event").Text(), "warn")
				warned = append(warned, entry.Get("hook").Text())
				assert.Assert(t, strings.Contains(strings.ToLower(r.Stderr), "warning"))
			}
			assert.Equal(t, strings.Join(warned, " "), test.warned)
			for _, name := range before.Changed(after) {
				assert.Equal(t, name, ".isdlc/hook-activity.log")
			}
		})
	}
}

// As a plugin the hooks are registered in a file of the plugin.
func TestAPluginThatSeesTheStop(t *testing.T) {
	for settings, warned := range map[string]bool{registeredAtStop: false, registeredBefore: true} {
		p := hooktest.NewProject(t)
		p.Write(".isdlc/state.json", anyWorkflow)
		p.Write("a plugin/hooks/hooks.json", settings)
		r := p.RunWith(Dispatcher, ended("worker", "", question), hooktest.Options{Env: map[string]string{"CLAUDE_PLUGIN_ROOT": p.Path("a plugin")}})
		assert.Equal(t, strings.Contains(strings.ToLower(r.Stderr), "warning"), warned)
	}
}
