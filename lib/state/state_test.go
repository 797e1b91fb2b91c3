package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

func load(t *testing.T, text string) *Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.json")
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	return Load(path)
}

func TestWhatIsNoState(t *testing.T) {
	for _, text := range []string{"", "{", "null", "[]", "7", `"x"`, "{} {}"} {
		d := load(t, text)
		assert.Assert(t, d.State == nil, text)
		assert.NilError(t, d.Err())
		assert.Assert(t, !d.State.Changed() && d.State.Get("a") == nil && d.State.CurrentPhase() == "" && d.State.Phase("x") == nil)
	}
	missing := Load(filepath.Join(t.TempDir(), "none"))
	assert.Assert(t, missing.State == nil)
	assert.NilError(t, missing.Err())
	folder := Load(t.TempDir())
	assert.Assert(t, folder.State == nil)
	assert.ErrorIs(t, folder.Err(), disk.ErrNotRegular)
	assert.Assert(t, load(t, "\xef\xbb\xbf{}").State != nil)
}

func TestVersions(t *testing.T) {
	for before, after := range map[string]string{
		`{}`: "1", `{"state_version":7}`: "8", `{"state_version":2.5}`: "3.5", `{"state_version":1e3}`: "1001",
		`{"state_version":0}`: "1", `{"state_version":0.5}`: "1", `{"state_version":-4}`: "1", `{"state_version":"9"}`: "1", `{"state_version":null}`: "1",
		`{"state_version":9007199254740993}`: "9007199254740994", `{"state_version":9223372036854775807}`: "9223372036854776000", `{"state_version":1e400}`: "1",
	} {
		d := load(t, before)
		d.State.Touch()
		assert.NilError(t, d.Commit(false))
		assert.Equal(t, Load(d.Path).State.Get("state_version").Literal(), after, before)
	}
}

func TestCommitComparesBytes(t *testing.T) {
	d := load(t, `{"state_version":1}`)
	d.State.Object.Set("mine", true)
	assert.NilError(t, os.WriteFile(d.Path, []byte(`{"state_version":1 }`), 0o644))
	assert.ErrorIs(t, d.Commit(false), disk.ErrChanged, "the version alone does not tell")
	data, err := os.ReadFile(d.Path)
	assert.NilError(t, err)
	assert.Equal(t, string(data), `{"state_version":1 }`)
}

func TestCreate(t *testing.T) {
	d := Load(filepath.Join(t.TempDir(), "state.json"))
	assert.Assert(t, d.Missing())
	d.Create().Object.Set("a", "b")
	late := Load(d.Path)
	late.Create()
	assert.NilError(t, d.Commit(false))
	assert.ErrorIs(t, late.Commit(false), disk.ErrChanged)
	again := Load(d.Path)
	assert.Assert(t, !again.Missing())
	assert.Equal(t, string(again.State.Object.Compact()), `{"a":"b","state_version":1}`)
}

func TestChanged(t *testing.T) {
	d := load(t, `{"a":{"b":1}}`)
	assert.Assert(t, !d.State.Changed())
	d.State.Get("a", "b")
	assert.Assert(t, !d.State.Changed(), "reading changes nothing")
	d.State.Get("a").Set("b", 1)
	assert.Assert(t, d.State.Changed())
}

func TestViews(t *testing.T) {
	st := load(t, `{"current_phase":"01-requirements","active_workflow":{"current_phase":"13-test-deploy"},
		"phases":{"13-test-deploy":{"status":"pending"},"06-implementation":"text"}}`).State
	assert.Equal(t, st.CurrentPhase(), "13-test-deploy")
	assert.Equal(t, st.Phase("12-test-deploy").Get("status").Text(), "pending")
	assert.Assert(t, st.Phase("06-implementation") == nil)

	stale := load(t, `{"current_phase":"01-requirements","active_workflow":{"current_phase":7},"iteration_enforcement":{"enabled":0}}`).State
	assert.Equal(t, stale.WorkflowPhase(), "")
	assert.Equal(t, stale.CurrentPhase(), "01-requirements")
	assert.Assert(t, stale.Enforced(), "only false switches it off")
	assert.Assert(t, !load(t, `{"iteration_enforcement":{"enabled":false}}`).State.Enforced())
	assert.Assert(t, load(t, `{"active_workflow":"text"}`).State.Workflow() == nil)
}

func TestTime(t *testing.T) {
	want := time.Date(2026, 2, 20, 8, 22, 22, 123_000_000, time.UTC)
	for text, ok := range map[string]bool{
		"2026-02-20T08:22:22.123Z": true, "2026-02-20T10:22:22.123+02:00": true,
		"": false, "yesterday": false, "2026-13-01": false,
	} {
		got, parsed := Time(ordered.Of(text))
		assert.Equal(t, parsed, ok, text)
		assert.Assert(t, !ok || got.Equal(want), text)
	}
	got, ok := Time(ordered.Of("2026-02-20"))
	assert.Assert(t, ok && got.Equal(time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)))
	got, ok = Time(ordered.Of("2026-02-20T08:00Z"))
	assert.Assert(t, ok && got.Equal(time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)))
	_, ok = Time(ordered.Of(5))
	assert.Assert(t, !ok)
}

func TestLoadAwaitsAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	assert.NilError(t, os.WriteFile(path, []byte(`{"a":`), 0o644))
	go func() {
		time.Sleep(10 * time.Millisecond)
		_ = os.WriteFile(path, []byte(`{"a":1}`), 0o644)
	}()
	assert.Equal(t, Load(path).State.Get("a").Literal(), "1")

	assert.NilError(t, os.WriteFile(path, []byte(`{"a":`), 0o644))
	assert.NilError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
	start := time.Now()
	assert.Assert(t, Load(path).State == nil)
	assert.Assert(t, time.Since(start) < 30*time.Millisecond, "nobody is writing a file that is old")
}
