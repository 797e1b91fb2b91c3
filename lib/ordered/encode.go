package ordered

import (
	"bytes"

	"github.com/goccy/go-json/jsontext"
)

// Indent writes v in the layout of JSON.stringify(v, null, 2): two blanks for
// each level, {} and [] for empty containers, no line end after the last brace.
// Literals that were not edited stay as they were written.
func (v *Value) Indent() []byte {
	return v.encode(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true))
}

// Compact writes v as JSON.stringify(v) does: no blanks, numbers in their
// shortest form, nothing escaped in strings that need not be.
func (v *Value) Compact() []byte {
	return v.encode(jsontext.CanonicalizeRawFloats(true), jsontext.CanonicalizeRawInts(true))
}

func (v *Value) encode(layout ...jsontext.Options) []byte {
	if v == nil {
		return nil
	}
	size := v.size()
	out := bytes.NewBuffer(make([]byte, 0, size+size/8+64))
	enc := jsontext.NewEncoder(out, append(layout, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))...)
	v.write(enc)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// size guesses how long the text of v is.
func (v *Value) size() int {
	if v.raw != nil {
		return len(v.raw)
	}
	n := 64
	for _, m := range v.members {
		n += len(m.name) + 16 + m.value.size()
	}
	for _, item := range v.items {
		n += 16 + item.size()
	}
	return n
}

// write hands v to enc. Every text has passed Parse or was made by Of, so the
// encoder has nothing to object to.
func (v *Value) write(enc *jsontext.Encoder) {
	must := func(err error) {
		if err != nil {
			panic("ordered: encoding a checked value: " + err.Error())
		}
	}
	switch {
	case v.raw != nil:
		must(enc.WriteValue(v.raw))
	case v.kind == Object:
		must(enc.WriteToken(jsontext.BeginObject))
		for _, m := range v.members {
			must(enc.WriteValue(m.name))
			m.value.write(enc)
		}
		must(enc.WriteToken(jsontext.EndObject))
	default:
		must(enc.WriteToken(jsontext.BeginArray))
		for _, item := range v.items {
			item.write(enc)
		}
		must(enc.WriteToken(jsontext.EndArray))
	}
}
