// Package rules_test holds what the rules about gates have in common: decisions
// that change how the older hooks behave, and how often a process asks the disk.
package rules_test

import (
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) {
	if os.Getenv(spyVariable) != "" {
		spy()
		return
	}
	hooktest.Main(m)
}

const (
	compliant = `"constitutional_validation":{"completed":true,"status":"compliant","iterations_used":1,"articles_checked":["I"]}`
	advance   = `{"tool_name":"Agent","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"Advance now"}}`
	finished  = `{"tool_name":"Agent","tool_input":{"prompt":"phase complete"}}`
)

// TestDecisions exercises spec 05 where the vectors do not.
func TestDecisions(t *testing.T) {
	for _, test := range []struct {
		name, program string
		state         string
		files         map[string]string
		event         string
		git           bool
		blocks        []string // what the reason holds; nil: the call goes on
		after         []string // what the state holds afterwards, compact; nil: unchanged
	}{
		{
			name: "B.3: a record under an older key counts, and is written back there", program: "gate-blocker",
			state: `{"active_workflow":{"type":"feature","phases":["12-test-deploy"],"current_phase":"13-test-deploy","current_phase_index":0},
				"phases":{"13-test-deploy":{"status":"in_progress","constitutional_validation":{"completed":false,"status":"iterating","iterations_used":2,"max_iterations":4}}}}`,
			event: advance, blocks: []string{"12-test-deploy", "2/4"},
			after: []string{`"phases":{"13-test-deploy":{"status":"in_progress"`, `"gate_validation":{"status":"blocked"`},
		},
		{
			name: "B.3: a log entry under an older key counts", program: "gate-blocker",
			state: `{"current_phase":"12-test-deploy","phases":{"12-test-deploy":{` + compliant + `}},
				"skill_usage_log":[null,7,{"agent":"deployment-engineer-staging","agent_phase":"13-test-deploy"}]}`,
			event: advance,
		},
		{
			name: "B.4: constitution-validator reads overrides", program: "constitution-validator",
			state: `{"active_workflow":{"type":"feature","current_phase":"08-code-review"},"phases":{"08-code-review":{"status":"x"}}}`,
			event: finished, blocks: []string{"Article VI:", "Article IX:"},
			after: []string{`"articles_required":["VI","IX"]`},
		},
		{
			name: "B.4: an override may lift the validation", program: "constitution-validator",
			state: `{"active_workflow":{"type":"feature","current_phase":"08-code-review"}}`,
			files: map[string]string{".claude/hooks/config/iteration-requirements.json": `{
				"phase_requirements":{"08-code-review":{"constitutional_validation":{"enabled":true,"articles":["I"]}}},
				"workflow_overrides":{"feature":{"08-code-review":{"constitutional_validation":{"enabled":false}}}}}`},
			event: finished,
		},
		{
			name: "B.5: artifacts of a monorepo project are in its own docs", program: "gate-blocker",
			state: `{"active_workflow":{"type":"x","current_phase":"04-design","artifact_folder":"R1"},"phases":{"04-design":{"status":"in_progress",` + compliant + `}}}`,
			files: map[string]string{
				".isdlc/monorepo.json":                       `{"default_project":"api","projects":{"api":{"path":"api"}}}`,
				"docs/api/requirements/R1/module-design.md":  "",
				"docs/web/requirements/R1/module-design.txt": "",
			},
			event: advance,
		},
		{
			name: "B.5: those of another project do not count", program: "gate-blocker",
			state: `{"active_workflow":{"type":"x","current_phase":"04-design","artifact_folder":"R1"},"phases":{"04-design":{"status":"in_progress",` + compliant + `}}}`,
			files: map[string]string{
				".isdlc/monorepo.json":                      `{"default_project":"api","projects":{"api":{"path":"api"}}}`,
				"docs/web/requirements/R1/module-design.md": "",
			},
			event: advance, blocks: []string{"docs/requirements/R1/module-design.md"}, after: []string{`"CREATE_ARTIFACTS"`},
		},
		{
			name: "B.5: a folder that leads outside counts as absent", program: "gate-blocker",
			state: `{"active_workflow":{"type":"x","current_phase":"04-design","artifact_folder":"../R1"},"phases":{"04-design":{"status":"in_progress",` + compliant + `}}}`,
			event: advance,
		},
		{
			name: "C.3: words are not found inside others", program: "gate-blocker",
			state: `{"current_phase":"08-code-review"}`,
			event: `{"tool_name":"Task","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"Investigate and delegate; x_gate, 7proceed, éadvance"}}`,
		},
		{
			name: "C.3: but after anything else", program: "gate-blocker",
			state: `{"current_phase":"08-code-review"}`,
			event: `{"tool_name":"Task","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"re-gates"}}`, blocks: []string{"08-code-review"},
			after: []string{`"gate_blocked"`},
		},
		{
			name: "C.3: in the arguments of the skill, too", program: "gate-blocker",
			state: `{"current_phase":"08-code-review"}`,
			event: `{"tool_name":"Skill","tool_input":{"skill":"isdlc","args":"investigate"}}`,
		},
		{
			name: "C.4: any agent of the phase will do", program: "gate-blocker",
			state: `{"current_phase":"02-impact-analysis","phases":{"02-impact-analysis":{` + compliant + `}},
				"skill_usage_log":[{"agent":"risk-assessor","agent_phase":"02-impact-analysis"}]}`,
			event: advance,
		},
		{
			name: "C.4: an agent of another phase will not", program: "gate-blocker",
			state: `{"current_phase":"02-impact-analysis","phases":{"02-impact-analysis":{` + compliant + `}},
				"skill_usage_log":[{"agent":"qa-engineer","agent_phase":"02-impact-analysis"}]}`,
			event: advance, blocks: []string{"agent_delegation", "impact-analyzer"}, after: []string{`"expected_agent":"impact-analyzer"`},
		},
		{
			name: "20 §1.2: an older key and a review: the log alone tells of the key", program: "gate-blocker",
			state: `{"active_workflow":{"current_phase":"14-production","supervised_review":{"status":"reviewing"}}}`,
			event: advance, blocks: []string{"13-production", "review"},
		},
		{
			name: "20 §4.1: the older key of an upgrade in a text says nothing", program: "test-adequacy-blocker",
			state: `{"discovery_context":{"coverage_summary":{}}}`,
			event: `{"tool_name":"Agent","tool_input":{"prompt":"Run 16-upgrade-plan"}}`,
		},
		{
			name: "B.3: the dispatcher knows the older key of an upgrade", program: "pre-task-dispatcher",
			state: `{"active_workflow":{"type":"upgrade","current_phase":"16-upgrade-plan"},"phases":{"16-upgrade-plan":{"status":"in_progress"}},"discovery_context":{"coverage_summary":{}}}`,
			files: map[string]string{"docs/isdlc/tasks.md": ""},
			event: `{"tool_name":"Agent","tool_input":{"subagent_type":"upgrade-engineer","prompt":"Go on"}}`, blocks: []string{"total_tests", "50%"},
		},
		{
			name: "C.6: the skill may want to leave, too", program: "blast-radius-validator", git: true,
			state: `{"active_workflow":{"current_phase":"06-implementation","artifact_folder":"R1"}}`,
			files: map[string]string{"docs/requirements/R1/impact-analysis.md": "| `a.go` | MODIFY |"},
			event: `{"tool_name":"Skill","tool_input":{"skill":"isdlc","args":"advance"}}`, blocks: []string{"a.go", "MODIFY"},
		},
		{
			name: "C.6: work on the phase under its older key is let go", program: "blast-radius-validator", git: true,
			state: `{"active_workflow":{"current_phase":"16-upgrade-plan","artifact_folder":"R1"}}`,
			files: map[string]string{"docs/requirements/R1/impact-analysis.md": "| `a.go` | MODIFY |"},
			event: `{"tool_name":"Agent","tool_input":{"subagent_type":"upgrade-engineer","prompt":"Go on"}}`,
		},
		{
			name: "B.5: the impact analysis of a monorepo project", program: "blast-radius-validator", git: true,
			state: `{"active_workflow":{"current_phase":"06-implementation","artifact_folder":"R1"}}`,
			files: map[string]string{
				".isdlc/monorepo.json":                              `{"default_project":"api","projects":{"api":{"path":"api"}}}`,
				"docs/api/requirements/R1/impact-analysis.md":       "| `a.go` | MODIFY |\n| `b.go` | CREATE |",
				"docs/api/requirements/R1/blast-radius-coverage.md": "| `b.go` | CREATE | deferred | later |",
				"docs/requirements/R1/impact-analysis.md":           "",
				"docs/requirements/R1/blast-radius-coverage.md":     "| `a.go` | MODIFY | deferred | later |",
			},
			event: advance, blocks: []string{"1 of 2", "a.go", "1 deferred"},
		},
		{
			name: "a summary of the wrong type is none", program: "test-adequacy-blocker",
			state: `{"discovery_context":{"coverage_summary":["total_tests"]}}`,
			event: `{"tool_name":"Agent","tool_input":{"prompt":"upgrade-engineer"}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := hooktest.NewProject(t)
			p.Configs()
			state := ".isdlc/state.json"
			if test.files[".isdlc/monorepo.json"] != "" {
				state = ".isdlc/projects/api/state.json"
			}
			p.Write(state, test.state)
			for name, text := range test.files {
				p.Write(name, text)
			}
			if test.git {
				p.Git(hooktest.Repository{})
			}
			r := p.Run(test.program, test.event)
			assert.Equal(t, r.Exit, 0)
			assert.Equal(t, strings.Contains(r.Stdout, `"permissionDecision":"deny"`), test.blocks != nil, r.Stdout)
			for _, want := range test.blocks {
				assert.Assert(t, cmp.Contains(r.Stdout, want))
			}
			after := p.Files()[state].Data
			if test.after == nil {
				assert.Equal(t, after, test.state)
			}
			for _, want := range test.after {
				assert.Assert(t, cmp.Contains(compact(t, after), want))
			}
			if strings.HasPrefix(test.name, "20 §1.2") {
				assert.Equal(t, r.Stderr, "")
				assert.Assert(t, cmp.Contains(p.Files()[".isdlc/hook-activity.log"].Data, "14-production"))
			}
		})
	}
}
