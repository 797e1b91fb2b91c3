package state

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

// FuzzViews holds that no document makes a view of the state panic, that looking
// changes nothing, and that raising the version gives a document again, with a
// version that is not below the old one.
func FuzzViews(f *testing.F) {
	for _, seed := range []string{
		`{"state_version":3,"current_phase":"06-implementation","active_workflow":{"current_phase":"13-test-deploy","phases":["x"],"artifact_folder":"a"},"phases":{"12-test-deploy":{"status":"x"}}}`,
		`{"active_workflow":"x","phases":[],"iteration_enforcement":{"enabled":false}}`,
		`{"state_version":1e400,"phases":{"":null},"active_workflow":{"artifact_folder":"../.."},"a":"2026-02-20T08:22:22.123+02:00"}`,
		`[]`, `{"state_version":-0}`, `{"active_workflow":{"current_phase":{"a":1}},"current_phase":7}`,
	} {
		f.Add([]byte(seed), "06-implementation")
	}
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		root, err := ordered.Parse(data)
		if err != nil || !root.IsObject() {
			return
		}
		s := &State{Object: root}
		s.Phase(s.CurrentPhase())
		s.Phase(s.WorkflowPhase())
		s.Phase(key)
		s.Enforced()
		s.Get(key, "a", key)
		if folder := s.ArtifactFolder(); folder == ".." || folder == "." {
			t.Errorf("a folder that leads out: %q", folder)
		}
		for _, m := range root.Members() {
			Time(m.Value)
		}
		assert.Assert(t, !s.Changed(), "looking changes nothing")

		before, _ := s.Get("state_version").Float()
		s.bumpVersion()
		after, ok := s.Get("state_version").Float()
		assert.Assert(t, ok && (after >= before || before > 1e300), "%v after %v", after, before)
		again, err := ordered.Parse(s.Object.Indent())
		assert.NilError(t, err)
		assert.Equal(t, string(again.Compact()), string(s.Object.Compact()))
	})
}
