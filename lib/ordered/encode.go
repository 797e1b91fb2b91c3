package ordered

import (
	"bytes"
	"slices"
	"strings"

	"github.com/goccy/go-json/jsontext"
)

// Indent writes v in the layout of JSON.stringify(v, null, 2): two blanks for
// each level, {} and [] for empty containers, no line end after the last brace.
// Literals that were not edited stay as they were written.
func (v *Value) Indent() []byte {
	if v == nil {
		return nil
	}
	size := v.size()
	return v.indent(make([]byte, 0, size+size/16+64), 0)
}

// Compact writes v as JSON.stringify(v) does: no blanks, numbers in their
// shortest form, nothing escaped in strings that need not be.
func (v *Value) Compact() []byte {
	if v == nil {
		return nil
	}
	text := v.append(make([]byte, 0, v.size()))
	compact, err := jsontext.AppendFormat(text[:0], text, jsontext.CanonicalizeRawFloats(true), jsontext.CanonicalizeRawInts(true),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil { // every part has passed Parse, or was made by Of
		panic("ordered: encoding a checked value: " + err.Error())
	}
	return compact
}

// size is how long the text is that append makes.
func (v *Value) size() int {
	if v.raw != nil {
		return len(v.raw)
	}
	n := len("{}") + len(v.contents.head)
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
		if head := v.contents.head; head != nil {
			dst = append(dst, head[len("["):len(head)-len("]")]...)
		}
		for i, item := range v.contents.items {
			if i > 0 || v.contents.head != nil {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	}
}

// indent writes v with the layout that it has at a level of a document.
func (v *Value) indent(dst []byte, level int) []byte {
	switch c := v.contents; {
	case v.raw != nil:
		return appendLaidOut(dst, v.raw, level)
	case len(c.members) > 0:
		for i, m := range c.members {
			dst = appendLine(append(dst, "{,"[min(i, 1)]), level+1)
			dst = append(append(dst, m.name...), ": "...)
			dst = m.value.indent(dst, level+1)
		}
		return append(appendLine(dst, level), '}')
	case v.kind == Object:
		return append(dst, "{}"...)
	case len(c.items) == 0 && c.head == nil:
		return append(dst, "[]"...)
	default:
		separator := byte('[')
		if c.head != nil {
			dst = appendLaidOut(dst, c.head, level)
			dst = bytes.TrimRight(dst[:len(dst)-len("]")], " \n\r\t")
			separator = ','
		}
		for _, item := range c.items {
			dst = item.indent(appendLine(append(dst, separator), level+1), level+1)
			separator = ','
		}
		return append(appendLine(dst, level), ']')
	}
}

// appendLaidOut writes the text of a value with the layout of a level. Nearly
// always it has that already: hooks write most documents that they read. What is
// so deep that its layout would be nothing but blanks stays as it is.
func appendLaidOut(dst, text []byte, level int) []byte {
	if text[0] != '{' && text[0] != '[' || laidOut(text, level) {
		return append(dst, text...)
	}
	w := layouter{counting: true}
	w.value(text, level)
	if w.size > maxBlanks && w.size/maxGrowth > len(text) {
		return append(dst, text...)
	}
	w = layouter{text: slices.Grow(dst, w.size)}
	w.value(text, level)
	return w.text
}

const (
	maxGrowth = 64      // times that a text may grow by its layout
	maxBlanks = 1 << 20 // bytes that count for nothing in that

	step      = "  " // what a level is indented by
	stepSize  = len(step)
	lineBlank = "\n                                                                " // the indentation of 32 levels
)

// lineSize is how long a line end is with the indentation of a level.
func lineSize(level int) int { return len("\n") + level*stepSize }

// appendLine ends a line and indents the next.
func appendLine(dst []byte, level int) []byte {
	n := lineSize(level)
	if n > len(lineBlank) { // levels that nobody reads
		return append(append(dst, '\n'), strings.Repeat(step, level)...)
	}
	return append(dst, lineBlank[:n]...)
}
