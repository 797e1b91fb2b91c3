package yaml

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"a header and comments", "# c\n---\na: 1 # n\n", `{"a":1}`},
		{"the first of several documents", "a: 1\n---\na: 2\n", `{"a":1}`},
		{"directives", "%YAML 1.2\n---\na: 1\n", `{"a":1}`},
		{"a byte order mark", "\xef\xbb\xbfa: 1\n", `{"a":1}`},
		{"CRLF", "a: 1\r\nb:\r\n- x\r\n- 'y'\r\n", `{"a":1,"b":["x","y"]}`},
		{"scalars", "a: yes\nb: true\nc: 1.50\nd: ~\ne:\nf: 'it''s'\ng: \"a\\tb\"\nh: 0x1f\ni: 2020-01-01\nj: -3\n",
			`{"a":"yes","b":true,"c":1.5,"d":null,"e":null,"f":"it's","g":"a\tb","h":31,"i":"2020-01-01","j":-3}`},
		{"numbers beyond JSON and beyond int64", "a: .inf\nb: -.INF\nc: .nan\nd: 18446744073709551615\n",
			`{"a":".inf","b":"-.INF","c":".nan","d":18446744073709552000}`},
		{"blocks of text", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", `{"a":"x\ny\n","b":"x y"}`},
		{"flow", "a: {b: [1, x:y, \"z\"], c: {}}\nd: []\n", `{"a":{"b":[1,"x:y","z"],"c":{}},"d":[]}`},
		{"colons in flow lists", "a: [x:y]\nb: {f: [x:y, ollama:gpt-oss:20b, c: d, {e: f}, http://z:1, 5:6, 'p': q]}\n",
			`{"a":["x:y"],"b":{"f":["x:y","ollama:gpt-oss:20b",{"c":"d"},{"e":"f"},"http://z:1","5:6",{"p":"q"}]}}`},
		{"text with a dollar", "a: ${VAR}/x\n", `{"a":"${VAR}/x"}`},
		{"a tag", "a: !!str 012\nb: !mine x\n", `{"a":"012","b":"x"}`},
		{"names that are no texts", "1: a\ntrue: b\n? c\n: d\n", `{"1":"a","true":"b","c":"d"}`},
		{"an anchor", "a: &x {k: [1]}\nb: *x\n", `{"a":{"k":[1]},"b":{"k":[1]}}`},
		{"merging: its own entries win, before and behind", "x: &x {a: 1, b: 2, c: 3}\ny:\n  a: own\n  <<: *x\n  b: own\n",
			`{"x":{"a":1,"b":2,"c":3},"y":{"a":"own","b":"own","c":3}}`},
		{"merging several: the earlier wins", "x: &x {a: 1}\nw: &w {a: 2, b: 2}\ny:\n  <<: [*x, *w]\n",
			`{"x":{"a":1},"w":{"a":2,"b":2},"y":{"a":1,"b":2}}`},
		{"no mapping", "- 1\n", `[1]`},
		{"nothing", "", ``},
		{"only a comment", "# c\n", ``},
	} {
		v, err := Parse([]byte(c.text))
		assert.NilError(t, err, c.what)
		assert.Equal(t, string(v.Compact()), c.want, c.what)
	}
}

func TestParseRefuses(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a: &a [x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c <= 'k'; c++ {
		fmt.Fprintf(&bomb, "%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), ","))
	}
	for _, c := range []struct{ what, text, place string }{
		{"an open list", "a: [1\nkey: secret-1\n", "line 2"},
		{"a name twice", "secret-1: 1\nsecret-1: 2\n", "line 2, column 1"},
		{"a tab", "a:\n\tsecret-1: 1\n", "line 2"},
		{"an unknown alias", "a: *secret-1\n", "line 1"},
		{"an alias inside its anchor", "a: &secret-1 [*secret-1]\n", "line 1"},
		{"a list as a name", "? [secret-1]\n: 1\n", "line"},
		{"merging a text", "a: {<<: secret-1}\n", "line 1"},
		{"a thousand lists", "a: " + strings.Repeat("[", 1000), "line 1"},
		{"a thousand lists that are closed", "\na: " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "line 2"},
		{"a thousand dashes", strings.Repeat("- ", 1000) + "x", "line 1"},
		{"a thousand indented mappings", deepBlock(600), ""},
		{"aliases of aliases", bomb.String(), "line"},
		{"a large file", strings.Repeat("# comment\n", 30_000), ""},
	} {
		v, err := Parse([]byte(c.text))
		assert.Assert(t, errors.Is(err, ErrSyntax), "%s: %v", c.what, err)
		assert.ErrorContains(t, err, c.place, c.what)
		assert.Assert(t, !strings.Contains(err.Error(), "secret-1"), "%s: %v", c.what, err)
		assert.Assert(t, v == nil, c.what)
	}
}

// ParseOnly differs in what stands behind the document, and in the size.
func TestParseOnly(t *testing.T) {
	for _, text := range []string{
		"a: 1\n", "---\na: 1\n", "# c\n---\na: 1\n", "a: 1\n...\n", "%YAML 1.2\n---\na: 1\n", "\xef\xbb\xbf---\na: 1\n",
		"a: 1\n" + strings.Repeat("# comment\n", 30_000),
	} {
		v, err := ParseOnly([]byte(text))
		assert.NilError(t, err, "%.40q", text)
		assert.Equal(t, string(v.Compact()), `{"a":1}`, "%.40q", text)
	}
	for _, text := range []string{
		"a: 1\n---\nb: 1\n", "a: 1\n---\n", "a: 1\n---", "a: 1\n---\n# c\n", "a: 1\n--- b\n", "a: 1\n...\n---\nb: 1\n", "a: 1\n---\n---\n",
		"a: 1\n" + strings.Repeat("# comment\n", 500_000), deepBlock(2800), "[" + strings.Repeat("1,", 600_000) + "1]",
	} {
		_, err := ParseOnly([]byte(text))
		assert.Assert(t, errors.Is(err, ErrSyntax), "%.40q: %v", text, err)
	}
}

func deepBlock(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// Whatever the document, there is a value that can be written, or an error that
// says so.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"providers:\n  a: &x {enabled: true, models: [{id: \"m\"}]}\n  b:\n    <<: *x\n", "a: |\n  x\n", "? [a]\n: b\n",
		"- - - x\n", "%YAML 1.2\n---\n", "a: !!binary aGk=\n", "&a : *a\n", "{", "\"\\x", "<<: {a: 1}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			assert.Assert(t, errors.Is(err, ErrSyntax))
			return
		}
		if v != nil {
			assert.Assert(t, len(v.Compact()) > 0)
		}
	})
}
