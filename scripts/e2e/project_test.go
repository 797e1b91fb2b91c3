package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
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

// isdlcCommand is the command of the framework, which the client loads as a skill.
const isdlcCommand = "---\nname: isdlc\ndescription: run a workflow\n---\nStep 1: Phase-Loop Controller.\n"

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

// agents are those whose runs the state has on record.
func (s *session) agents(t *testing.T) (names []string) {
	t.Helper()
	for _, entry := range s.state(t).SkillUsageLog {
		names = append(names, entry.Agent)
	}
	return names
}

// warnings counts the entries that a hook made in the activity log.
func (s *session) warnings(hook string) int {
	return strings.Count(s.read(".isdlc/hook-activity.log"), `"hook":"`+hook+`","event":"warn"`)
}

// git asks the project's repository.
func (s *session) git(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = s.Dir
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Home, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	output, err := command.CombinedOutput()
	assert.NilError(t, err, "git %v: %s", args, output)
	return strings.TrimSpace(string(output))
}
