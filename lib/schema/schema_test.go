package schema

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func parse(t *testing.T, text string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(text))
	assert.NilError(t, err)
	return v
}

func TestCheck(t *testing.T) {
	for _, test := range []struct{ schema, value, found string }{
		{`{"type":"object"}`, `{}`, ""},
		{`{"type":"object","required":["a"]}`, `[]`, "s is no object"},
		{`{"required":["a","b"]}`, `{"b":null}`, "s has no a"},
		{`{"required":["a"]}`, `7`, ""},
		{`{"type":"integer"}`, `2.0`, ""},
		{`{"type":"integer"}`, `2.5`, "s is no integer"},
		{`{"type":"integer"}`, `"2"`, "s is no integer"},
		{`{"type":"boolean"}`, `0`, "s is no boolean"},
		{`{"type":"null"}`, `null`, ""},
		{`{"type":"tuple"}`, `1`, ""},
		{`{"enum":["success",1]}`, `1.0`, ""},
		{`{"enum":["success",1]}`, `"1"`, `s is "1", which is none of ["success",1]`},
		{`{"minimum":0}`, `-1`, "s is -1, which is below 0"},
		{`{"minimum":0}`, `"-1"`, ""},
		{`{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, `{"a":1}`, "s.a is no string"},
		{`{"items":{"properties":{"n":{"minimum":1}}}}`, `[{"n":1},{"n":0},{}]`, "s[1].n is 0, which is below 1"},
		{`{"pattern":"x","additionalProperties":false}`, `{"a":1}`, ""},
		{`7`, `{"a":1}`, ""},
	} {
		got := strings.Join(Check("s", parse(t, test.schema), parse(t, test.value)), "; ")
		assert.Equal(t, got, test.found, "%s against %s", test.value, test.schema)
	}
	assert.Equal(t, len(Check("s", nil, parse(t, `{}`))), 0, "no schema asks for nothing")
}
