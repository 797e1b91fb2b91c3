package ordered

import "github.com/goccy/go-json/jsontext"

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

// encode lays out the text of v: put together first, for the layout is one pass
// over one text. The blanks behind it are the room that the layout takes: the
// formatter makes its buffer as large as its input, and doubles it when that is
// too small.
func (v *Value) encode(layout ...jsontext.Options) []byte {
	if v == nil {
		return nil
	}
	size := v.size()
	text := v.append(make([]byte, 0, size+size/8+64))
	for len(text) < cap(text) {
		text = append(text, ' ')
	}
	out := jsontext.Value(text)
	err := out.Format(append(layout, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))...)
	if err != nil { // every part has passed Parse, or was made by Of
		panic("ordered: encoding a checked value: " + err.Error())
	}
	return out
}

// size is how long the text is that append makes.
func (v *Value) size() int {
	if v.raw != nil {
		return len(v.raw)
	}
	n := len("{}")
	for _, m := range v.contents.members {
		n += len(m.name) + len(":,") + m.value.size()
	}
	for _, item := range v.contents.items {
		n += len(",") + item.size()
	}
	return n
}

// append writes v without layout: what was not edited as it stands in the
// source.
func (v *Value) append(dst []byte) []byte {
	switch {
	case v.raw != nil:
		return append(dst, v.raw...)
	case v.kind == Object:
		dst = append(dst, '{')
		for i, m := range v.contents.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(dst, m.name...), ':')
			dst = m.value.append(dst)
		}
		return append(dst, '}')
	default:
		dst = append(dst, '[')
		for i, item := range v.contents.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	}
}
