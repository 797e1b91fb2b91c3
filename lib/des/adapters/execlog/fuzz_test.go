package execlog

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// FuzzRead holds that no execution log makes the reader panic, and that the same
// log gives the same answers again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"project_id: p\nevents:\n- \"01-01|PREPARE|EXECUTED|PASS|2026-01-01T00:00:00Z\"\n", "project_id: 7\nevents: x\n", "a: &a [*a]\n", "- x\n", "---\n---\n", "events: [1, {a: b}]", "",
	} {
		f.Add([]byte(seed), "01-01")
	}
	f.Fuzz(func(t *testing.T, data []byte, step string) {
		path := filepath.Join(t.TempDir(), "execution-log.yaml")
		assert.NilError(t, os.WriteFile(path, data, 0o644))
		l, err := YAML{}.Read(path)
		if err != nil {
			return
		}
		id, ok := l.ProjectID()
		events, err := l.StepEvents(step)
		again, okAgain := l.ProjectID()
		eventsAgain, errAgain := l.StepEvents(step)
		assert.Assert(t, id == again && ok == okAgain && len(events) == len(eventsAgain) && (err == nil) == (errAgain == nil))
		for _, e := range events {
			assert.Equal(t, e.StepID, step)
		}
	})
}
