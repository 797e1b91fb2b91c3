package ordered

import (
	"encoding/json"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func parse(t testing.TB, text string) *Value {
	t.Helper()
	v, err := Parse([]byte(text))
	assert.NilError(t, err)
	return v
}

func TestParseRefusesWhatIsNoJSON(t *testing.T) {
	for _, text := range []string{
		"", " ", "nul", "{", "[1,]", `{"a":1,}`, `{"a" 1}`, "01", "1.", "+1", "'a'", `{"a":1} x`, "{} {}", "\"\x01\"", "NaN",
		strings.Repeat("[", 1<<20),
	} {
		_, err := Parse([]byte(text))
		assert.ErrorIs(t, err, ErrSyntax, "%.20q", text)
	}
}

func TestParseAcceptsWhatOthersWrite(t *testing.T) {
	for _, text := range []string{
		"\xef\xbb\xbf{}", " \r\n\t{}\n", `{"a":1,"a":2}`, "\"\xff\"", `"\ud800"`, "null", "-0", "1e400",
	} {
		_, err := Parse([]byte(text))
		assert.NilError(t, err, "%q", text)
	}
}

func TestReading(t *testing.T) {
	v := parse(t, `{"text":"a\u00e9\n","n":1.50,"t":true,"f":false,"nil":null,"list":[1,"x",{"k":[]}],"o":{"p":{"q":7}},
		"twice":1,"esc\u0061ped":"yes","twice":2,"zero":-0.0,"empty":"","huge":1e400}`)
	assert.Equal(t, v.Get("text").Text(), "aé\n")
	assert.Equal(t, v.Get("n").Literal(), "1.50")
	assert.Equal(t, v.Get("o", "p", "q").Literal(), "7")
	assert.Equal(t, v.Get("twice").Literal(), "2", "of a repeated name the last value counts")
	assert.Equal(t, v.Get("escaped").Text(), "yes")
	assert.Equal(t, len(v.Get("list").Items()), 3)
	assert.Equal(t, v.Get("list").Items()[2].Get("k").Kind(), Array)

	f, ok := v.Get("n").Float()
	assert.Assert(t, ok && f == 1.5)
	_, ok = v.Get("text").Float()
	assert.Assert(t, !ok)

	// What is not there, or is something else, is nothing.
	for _, missing := range []*Value{nil, v.Get("no"), v.Get("text", "deeper"), v.Get("no", "such", "path"), v.Get("list", "0")} {
		assert.Assert(t, missing == nil)
		assert.Equal(t, missing.Kind(), Missing)
		assert.Equal(t, missing.Text()+missing.Literal(), "")
		assert.Assert(t, !missing.Present() && missing.Items() == nil && missing.Members() == nil)
	}
	assert.Equal(t, v.Get("n").Text(), "")

	for name, present := range map[string]bool{
		"text": true, "n": true, "t": true, "f": false, "nil": false, "list": true, "o": true, "zero": false, "empty": false, "huge": true,
	} {
		assert.Equal(t, v.Get(name).Present(), present, name)
	}
	assert.Assert(t, v.Get("t").IsTrue() && !v.Get("f").IsTrue() && v.Get("f").IsFalse() && !v.Get("nil").IsFalse())
}

func TestMembersInTheOrderOfECMAScript(t *testing.T) {
	v := parse(t, `{"b":1,"10":2,"a":3,"2":4,"01":5,"b":6,"4294967295":7,"-1":8}`)
	var names []string
	for _, m := range v.Members() {
		names = append(names, m.Name+"="+m.Value.Literal())
	}
	assert.DeepEqual(t, names, []string{"2=4", "10=2", "b=6", "a=3", "01=5", "4294967295=7", "-1=8"})
}

func TestNamesOfBrokenText(t *testing.T) {
	v := parse(t, "{\"\x80\":1,\"a\xf0\x9f\x98\":2}")
	for _, m := range v.Members() {
		assert.Equal(t, v.Get(m.Name), m.Value, "%q", m.Name)
	}
	v.Set("\uFFFD", 3)
	assert.Equal(t, len(v.Members()), 2)
	assert.Equal(t, v.Get("\uFFFD").Literal(), "3")
}

func TestUneditedTextComesOutAsItWentIn(t *testing.T) {
	const text = `{
  "n": [
    1.0,
    -0,
    1e21,
    12345678901234567890
  ],
  "s": "\u003c\/é\ud800",
  "empty": {},
  "none": [],
  "again": 1,
  "again": 2
}`
	v := parse(t, text)
	assert.Equal(t, string(v.Indent()), text)

	v.Set("new", 1)
	assert.Equal(t, string(v.Indent()), strings.TrimSuffix(text, "\n}")+",\n  \"new\": 1\n}")
	assert.Equal(t, string(parse(t, "{\"a\":\"\xff\",\"b\":1}").Indent()), "{\n  \"a\": \"\xff\",\n  \"b\": 1\n}", "broken UTF-8 stays")
}

func TestCompactIsThatOfJSONStringify(t *testing.T) {
	v := parse(t, `{ "a" : [ 1.0 , 1E+2 , 1e21 , 12345678901234567890, -0 ] , "s" : "\u00e9\u003c\/ \u2028" }`)
	assert.Equal(t, string(v.Compact()), "{\"a\":[1,100,1e+21,12345678901234567000,0],\"s\":\"é</ \u2028\"}")
}

func TestEditing(t *testing.T) {
	v := parse(t, `{"keep":1.0,"list":[1,2,3],"dup":1,"o":{"x":1},"dup":2,"gone":0}`)
	assert.Assert(t, !v.Edited())
	v.Get("list").Append("four")
	v.Get("list").KeepLast(2)
	v.Set("dup", "one")
	v.Get("o").Set("y", NewObject("k", []string{"<", "é"}, "f", 0.1, "b", true, "n", nil))
	v.Delete("gone")
	v.Delete("never there")
	v.Ensure("o").Ensure("z")
	v.Ensure("keep2").Set("i", int64(1)<<53)
	v.EnsureArray("list").Append(nil)
	assert.Assert(t, v.Edited())
	assert.Equal(t, string(v.Compact()),
		`{"keep":1,"list":[3,"four",null],"dup":"one","o":{"x":1,"y":{"k":["<","é"],"f":0.1,"b":true,"n":null},"z":{}},"keep2":{"i":9007199254740992}}`)
	assert.Assert(t, strings.HasPrefix(string(v.Indent()), "{\n  \"keep\": 1.0,\n"))
}

func TestAValueIsCopiedIntoItsSecondPlace(t *testing.T) {
	v := parse(t, `{"a":{"x":[1]},"b":{}}`)
	v.Get("b").Set("copy", v.Get("a"))
	v.Get("b", "copy", "x").Append(2)
	v.Get("a", "x").Append(3)
	assert.Equal(t, string(v.Compact()), `{"a":{"x":[1,3]},"b":{"copy":{"x":[1,2]}}}`)

	edited := v.Get("b").Clone()
	edited.Get("copy", "x").Append(4)
	assert.Equal(t, string(v.Get("b").Compact()), `{"copy":{"x":[1,2]}}`)
	assert.Equal(t, string(edited.Compact()), `{"copy":{"x":[1,2,4]}}`)
}

func TestWrongUsePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"Set on an array":      func() { NewArray().Set("a", 1) },
		"Append to an object":  func() { NewObject().Append(1) },
		"Set on nothing":       func() { parse(t, "{}").Get("a").Set("b", 1) },
		"a type without value": func() { Of(struct{}{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { assert.Assert(t, recover() != nil) }()
			f()
		})
	}
}

