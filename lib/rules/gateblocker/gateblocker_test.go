package gateblocker

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/state"
)

func load(t *testing.T, text string) *state.State {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.json")
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	return state.Load(path).State
}

func TestDiagnose(t *testing.T) {
	for text, remedy := range map[string]string{
		`{}`: "",
		`{"active_workflow":{"status":"completed"},"phases":null}`:                                 "stale_workflow_detected",
		`{"active_workflow":{"status":"cancelled"}}`:                                               "stale_workflow_detected",
		`{"active_workflow":{"status":"Completed"}}`:                                               "",
		`{"active_workflow":{"current_phase":"12-test-deploy"},"phases":{}}`:                       "missing_phase_state",
		`{"active_workflow":{"current_phase":"12-test-deploy"},"phases":{"12-test-deploy":null}}`:  "missing_phase_state",
		`{"active_workflow":{"current_phase":"12-test-deploy"},"phases":{"12-test-deploy":{}}}`:    "",
		`{"active_workflow":{"current_phase":"12-test-deploy"},"phases":{"13-test-deploy":{}}}`:    "",
		`{"active_workflow":{"current_phase":"13-test-deploy"},"phases":{"11-local-testing":{}}}`:  "missing_phase_state",
		`{"active_workflow":{"current_phase":"12-test-deploy"},"phases":null}`:                     "",
		`{"active_workflow":{"current_phase":"12-test-deploy"}}`:                                   "",
		`{"active_workflow":{},"current_phase":"12-test-deploy","phases":{}}`:                      "",
		`{"active_workflow":{"current_phase":"12-test-deploy","status":"running"},"phases":"all"}`: "",
	} {
		got := ""
		if c := diagnose(load(t, text), "12-test-deploy"); c != nil {
			got = c.remedy
		}
		assert.Equal(t, got, remedy, text)
	}
}
