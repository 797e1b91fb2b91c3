package execlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/des/app"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "execution-log.yaml")
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		what, text string
		events     string // phase/status/data of step 01, or the error
	}{
		{"a block list", "project_id: p\nevents:\n  - \"01|A|B|C|D\"\n  - '01|E|F|G|'\n  - 02|A|B|C|D\n", "A/B/C E/F/G"},
		{"a list that is not indented", "events:\n- 01|A|B|C|D\nproject_id: p\n", "A/B/C"},
		{"escapes", `{"project_id":"p","events":["01\x7cA\x7cB\x7c\u0043|D"]}`, "A/B/C"},
		{"blocks of text", "project_id: p\nnotes: |\n  a: [\n  \tb\nevents:\n  - >-\n    01|A|B|C|D\n", "A/B/C"},
		{"a byte order mark and CRLF", "\xef\xbb\xbf---\r\nproject_id: p\r\nevents:\r\n  - \"01|A|B|C|D\"\r\n", "A/B/C"},
		{"another schema", "schema_version: '1.0'\nproject_id: p\nevents: [ \"01|A|B|C|D\" ] # c\n", "A/B/C"},
		{"an end of the document", "project_id: p\n...\n", ""},
		{"events that are a text", "project_id: p\nevents: 01|A|B|C|D\n", ""},
		{"no events", "project_id: p\nevents: []\n", ""},
		{"events of others", "project_id: p\nevents: [\"01 |A|B|C|D\", \"011|A|B|C|D\", \"01|A|B|C\"]\n", ""},
		{"an empty item", "project_id: p\nevents:\n  -\n", "event 1"},
		{"a number", "project_id: p\nevents:\n  - \"01|A|B|C|D\"\n  - 7\n", "event 2"},
		{"a bare text with a colon", "project_id: p\nevents:\n  - 01|A|SKIPPED|NOT_APPLICABLE: x|D\n", "event 1"},
		{"events without a value", "project_id: p\nevents:\n", "no list"},
		{"events that are a number", "project_id: p\nevents: 7\n", "no list"},
		{"events that are a mapping", "project_id: p\nevents: {a: b}\n", "no list"},
	} {
		log, err := YAML{}.Read(write(t, test.text))
		assert.NilError(t, err, test.what)
		id, ok := log.ProjectID()
		assert.Check(t, ok && id == "p", test.what)
		events, err := log.StepEvents("01")
		if err != nil {
			assert.Check(t, is.ErrorContains(err, test.events), test.what)
			assert.Check(t, test.events != "", test.what)
			continue
		}
		var got []string
		for _, e := range events {
			got = append(got, e.Phase+"/"+e.Status+"/"+e.Data)
		}
		assert.Check(t, is.Equal(strings.Join(got, " "), test.events), test.what)
	}
}

func TestProjectID(t *testing.T) {
	for text, want := range map[string]string{
		"project_id: a b\n":  "a b true",
		"project_id: '123'":  "123 true",
		"project_id: 123\n":  "123 (which is not a text) false",
		"project_id: true\n": "true (which is not a text) false",
		"project_id:\n":      "null (which is not a text) false",
		"a: 1\n":             "none (there is no project_id) false",
	} {
		log, err := YAML{}.Read(write(t, text))
		assert.NilError(t, err)
		id, ok := log.ProjectID()
		assert.Check(t, is.Equal(fmt.Sprint(id, " ", ok), want))
	}
}

func TestCorrupted(t *testing.T) {
	for _, text := range []string{
		"", "# c\n", "- a\n", "text", "7", "null", "a: [\n", "a: 'b\n", "a:\n\t- b\n", "events: []\n  - \"a\"\n", "a: 1\n---\na: 2\n", "a: 1\n---\n",
		"a: \"\x01\"\n", "a: \x7f\n", "a: 1\x00\n",
	} {
		_, err := YAML{}.Read(write(t, text))
		assert.Check(t, errors.Is(err, app.ErrLogCorrupted), "%q: %v", text, err)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "none", "log")} {
		_, err := YAML{}.Read(path)
		assert.Check(t, errors.Is(err, app.ErrLogNotFound), "%s: %v", path, err)
	}
	for _, path := range []string{dir, write(t, "project_id: \xff\n"), write(t, "\xff\xfea\x00"), filepath.Join(write(t, "a: 1\n"), "log"), "a\x00b"} {
		_, err := YAML{}.Read(path)
		assert.Check(t, err != nil && !errors.Is(err, app.ErrLogNotFound) && !errors.Is(err, app.ErrLogCorrupted), "%s: %v", path, err)
	}
}
