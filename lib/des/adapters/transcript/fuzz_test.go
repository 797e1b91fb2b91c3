package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// FuzzFirstWith holds that no transcript makes the reader panic, and that what it
// finds is there.
func FuzzFirstWith(f *testing.F) {
	for _, seed := range []string{
		`{"message":{"content":"DES-VALIDATION x"}}` + "\n", `{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"DES-VALIDATION"}]}}`,
		"\n\n{\n", `{"message":{"content":"DES-\u0056ALIDATION"}}`, `{"message":[]}` + "\r\n" + `{"message":{"content":{"text":"DES-VALIDATION"}}}`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "transcript.jsonl")
		assert.NilError(t, os.WriteFile(path, data, 0o644))
		text, found := JSONL{}.FirstWith(path, "DES-VALIDATION")
		assert.Equal(t, found, strings.Contains(text, "DES-VALIDATION"))
	})
}
