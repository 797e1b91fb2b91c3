package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A value is a JSON value that keeps the order of members and the literals of
// numbers. It is read with the standard library on purpose, not with the package
// that the programs use: a judge should not share a mistake with the judged.
type value struct {
	kind    kind
	literal string // of a number
	text    string // of a string
	truth   bool
	members []member
	items   []*value
}

type kind byte

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

type member struct {
	name  string
	value *value
}

// parse reads exactly one document. Of a repeated name the last value stays, at
// the first place. A byte order mark is no part of the document.
func parse(data []byte) (*value, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	dec.UseNumber()
	v, err := read(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the document")
	}
	return v, nil
}

func read(dec *json.Decoder) (*value, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case nil:
		return &value{}, nil
	case bool:
		return &value{kind: boolean, truth: token}, nil
	case json.Number:
		return &value{kind: number, literal: token.String()}, nil
	case string:
		return str(token), nil
	case json.Delim:
		v := &value{kind: array}
		if token == '{' {
			v.kind = object
		}
		for dec.More() {
			name := ""
			if v.kind == object {
				token, err := dec.Token()
				if err != nil {
					return nil, err
				}
				name = token.(string)
			}
			child, err := read(dec)
			if err != nil {
				return nil, err
			}
			if v.kind == object {
				v.set(name, child)
			} else {
				v.items = append(v.items, child)
			}
		}
		_, err := dec.Token()
		return v, err
	}
	return nil, fmt.Errorf("unexpected token %v", token)
}

func str(s string) *value { return &value{kind: text, text: s} }

func (v *value) clone() *value {
	c := *v
	c.members, c.items = nil, nil
	for _, m := range v.members {
		c.members = append(c.members, member{m.name, m.value.clone()})
	}
	for _, item := range v.items {
		c.items = append(c.items, item.clone())
	}
	return &c
}

// get is the member called name, or nil.
func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// set replaces a member in its place or adds it at the end.
func (v *value) set(name string, to *value) {
	for i, m := range v.members {
		if m.name == name {
			v.members[i].value = to
			return
		}
	}
	v.members = append(v.members, member{name, to})
}

func (v *value) remove(name string) {
	for i, m := range v.members {
		if m.name == name {
			v.members = append(v.members[:i:i], v.members[i+1:]...)
			return
		}
	}
}

// double is a number as ECMAScript reads it.
func (v *value) double() float64 {
	f, _ := strconv.ParseFloat(v.literal, 64) // out of range is ±Inf, as there
	return f
}

// strings lists the texts in v, its own members' values only: names are no
// message.
func (v *value) strings() []string {
	var all []string
	if v.kind == text {
		all = append(all, v.text)
	}
	for _, m := range v.members {
		all = append(all, m.value.strings()...)
	}
	for _, item := range v.items {
		all = append(all, item.strings()...)
	}
	return all
}

// indent writes v as JSON.stringify(v, null, 2) does, but for the literals of
// numbers, which stay.
func (v *value) indent() string { return v.write("\n") }

// compact writes v on one line.
func (v *value) compact() string { return v.write("") }

func (v *value) write(lineEnd string) string {
	var out strings.Builder
	v.writeTo(&out, lineEnd)
	return out.String()
}

func (v *value) writeTo(out *strings.Builder, lineEnd string) {
	inner, colon := "", ":"
	if lineEnd != "" {
		inner, colon = lineEnd+"  ", ": "
	}
	switch {
	case v.kind == null:
		out.WriteString("null")
	case v.kind == boolean:
		out.WriteString(strconv.FormatBool(v.truth))
	case v.kind == number:
		out.WriteString(v.literal)
	case v.kind == text:
		out.WriteString(quote(v.text))
	case v.kind == array && len(v.items) == 0:
		out.WriteString("[]")
	case v.kind == object && len(v.members) == 0:
		out.WriteString("{}")
	case v.kind == array:
		for i, item := range v.items {
			out.WriteString(separator(i, "[") + inner)
			item.writeTo(out, inner)
		}
		out.WriteString(lineEnd + "]")
	default:
		for i, m := range v.members {
			out.WriteString(separator(i, "{") + inner + quote(m.name) + colon)
			m.value.writeTo(out, inner)
		}
		out.WriteString(lineEnd + "}")
	}
}

func separator(i int, open string) string {
	if i == 0 {
		return open
	}
	return ","
}

// quote escapes what JSON.stringify escapes and nothing else.
func quote(s string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.Encode(s) // a string always encodes
	quoted := strings.TrimSuffix(out.String(), "\n")
	// U+2028 and U+2029, which encoding/json escapes for the sake of old browsers.
	// A backslash before the backslash would make it another text.
	return unescapeSeparators(quoted)
}

func unescapeSeparators(quoted string) string {
	if !strings.Contains(quoted, `\u202`) {
		return quoted
	}
	var out strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch {
		case strings.HasPrefix(quoted[i:], `\u2028`):
			out.WriteRune('\u2028')
			i += 5
		case strings.HasPrefix(quoted[i:], `\u2029`):
			out.WriteRune('\u2029')
			i += 5
		case quoted[i] == '\\':
			out.WriteString(quoted[i : i+2])
			i++
		default:
			out.WriteByte(quoted[i])
		}
	}
	return out.String()
}
