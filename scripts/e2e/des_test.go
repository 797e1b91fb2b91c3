package e2e

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
)

// desPrompt is a delegation in seven phases; complete has all that it must carry.
func desPrompt(complete bool) string {
	lines := []string{
		"<!-- DES-VALIDATION: required -->", "<!-- DES-PROJECT-ID: search -->", "<!-- DES-STEP-ID: 01-01 -->",
		"# DES_METADATA", "# AGENT_IDENTITY", "# TASK_CONTEXT", "# QUALITY_GATES", "# OUTCOME_RECORDING", "# BOUNDARY_RULES",
	}
	if complete {
		lines = append(lines, "# TIMEOUT_INSTRUCTION", "# TDD_7_PHASES",
			"PREPARE, RED_ACCEPTANCE, RED_UNIT, GREEN, REVIEW, REFACTOR_CONTINUOUS, COMMIT")
	}
	return strings.Join(lines, "\n")
}

const desLog = `project_id: search
events:
  - "01-01|PREPARE|EXECUTED|PASS|2026-01-01T00:00:00Z"
  - "01-01|RED_ACCEPTANCE|EXECUTED|PASS|2026-01-01T00:01:00Z"
  - "01-01|RED_UNIT|EXECUTED|PASS|2026-01-01T00:02:00Z"
  - "01-01|GREEN|EXECUTED|PASS|2026-01-01T00:03:00Z"
  - "01-01|REVIEW|EXECUTED|PASS|2026-01-01T00:04:00Z"
  - "01-01|REFACTOR_CONTINUOUS|EXECUTED|PASS|2026-01-01T00:05:00Z"
  - "01-01|COMMIT|EXECUTED|PASS|2026-01-01T00:06:00Z"
`

// transcriptThere waits for the transcript of the agent, in which DES looks for
// its task. The client writes it with a delay of a tenth of a second, which an
// agent without a real model can be faster than.
const transcriptThere = `for i in $(seq 100); do ls "$CLAUDE_CONFIG_DIR"/projects/*/*/subagents/*.jsonl >/dev/null 2>&1 && break; sleep 0.1; done; echo worked`

// A delegation that lacks what DES asks for is not handed over. The agent of the
// complete one may not stop before its execution log is in order.
var desBlocks = scenario{
	name:     "des-blocks",
	with:     []string{"des"},
	programs: []string{"des-pre-tool-use", "des-subagent-stop"},
	unheard:  1, // an allow, which DES says in a word that is not the client's
	arrange: func(s *session) {
		implementing(s)
		s.Write(".isdlc/state.json", `{"state_version": 1}`)
		s.Git(hooktest.Repository{})
	},
	scripts: map[string]script{
		"main": {
			use("toolu_incomplete", "Agent", awaited(delegate("software-developer", "step", desPrompt(false)))),
			use("toolu_complete", "Agent", awaited(delegate("software-developer", "step", desPrompt(true)))),
			say("The step is done."),
		},
		"step": {
			use("toolu_work", "Bash", bash(transcriptThere)),
			say("The step is done."),
			use("toolu_log", "Write", object{"file_path": "{{project}}/docs/feature/search/execution-log.yaml", "content": desLog}),
			say("The step is done and on record."),
		},
	},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_incomplete", "MISSING", "TDD_7_PHASES", "TIMEOUT_INSTRUCTION", "INCOMPLETE")
		feedback := s.heard("step").between("toolu_work", "toolu_log")
		assert.Check(t, is.Contains(feedback, "Stop hook feedback:"))
		assert.Check(t, is.Contains(feedback, "LOG_FILE_NOT_FOUND"))
		s.ran(t, "step", "toolu_log")
		s.ran(t, "main", "toolu_complete", "The step is done and on record.")

		audit := ""
		for name, file := range s.Files() {
			if strings.HasPrefix(name, ".nwave/logs/des/audit-") {
				audit += file.Data
			}
		}
		for _, event := range []string{"HOOK_PRE_TOOL_USE_BLOCKED", "HOOK_PRE_TOOL_USE_ALLOWED", "HOOK_SUBAGENT_STOP_FAILED", "HOOK_SUBAGENT_STOP_PASSED"} {
			assert.Check(t, is.Equal(strings.Count(audit, event), 1), "%s in\n%s", event, audit)
		}
	},
}
