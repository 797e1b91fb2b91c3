package logskillusage

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func TestJudge(t *testing.T) {
	manifest, err := ordered.Parse([]byte(`{"ownership": {
		"upgrade-engineer": {"phase": "15-upgrade-plan"},
		"qa-engineer": {"skills": []},
		"old": {"phase": "13-test-deploy"},
		"many": {"phase": ["05-test-strategy", "16-upgrade-plan"]},
		"mixed": {"phase": ["06-implementation", "all"]},
		"everywhere": {"phase": ["all"]},
		"helper": {"phase": "setup"},
		"odd": "06-implementation"
	}}`))
	assert.NilError(t, err)
	const executed, match, cross = "executed", "authorized-phase-match", "cross-phase-usage"
	for _, test := range []struct {
		agent, current string
		want           usage
	}{
		{"upgrade-engineer", "16-upgrade-plan", usage{"15-upgrade-plan", executed, match}},
		{"upgrade-engineer", "15-upgrade-execute", usage{"15-upgrade-execute", executed, match}},
		{"upgrade-engineer", "16-upgrade-execute", usage{"16-upgrade-execute", executed, match}},
		{"upgrade-engineer", "14-operations", usage{"15-upgrade-plan", "warned", cross}},
		{"qa-engineer", "08-code-review", usage{"", "warned", cross}},
		{"old", "12-test-deploy", usage{"13-test-deploy", executed, match}},
		{"many", "15-upgrade-plan", usage{"16-upgrade-plan", executed, match}},
		{"many", "06-implementation", usage{"05-test-strategy", "warned", cross}},
		{"mixed", "07-testing", usage{"06-implementation", "warned", cross}},
		{"everywhere", "07-testing", usage{"all", executed, "authorized-orchestrator"}},
		{"helper", "07-testing", usage{"setup", "warned", cross}},
		{"helper", "setup", usage{"setup", executed, match}},
		{"odd", "07-testing", usage{"", executed, "allowed"}},
		{"nobody", "07-testing", usage{"", executed, "allowed"}},
	} {
		assert.Equal(t, judge(manifest, test.agent, test.current, "warn"), test.want, "%s in %s", test.agent, test.current)
	}
	assert.Equal(t, judge(nil, "nobody", "07-testing", "warn"), usage{"", executed, "allowed"})
}
