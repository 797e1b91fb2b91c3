package delegationgate

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/delegation"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

func parse(t *testing.T, text string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(text))
	assert.NilError(t, err)
	return v
}

func TestVerify(t *testing.T) {
	const marker = `"pending_delegation": {"required_agent": "sdlc-orchestrator", "invoked_at": "2026-02-20T10:00:00.000Z"}`
	for _, c := range []struct {
		what  string
		state string
		done  bool
		err   error
	}{
		{"nothing known", `{` + marker + `}`, false, nil},
		{"phase under the canonical key", `{"current_phase": "13-test-deploy", "phases": {"12-test-deploy": {"status": "in_progress"}}, ` + marker + `}`, true, nil},
		{"phase under an alias", `{"current_phase": "12-test-deploy", "phases": {"13-test-deploy": {"status": "in_progress"}}, ` + marker + `}`, true, nil},
		{"status of the workflow alone", `{"active_workflow": {"current_phase": "01-requirements", "phase_status": {"01-requirements": "in_progress"}}, ` + marker + `}`, false, nil},
		{"index of a fraction", `{"active_workflow": {"current_phase_index": 0.5}, ` + marker + `}`, true, nil},
		{"index as text", `{"active_workflow": {"current_phase_index": "2"}, ` + marker + `}`, false, nil},
		{"index below the first", `{"active_workflow": {"current_phase_index": -1}, ` + marker + `}`, false, nil},
		{"entry at the same instant", `{"skill_usage_log": [null, {"timestamp": "2026-02-20T12:00:00+02:00", "agent": "isdlc:SDLC_orchestrator"}], ` + marker + `}`, true, nil},
		{"entry a millisecond before", `{"skill_usage_log": [{"timestamp": "2026-02-20T09:59:59.999Z", "agent": "sdlc-orchestrator"}], ` + marker + `}`, false, nil},
		{"entry whose agent is no text", `{"skill_usage_log": [{"timestamp": "2026-02-20T11:00:00Z", "agent": 7}], ` + marker + `}`, false, nil},
		{"empty required agent, empty log", `{"skill_usage_log": [], "pending_delegation": {"required_agent": ""}}`, false, nil},
		{"empty required agent, an entry", `{"skill_usage_log": [{"timestamp": "2026-02-20T11:00:00Z", "agent": "x"}], "pending_delegation": {"required_agent": ""}}`, false, errAgent},
		{"no required agent, an entry that is too old", `{"skill_usage_log": [{"timestamp": "2026-02-19", "agent": "x"}], "pending_delegation": {"invoked_at": "2026-02-20"}}`, false, nil},
		{"args that are no text, before all else", `{"active_workflow": {"current_phase_index": 3}, "pending_delegation": {"args": []}}`, false, errArgs},
		{"args that count as absent", `{"active_workflow": {"current_phase_index": 3}, "pending_delegation": {"args": false}}`, true, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := &state.State{Object: parse(t, c.state)}
			v, err := verify(s, s.Get(delegation.Field))
			assert.ErrorIs(t, err, c.err)
			assert.Equal(t, v.done, c.done)
		})
	}
}

func TestAPanicKeepsItShut(t *testing.T) {
	v, err := shut(func() (verdict, error) {
		var entries []string
		return verdict{done: true, why: entries[0]}, nil
	})
	assert.ErrorContains(t, err, "panic: runtime error: index out of range")
	assert.Equal(t, v, verdict{})
}
