package gateblocker

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
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

func TestAlternatives(t *testing.T) {
	for _, test := range []struct {
		paths, folder string
		want          [][]string
	}{
		{`["docs/a.md","docs/b.md","src/a.md","docs/c.md"]`, "", [][]string{{"docs/a.md", "docs/b.md", "docs/c.md"}, {"src/a.md"}}},
		{`["d/{artifact_folder}/x.md","d/x.md"]`, "", [][]string{{"d/x.md"}}},
		{`["{artifact_folder}/{artifact_folder}.md"]`, "$1", [][]string{{"$1/$1.md"}}},
		{`[7,null,"a.md",""]`, "F", [][]string{{"a.md"}}},
		{`[]`, "F", nil},
	} {
		paths, err := ordered.Parse([]byte(test.paths))
		assert.NilError(t, err)
		assert.DeepEqual(t, alternatives(paths.Items(), test.folder), test.want)
	}
	assert.Equal(t, describe([]string{"d/a.yaml", "d/b.md", "d/c.txt"}), "d/a.yaml (or b.md, c.txt)")
}