// tree reads a document with another decoder, numbers as they are written.
func tree(t testing.TB, data []byte) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var x any
	assert.NilError(t, dec.Decode(&x), "%q", data)
	return x
}

func FuzzRoundTrip(f *testing.F) {
	for _, seed := range []string{
		`{"a":1.0,"b":[1,{"c":null}],"a":"x"}`, `[[],{},"",-0,1e21]`, "\"\\u003c\\ud800 é\"", "{\"\":{\"\":[]}}", " null ", "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			return
		}
		indented := v.Indent()
		again := parse(t, string(indented))
		assert.Equal(t, string(again.Indent()), string(indented), "writing what was written changes nothing")
		if json.Valid(data) {
			assert.DeepEqual(t, tree(t, indented), tree(t, data))
			assert.DeepEqual(t, tree(t, v.Compact()) != nil, tree(t, data) != nil)
		}
		if !v.IsObject() || v.Get("edited") != nil {
			return
		}
		before := map[string]string{}
		for _, m := range v.Members() {
			before[m.Name] = string(m.Value.Indent())
		}
		v.Set("edited", "x")
		edited := parse(t, string(v.Indent()))
		assert.Equal(t, len(edited.Members()), len(before)+1)
		for _, m := range edited.Members() {
			if m.Name != "edited" {
				assert.Equal(t, string(m.Value.Indent()), before[m.Name], "every literal that was not edited survives")
			}
		}
	})
}
