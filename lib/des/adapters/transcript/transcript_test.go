package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

const word = "DES-VALIDATION"

func TestFirstWith(t *testing.T) {
	for _, test := range []struct {
		what, text, want string
	}{
		{"nothing", "", ""},
		{"a text", `{"message":{"content":"a DES-VALIDATION"}}`, "a DES-VALIDATION"},
		{"the first counts", `{"message":{"content":"other"}}` + "\n\n" + `{"message":{"content":"one DES-VALIDATION"}}` + "\r\n" + `{"message":{"content":"two DES-VALIDATION"}}`, "one DES-VALIDATION"},
		{"blocks", `{"message":{"content":[{"type":"text","text":"a"},{"type":"tool_result","text":"x"},{"type":"text","text":7},"y",{"type":"text","text":"DES-VALIDATION"}]}}`, "a\nDES-VALIDATION"},
		{"a word in two blocks", `{"message":{"content":[{"type":"text","text":"DES-"},{"type":"text","text":"VALIDATION"}]}}`, ""},
		{"a word in escapes", `{"message":{"content":"\u0044ES\u002dVALIDATION"}}`, "DES-VALIDATION"},
		{"a result of a tool", `{"message":{"content":[{"type":"tool_result","content":"DES-VALIDATION"}]},"x":"DES-VALIDATION"}`, ""},
		{"lines that are no messages", "DES-VALIDATION\n[\"DES-VALIDATION\"]\n{\"message\":\"DES-VALIDATION\"}\n{\"message\":{\"content\":{\"text\":\"DES-VALIDATION\"}}}\n{\"message\":{\"content\":\"DES-VALIDATION\"}} x\n", ""},
	} {
		path := filepath.Join(t.TempDir(), "t.jsonl")
		assert.NilError(t, os.WriteFile(path, []byte(test.text), 0o644))
		text, found := JSONL{}.FirstWith(path, word)
		assert.Check(t, is.Equal(text, test.want), test.what)
		assert.Check(t, is.Equal(found, test.want != ""), test.what)
	}
}

func TestWhere(t *testing.T) {
	home := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(home, "t"), []byte(`{"message":{"content":"DES-VALIDATION"}}`), 0o644))
	for path, want := range map[string]bool{"~/t": true, filepath.Join(home, "t"): true, "~t": false, "~/none": false, home: false, "a\x00b": false} {
		_, found := JSONL{Home: home}.FirstWith(path, word)
		assert.Check(t, is.Equal(found, want), "%q", path)
	}
	_, found := JSONL{}.FirstWith("~/t", word)
	assert.Check(t, !found)
}

// A transcript is as large as it likes; a line that is too long is passed over.
func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	long := func(n int, text string) string {
		return `{"message":{"content":"` + strings.Repeat("x", n) + text + `"}}` + "\n"
	}
	write := func(lines ...string) {
		assert.NilError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))
	}
	write(long(maxLine, "DES-VALIDATION"), long(300<<10, ""), long(300<<10, "DES-VALIDATION"), long(1, "DES-VALIDATION"))
	text, found := JSONL{}.FirstWith(path, word)
	assert.Check(t, found)
	assert.Equal(t, len(text), 300<<10+len(word))
}

func TestWaitsForATranscriptThatIsLate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.jsonl")
	_, found := JSONL{}.FirstWith(path, "MARK")
	assert.Assert(t, !found, "there is none")
	time.AfterFunc(20*time.Millisecond, func() {
		temp := path + ".tmp"
		_ = os.WriteFile(temp, []byte(`{"message":{"content":"a MARK"}}`+"\n"), 0o644)
		_ = os.Rename(temp, path)
	})
	text, found := JSONL{Patience: time.Minute}.FirstWith(path, "MARK")
	assert.Assert(t, found)
	assert.Equal(t, text, "a MARK")
}
