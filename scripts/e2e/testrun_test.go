package e2e

import (
	"encoding/json"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// implementing is a project in the implementation of a feature, with the plan and
// the agents that belong to it.
func implementing(s *session) {
	s.Write("docs/isdlc/tasks.md", "# Tasks\n")
	s.Write(".isdlc/state.json", `{
  "state_version": 3,
  "active_workflow": {
    "type": "feature",
    "phases": ["05-test-strategy", "06-implementation", "08-code-review"],
    "current_phase": "06-implementation",
    "current_phase_index": 1,
    "phase_status": {"05-test-strategy": "completed", "06-implementation": "in_progress", "08-code-review": "pending"}
  },
  "phases": {
    "05-test-strategy": {"status": "completed"},
    "06-implementation": {"status": "in_progress"}
  }
}`)
	for _, name := range []string{"software-developer", "qa-engineer", "sdlc-orchestrator"} {
		s.Write(".claude/agents/"+name+".md", "---\nname: "+name+"\ndescription: works as "+name+"\n---\nDo what the prompt says.\n")
	}
}

// state is the state of the project.
func (s *session) state(t *testing.T) (state projectState) {
	t.Helper()
	assert.NilError(t, json.Unmarshal([]byte(s.read(".isdlc/state.json")), &state))
	return state
}

// projectState is the part of the state that the scenarios look at.
type projectState struct {
	StateVersion      int             `json:"state_version"`
	PendingDelegation json.RawMessage `json:"pending_delegation"`
	SkillUsageLog     []struct {
		Agent, Status string
	} `json:"skill_usage_log"`
	Phases map[string]struct {
		IterationRequirements struct {
			TestIteration testIteration `json:"test_iteration"`
		} `json:"iteration_requirements"`
	}
}

type testIteration struct {
	CurrentIteration int    `json:"current_iteration"`
	LastTestResult   string `json:"last_test_result"`
	FailuresCount    int    `json:"failures_count"`
	Completed        bool
	Status           string
	History          []struct {
		Result, Error string
		Failures      int
	}
}

// A failing test run, which today's client reports as a failure of the tool, is
// counted, and the model is told where it stands; the run that passes after the
// mend ends the count.
var testRuns = scenario{
	name:     "test-runs",
	programs: []string{"post-bash-dispatcher"},
	arrange: func(s *session) {
		implementing(s)
		s.Write("sum.js", "exports.sum = (a, b) => a - b\n")
		s.Write("sum.test.js", `const test = require('node:test')
const assert = require('node:assert')
const { sum } = require('./sum.js')

test('adds two numbers', () => assert.strictEqual(sum(2, 3), 5))
test('adds nothing', () => assert.strictEqual(sum(2, 0), 2))
`)
	},
	scripts: map[string]script{"main": {
		use("toolu_red", "Bash", bash("node --test")),
		use("toolu_read", "Read", object{"file_path": "{{project}}/sum.js"}),
		use("toolu_mend", "Edit", object{"file_path": "{{project}}/sum.js", "old_string": "a - b", "new_string": "a + b"}),
		use("toolu_green", "Bash", bash("node --test")),
		say("The tests pass."),
	}},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_red", "Exit code 1", "adds two numbers")
		s.ran(t, "main", "toolu_mend")
		s.ran(t, "main", "toolu_green", "pass 2")

		record := s.state(t).Phases["06-implementation"].IterationRequirements.TestIteration
		assert.Check(t, is.Equal(record.CurrentIteration, 2))
		assert.Check(t, is.Equal(record.LastTestResult, "passed"))
		assert.Check(t, is.Equal(record.FailuresCount, 1))
		assert.Check(t, record.Completed && record.Status == "success", "%+v", record)
		if assert.Check(t, is.Len(record.History, 2)) {
			assert.Check(t, is.Equal(record.History[0].Result, "FAILED"))
			assert.Check(t, is.Equal(record.History[0].Failures, 1))
			assert.Check(t, is.Equal(record.History[1].Result, "PASSED"))
		}

		told := s.heard("main").between("toolu_red", "toolu_read")
		assert.Check(t, is.Contains(told, "PostToolUseFailure:Bash hook additional context: "))
		assert.Check(t, is.Contains(told, "1/10"))
		told = s.heard("main").between("toolu_green", "")
		assert.Check(t, is.Contains(told, "PostToolUse:Bash hook additional context: "))
		assert.Check(t, is.Contains(told, "constitution"))
	},
}
