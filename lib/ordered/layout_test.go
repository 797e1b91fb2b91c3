package ordered

import (
	"strings"
	"testing"

	"github.com/goccy/go-json/jsontext"
	"gotest.tools/v3/assert"
)

// FuzzLaidOut holds the layout against that of the formatter of jsontext.
func FuzzLaidOut(f *testing.F) {
	for _, seed := range []string{
		"{}", "[]", "{ }", "[\n]", "{\n  \"a\": 1\n}", "{\n  \"a\" : 1\n}", "{\n  \"a\":1\n}", "{\n  \"a\":  1\n}", "{\n\n  \"a\": 1\n}",
		"{\n  \"a\": 1\n\n}", "{\n  \"a\": 1\n  }", "{\n  \n}", "{\n  \"a\": 1 \n}", "{\n  \"a\": 1,\n\t\"b\": 2\n}", "{\r\n  \"a\": 1\r\n}",
		"[\n  1,\n  2\n]", "[\n  1,\n 2\n]", "[\n  1, 2\n]", "[\n  1\n  ,2\n]", "[\n  [\n    {}\n  ]\n]", "[\n  [\n    {}\n]\n]", "[\n  [\n    1\n  ]]",
		"[\n  \"a\\\\\",\n  \"\\\"\",\n  \"\",\n  \" }\\n\"\n]", "[1]", "{\"a\":1}", "[\n  {\n    \"a\": \"x\\\\\\\"\"\n  }\n]",
		strings.Repeat("[", 40) + strings.Repeat("]", 40),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil || v.Kind() != Object && v.Kind() != Array {
			return
		}
		for _, level := range []int{0, 1, 3, 40} {
			want, err := jsontext.AppendFormat(nil, v.raw, jsontext.WithIndentPrefix(strings.Repeat(step, level)), jsontext.WithIndent(step),
				jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
			assert.NilError(t, err)
			formatted := string(want)
			assert.Equal(t, string(appendLaidOut(nil, v.raw, level)), formatted)
			counter := layouter{counting: true}
			counter.value(v.raw, level)
			assert.Equal(t, counter.size, len(formatted))
			assert.Equal(t, laidOut(v.raw, level), formatted == string(v.raw), "level %d: %q", level, v.raw)
			assert.Assert(t, laidOut([]byte(formatted), level), "level %d: %q", level, formatted)
		}
	})
}

func TestAppendLooksAtNothing(t *testing.T) {
	for _, text := range []string{`[]`, "[ \n ]", `[1,{"a":[]}]`, "[\n  1,\n  {\n    \"a\": []\n  }\n]"} {
		seen, unseen := parse(t, `{"list":`+text+`}`), parse(t, `{"list":`+text+`}`)
		n := len(seen.Get("list").Items())
		for _, v := range []*Value{seen, unseen} {
			v.Get("list").Append(NewObject("b", []string{"x"}))
			v.Get("list").Append(2)
		}
		assert.Equal(t, string(unseen.Indent()), string(seen.Indent()))
		assert.Equal(t, string(unseen.Compact()), string(seen.Compact()))
		clone := unseen.Clone()
		unseen.Get("list").KeepLast(2)
		assert.Equal(t, string(unseen.Compact()), `{"list":[{"b":["x"]},2]}`)
		assert.Equal(t, len(clone.Get("list").Items()), n+2)
		clone.Get("list").Append(3)
		clone.Get("list").Items()[n].Set("b", 1)
		assert.Assert(t, strings.HasSuffix(string(clone.Compact()), `{"b":1},2,3]}`), "%s", clone.Compact())
	}
}

func TestWhatIsTooDeepIsNotLaidOut(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("0,", 5000) + "0" + strings.Repeat("]", 5000)
	v := parse(t, `{"deep":`+deep+`,"a":[1]}`)
	v.Set("b", 2)
	assert.Equal(t, string(v.Indent()), "{\n  \"deep\": "+deep+",\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}")
}

func TestWhatIsTooDeepCanBeAppendedTo(t *testing.T) {
	deep := "[" + strings.Repeat("[", 5000) + strings.Repeat("0,", 5000) + "0" + strings.Repeat("]", 5000)
	v := parse(t, `{"deep":`+deep+` ]}`)
	v.Get("deep").Append(1)
	again := parse(t, string(v.Indent()))
	assert.Equal(t, string(again.Compact()), `{"deep":`+deep+`,1]}`)
}
