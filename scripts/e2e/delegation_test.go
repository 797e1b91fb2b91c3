package e2e

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// delegate is the input of a call of the sub-agent tool. What else the agent is
// to read follows the name of its script.
func delegate(agent, script, more string) object {
	return object{"description": "delegated work", "subagent_type": agent, "prompt": play(script) + " " + more}
}

// awaited makes a call of the sub-agent tool one whose end the model waits for.
func awaited(input object) object {
	input["run_in_background"] = false
	return input
}

// Work that belongs to another phase is not handed over, and the agent of the
// current phase gets it then.
var wrongDelegation = scenario{
	name:     "wrong-delegation",
	programs: []string{"pre-task-dispatcher", "post-task-dispatcher"},
	arrange:  implementing,
	scripts: map[string]script{
		"main": {
			use("toolu_review", "Agent", awaited(delegate("qa-engineer", "review", "Review the search."))),
			use("toolu_develop", "Agent", awaited(delegate("software-developer", "develop", "Write the search."))),
			say("The search is written."),
		},
		"review":  {say("The search looks good.")},
		"develop": {use("toolu_develop_write", "Write", object{"file_path": "{{project}}/search.js", "content": "exports.search = () => []\n"}), say("The search is there.")},
	},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_review", "qa-engineer", "08-code-review", "06-implementation", "GATE-06")
		assert.Check(t, is.Equal(s.heard("review").answered(), 0), "the wrong agent ran")
		assert.Check(t, is.Len(s.heard("review").Messages, 0), "the wrong agent was asked")
		s.ran(t, "main", "toolu_develop", "The search is there.")
		assert.Check(t, is.Equal(s.read("search.js"), "exports.search = () => []\n"))
		assert.Check(t, is.DeepEqual(s.agents(t), []string{"software-developer"}))
	},
}

// An agent in the background reports when it stops: what it says is judged then,
// once. The same holds for one that the model waits for, although the client
// shows its report twice.
var backgroundAgent = scenario{
	name:     "background-agent",
	programs: []string{"pre-task-dispatcher", "post-task-dispatcher"},
	arrange:  implementing,
	scripts: map[string]script{
		"main": {
			use("toolu_awaited", "Agent", awaited(delegate("software-developer", "awaited", "Write the search."))),
			use("toolu_background", "Agent", delegate("software-developer", "background", "Write the index.")),
			say("I wait for the index."),
			say("The index is written."),
		},
		"awaited":    {say("The search is there. Would you like to proceed?")},
		"background": {slowly(say("The index is there. Should I continue?"), "main", 3)},
	},
	check: func(t *testing.T, s *session) {
		s.ran(t, "main", "toolu_awaited", "The search is there.")
		s.ran(t, "main", "toolu_background", "background")
		assert.Check(t, is.Contains(s.heard("main").between("toolu_background", ""), "The index is there."))
		log := s.read(".isdlc/hook-activity.log")
		assert.Check(t, is.Equal(s.warnings("phase-transition-enforcer"), 2))
		assert.Check(t, is.Contains(log, "Would you like to proceed"))
		assert.Check(t, is.Contains(log, "Should I continue"))
		assert.Check(t, is.DeepEqual(s.agents(t), []string{"software-developer", "software-developer"}))
	},
}

// The command to go on to the next phase is not even loaded while the gate of the
// current one is shut.
var shutGate = scenario{
	name:     "shut-gate",
	programs: []string{"pre-skill-dispatcher"},
	arrange: func(s *session) {
		implementing(s)
		s.Write(".claude/skills/isdlc/SKILL.md", isdlcCommand)
	},
	scripts: map[string]script{"main": {
		use("toolu_advance", "Skill", object{"skill": "isdlc", "args": "advance"}),
		say("The gate is shut."),
	}},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_advance", "06-implementation", "test_iteration", "constitutional_validation")
		assert.Check(t, !strings.Contains(s.heard("main").between("toolu_advance", ""), "Phase-Loop Controller"), "the command was loaded")
		assert.Check(t, is.Equal(string(s.state(t).PendingDelegation), ""))
	},
}

// A command that was loaded as a skill and not delegated keeps the turn from
// ending until the orchestrator has run.
var pendingDelegation = scenario{
	name:     "pending-delegation",
	programs: []string{"skill-delegation-enforcer", "delegation-gate", "post-task-dispatcher"},
	arrange: func(s *session) {
		implementing(s)
		s.Write(".isdlc/state.json", `{"state_version": 1}`)
		s.Write(".claude/skills/isdlc/SKILL.md", isdlcCommand)
	},
	scripts: map[string]script{
		"main": {
			use("toolu_skill", "Skill", object{"skill": "isdlc", "args": "feature search"}),
			say("I have read the command and stop here."),
			use("toolu_orchestrate", "Agent", awaited(delegate("sdlc-orchestrator", "orchestrate", "Initialise the workflow."))),
			say("The workflow has begun."),
		},
		"orchestrate": {say("The workflow is initialised.")},
	},
	check: func(t *testing.T, s *session) {
		main := s.heard("main")
		told := main.between("toolu_skill", "toolu_orchestrate")
		assert.Check(t, is.Contains(told, "PostToolUse:Skill hook additional context: "))
		assert.Check(t, is.Contains(told, "sdlc-orchestrator"))
		assert.Check(t, is.Contains(told, "Stop hook feedback:"), "the turn has ended with the delegation pending")
		s.ran(t, "main", "toolu_orchestrate", "The workflow is initialised.")
		assert.Check(t, is.Equal(strings.Count(main.between("toolu_skill", ""), "Stop hook feedback:"), 1))
		assert.Check(t, is.Equal(string(s.state(t).PendingDelegation), "null"))
		assert.Check(t, is.DeepEqual(s.agents(t), []string{"sdlc-orchestrator"}))
	},
}

// The provider router chooses the model of one agent; the other keeps that of the
// session.
var chosenModel = scenario{
	name:     "chosen-model",
	with:     []string{"provider"},
	programs: []string{"model-provider-router", "pre-task-dispatcher"},
	arrange: func(s *session) {
		implementing(s)
		s.Write(".isdlc/providers.yaml", "providers:\n  anthropic: {}\ndefaults: {provider: anthropic, model: sonnet}\n"+
			"agent_overrides:\n  software-developer: {provider: anthropic, model: haiku}\n")
	},
	scripts: map[string]script{
		"main": {
			use("toolu_develop", "Agent", awaited(delegate("software-developer", "develop", "Write the search."))),
			use("toolu_orchestrate", "Agent", awaited(delegate("sdlc-orchestrator", "orchestrate", "Say how far we are."))),
			say("The search is written."),
		},
		"develop":     {say("The search is there.")},
		"orchestrate": {say("We are in the implementation.")},
	},
	check: func(t *testing.T, s *session) {
		s.ran(t, "main", "toolu_develop", "The search is there.")
		s.ran(t, "main", "toolu_orchestrate", "We are in the implementation.")
		assert.Check(t, is.Contains(s.asked("develop"), "haiku"))
		assert.Check(t, is.Contains(s.asked("orchestrate"), "sonnet"))
		assert.Check(t, is.Contains(s.asked("main"), "sonnet"))
	},
}
