package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
)

var noon = time.Date(2026, 2, 6, 12, 30, 45, 123_999_999, time.FixedZone("", -12*3600)) // the 7th in UTC

func event(details map[string]any) app.AuditEvent {
	return app.AuditEvent{Time: noon, Event: "E", Hook: "PreToolUse", Decision: app.Allow, Details: details}
}

// The keys are in ascending order at every level, the time has milliseconds, and
// nothing that was given is rounded.
func TestRecord(t *testing.T) {
	e := event(map[string]any{
		"z": nil, "b": true, "n": 7, "s": "a\"<é\n", "l": []string{"x", "y"}, "e": []string(nil),
		"absent": domain.Value{},
		"big":    domain.Value{Kind: domain.Number, JSON: "12345678901234567890"},
		"given":  domain.Value{Kind: domain.Other, JSON: `{ "b": [ 1.50, {"d":1,"c":2} ], "a": "\u0041" }`},
	})
	e.FeatureName, e.Reason = "foo", "why"
	text, err := line(e)
	assert.NilError(t, err)
	assert.Equal(t, string(text), `{"decision":"allow","details":{"absent":null,"b":true,"big":12345678901234567890,"e":[],"given":{"a":"A","b":[1.50,{"c":2,"d":1}]},"l":["x","y"],"n":7,"s":"a\"<é\n","z":null},`+
		`"event":"E","feature_name":"foo","hook_type":"PreToolUse","reason":"why","step_id":null,"timestamp":"2026-02-07T00:30:45.123Z"}`+"\n")
	assert.Equal(t, checkRecord([]byte(strings.TrimSuffix(string(text), "\n")), "2026-02-07"), "")
}

func appendTo(t *testing.T, dir string, n int) {
	t.Helper()
	w := NewWriter(Place{Dir: dir, WorkDir: dir})
	for i := range n {
		assert.NilError(t, w.Append(event(map[string]any{"n": i})))
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}

func TestAppend(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "audit-2026-02-07.log")
	appendTo(t, dir, 2)
	first := read(t, path)
	assert.Equal(t, strings.Count(first, "\n"), 2)
	appendTo(t, dir, 1)
	assert.Check(t, strings.HasPrefix(read(t, path), first))
	assert.Equal(t, strings.Count(read(t, path), "\n"), 3)

	// A line that a full disk cut off stays alone.
	assert.NilError(t, os.WriteFile(path, []byte(`{"dec`), 0o640))
	appendTo(t, dir, 1)
	assert.Check(t, strings.HasPrefix(read(t, path), "{\"dec\n{\"decision\""))
}

// Each record is counted and hashed, also those that were there before.
func TestHashes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit-2026-02-07.log")
	w := NewWriter(Place{Dir: dir})
	hashes, err := w.Hashes(noon)
	assert.NilError(t, err)
	assert.Equal(t, len(hashes), 0)

	assert.NilError(t, os.WriteFile(path, []byte("there before\r\n\nand this\n"), 0o640))
	assert.NilError(t, w.Append(event(nil)))
	hashes, err = w.Hashes(noon)
	assert.NilError(t, err)
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return hex.EncodeToString(s[:])
	}
	record := strings.Split(read(t, path), "\n")[3]
	assert.DeepEqual(t, hashes, Hashes{sum("there before"), sum("and this"), sum(record)})

	digest, err := hashes.Digest(1, 3)
	assert.NilError(t, err)
	assert.Equal(t, digest, sum(hashes[1]+hashes[2]))
	digest, err = hashes.Digest(0, 0)
	assert.NilError(t, err)
	assert.Equal(t, digest, sum(""))
	for _, r := range [][2]int{{-1, 1}, {0, 4}, {2, 1}} {
		_, err := hashes.Digest(r[0], r[1])
		assert.Check(t, err != nil, "%v", r)
	}
}

func TestMark(t *testing.T) {
	h := Hashes{"a", "b", "c"}
	for mark, want := range map[string]string{
		h.Mark(): "", h[:2].Mark(): "", Hashes{}.Mark(): "", strings.ToUpper(h.Mark()): "",
		append(h, "d").Mark():      "there were 4 entries, and are 3",
		Hashes{"a", "x"}.Mark():    "the first 2 entries are not what they were",
		"3" + h[:2].Mark()[1:]:     "the first 3 entries are not what they were",
		"":                         "no mark",
		"3":                        "no mark",
		"3:abc":                    "no mark",
		"-1:" + h.Mark()[2:]:       "no mark",
		"3:" + h.Mark()[2:] + "00": "no mark",
		"three:" + h.Mark()[2:]:    "no mark",
	} {
		err := h.Check(mark)
		if want == "" {
			assert.Check(t, err, mark)
			continue
		}
		assert.Check(t, is.ErrorContains(err, want), mark)
	}
}

func TestVerify(t *testing.T) {
	good, err := line(event(map[string]any{"n": 1}))
	assert.NilError(t, err)
	for _, test := range []struct {
		what, text string
		problem    string
	}{
		{"nothing", "", ""},
		{"records", string(good) + string(good), ""},
		{"a blank line", string(good) + "\n" + string(good), ""},
		{"a torn line", string(good) + string(good[:20]), "the last line has no end"},
		{"no JSON", string(good) + "x\n", "line 2: invalid JSON"},
		{"two records on a line", strings.TrimSpace(string(good)) + string(good), "line 1: invalid JSON"},
		{"no object", "[]\n", "line 1: no JSON object"},
		{"a key less", strings.Replace(string(good), `"reason":null,`, "", 1), "its keys are decision, details, event, feature_name, hook_type, step_id, timestamp"},
		{"another order", strings.Replace(string(good), `"decision":"allow","details":{"n":1}`, `"details":{"n":1},"decision":"allow"`, 1), "its keys are details, decision"},
		{"white space", strings.Replace(string(good), `,"event"`, `, "event"`, 1), "not written as"},
		{"another day", strings.Replace(string(good), "2026-02-07", "2026-02-08", 1), "of another day"},
		{"no milliseconds", strings.Replace(string(good), ".123Z", "Z", 1), "its timestamp is"},
	} {
		path := filepath.Join(t.TempDir(), "audit-2026-02-07.log")
		assert.NilError(t, os.WriteFile(path, []byte(test.text), 0o640))
		assert.NilError(t, os.Chmod(path, 0o640))
		r, err := Verify(path)
		assert.NilError(t, err, test.what)
		hashes, err := ReadHashes(path)
		assert.NilError(t, err, test.what)
		assert.Check(t, is.DeepEqual(r.Hashes, hashes), test.what)
		if test.problem == "" {
			assert.Check(t, is.Len(r.Problems, 0), test.what)
			continue
		}
		assert.Check(t, is.Contains(strings.Join(r.Problems, "\n"), test.problem), test.what)
	}
	_, err = Verify(t.TempDir())
	assert.Check(t, err != nil)
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"audit-2026-02-07.log", "audit-2025-12-31.log", "audit-2026-02-30.log", "audit-2026-02-07.log.bak", "x.log", "audit-.log"} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o640))
	}
	files, err := Files(dir)
	assert.NilError(t, err)
	assert.DeepEqual(t, files, []string{filepath.Join(dir, "audit-2025-12-31.log"), filepath.Join(dir, "audit-2026-02-07.log")})
	files, err = Files(filepath.Join(dir, "none"))
	assert.NilError(t, err)
	assert.Equal(t, len(files), 0)
}
