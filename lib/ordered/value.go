// Package ordered holds JSON values that remember how they were written: the
// order of the members of an object, the literals of numbers and strings, and
// every field that nobody asked for. A document can be read, edited in places
// and written again, and what was not edited comes out as it went in.
//
// A value is read lazily. [Parse] checks the grammar of the whole text once and
// indexes nothing; the members of an object are found when they are first asked
// for, one level at a time. So a hook that wants three fields of a large
// document pays for a scan of it, not for a tree.
//
// The grammar, the quoting and the layout are those of
// github.com/goccy/go-json/jsontext, the syntax half of goccy/go-json: the half
// that decodes into Go types is not linked, because its start-up alone costs a
// fifth of a small process.
package ordered

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goccy/go-json/jsontext"
)

// Kind is the type of a JSON value. The zero Kind is that of a nil *Value: a
// value that is not there.
type Kind byte

// The kinds of JSON values.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// A Value is one JSON value inside a document. All its reading methods work on
// a nil *Value, which is a value that is not there: v.Get("a", "b").Text()
// needs no checks on the way.
//
// A Value is not safe for concurrent use: reading it indexes it.
type Value struct {
	raw      []byte // as written; nil once edited or when built
	parent   *Value
	contents *contents // of an object or array, once they are asked for
	kind     Kind
}

// contents are what an object or array holds. They are apart from the Value, for
// most values are small and there may be millions.
type contents struct {
	members []member // as they stand in the text, repeated names included
	items   []*Value
	head    []byte // the text of an array that items were added to before it was indexed
}

type member struct {
	name  []byte // quoted, as written
	value *Value
}

// A Member is one name and value of an object.
type Member struct {
	Name  string
	Value *Value
}

// ErrSyntax is wrapped by every error of [Parse].
var ErrSyntax = errors.New("invalid JSON")

const byteOrderMark = "\xef\xbb\xbf"

// Parse reads one JSON document, with a byte order mark in front of it or
// without. The Value refers to data, which must not be changed afterwards. The
// error wraps [ErrSyntax].
//
// The outermost object or array is indexed by the same scan that checks the
// grammar.
func Parse(data []byte) (*Value, error) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	start := skipSpace(data)
	if start == len(data) {
		return nil, fmt.Errorf("%w: there is none", ErrSyntax)
	}
	v := written(data[start:], nil)
	end, err := v.scan(v.raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	if rest := v.raw[end:]; skipSpace(rest) != len(rest) {
		return nil, fmt.Errorf("%w: text after the value at offset %d", ErrSyntax, start+end)
	}
	v.raw = v.raw[:end:end]
	return v, nil
}

func skipSpace(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return i
		}
	}
	return len(b)
}

// written makes the value of a text that is known to be one.
func written(raw []byte, parent *Value) *Value {
	return &Value{raw: raw, parent: parent, kind: kindOf(raw)}
}

func kindOf(raw []byte) Kind {
	switch raw[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	default:
		return Number
	}
}

// index finds what v, an object or array, holds. The text has passed Parse, so it
// cannot fail.
func (v *Value) index() {
	added := v.contents
	text := v.raw
	switch {
	case added == nil:
	case added.head == nil:
		return
	default:
		text = added.head
	}
	if _, err := v.scan(text); err != nil {
		panic("ordered: a value changed under its index: " + err.Error())
	}
	if added != nil {
		v.contents.items = append(v.contents.items, added.items...)
	}
}

// A reader is what scan reads with. A document is scanned a level at a time, and
// making a decoder costs more than reading a small object with it.
type reader struct {
	source  bytes.Buffer
	decoder jsontext.Decoder
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func (r *reader) on(text []byte) *jsontext.Decoder {
	r.source = *bytes.NewBuffer(text)
	r.decoder.Reset(&r.source, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return &r.decoder
}

// scan reads the one value that text begins with, which is that of v, finds the
// members or items of an object or array, and tells where it ends.
func (v *Value) scan(text []byte) (end int, err error) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	dec := r.on(text)
	if v.kind != Object && v.kind != Array {
		err := dec.SkipValue()
		return int(dec.InputOffset()), err
	}
	v.contents = &contents{}
	next := func() ([]byte, error) {
		value, err := dec.ReadValue()
		end := int(dec.InputOffset())
		return text[end-len(value) : end : end], err
	}
	if _, err := dec.ReadToken(); err != nil {
		return 0, err
	}
	for {
		switch dec.PeekKind() {
		case '}', ']':
			_, err := dec.ReadToken()
			return int(dec.InputOffset()), err
		}
		first, err := next()
		if err != nil {
			return 0, err
		}
		if v.kind == Array {
			v.contents.items = append(v.contents.items, written(first, v))
			continue
		}
		second, err := next()
		if err != nil {
			return 0, err
		}
		v.contents.members = append(v.contents.members, member{first, written(second, v)})
	}
}

// Kind tells the type of v, [Missing] for a nil v.
func (v *Value) Kind() Kind {
	if v == nil {
		return Missing
	}
	return v.kind
}

// Get follows names from object to object. It is nil where there is no such
// member, or something on the way is no object. Of a repeated name the last
// value counts.
func (v *Value) Get(names ...string) *Value {
	for _, name := range names {
		if v.Kind() != Object {
			return nil
		}
		v.index()
		i := v.last(name)
		if i < 0 {
			return nil
		}
		v = v.contents.members[i].value
	}
	return v
}

// last is the index of the last member called name, or -1.
func (v *Value) last(name string) int {
	for i, m := range slices.Backward(v.contents.members) {
		if named(m.name, name) {
			return i
		}
	}
	return -1
}

func named(quoted []byte, name string) bool {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner) == name
	}
	return unquote(quoted) == name
}

// unquote gives the text of a JSON string; broken UTF-8 and lone surrogates
// become U+FFFD.
func unquote(quoted []byte) string {
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil { // broken UTF-8: the text is complete all the same
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return string(text)
}

// Members lists the members of an object in the order of ECMAScript: names that
// are array indices first, ascending, then the others as they stand in the
// text; a repeated name at its first place with its last value (spec 50 §0.5).
// Of anything else it is empty.
func (v *Value) Members() []Member {
	if v.Kind() != Object {
		return nil
	}
	v.index()
	list := make([]Member, 0, len(v.contents.members))
	at := make(map[string]int, len(v.contents.members))
	indices := 0
	for _, m := range v.contents.members {
		name := unquote(m.name)
		if i, repeated := at[name]; repeated {
			list[i].Value = m.value
			continue
		}
		at[name] = len(list)
		list = append(list, Member{name, m.value})
		if _, ok := arrayIndex(name); ok {
			indices++
		}
	}
	if indices > 0 {
		slices.SortStableFunc(list, func(a, b Member) int {
			i, aIs := arrayIndex(a.Name)
			j, bIs := arrayIndex(b.Name)
			switch {
			case aIs && bIs:
				return int(i) - int(j)
			case aIs:
				return -1
			case bIs:
				return 1
			}
			return 0
		})
	}
	return list
}

// arrayIndex reads a name that ECMAScript takes for an index: the decimal form
// of a number below 2^32-1, without leading zeros.
func arrayIndex(name string) (int64, bool) {
	if name == "" || name[0] < '0' || name[0] > '9' || len(name) > 10 || len(name) > 1 && name[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(name, 10, 32)
	return int64(n), err == nil && n < 1<<32-1
}

// Items lists the elements of an array; of anything else it is empty.
func (v *Value) Items() []*Value {
	if v.Kind() != Array {
		return nil
	}
	v.index()
	return v.contents.items
}

// Text is the text of a string, "" for anything else.
func (v *Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	if v.raw == nil {
		panic("ordered: a string without text")
	}
	return unquote(v.raw)
}

// Float is the value of a number as a double, which may be infinite; ok tells
// whether v is a number.
func (v *Value) Float() (f float64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, _ = strconv.ParseFloat(string(v.raw), 64) // out of range gives ±Inf, as ECMAScript reads it
	return f, true
}

// Literal is the text of a number as it was written, "" for anything else.
func (v *Value) Literal() string {
	if v.Kind() != Number {
		return ""
	}
	return string(v.raw)
}

// IsTrue tells whether v is exactly the value true.
func (v *Value) IsTrue() bool { return v.Kind() == Bool && v.raw[0] == 't' }

// IsFalse tells whether v is exactly the value false.
func (v *Value) IsFalse() bool { return v.Kind() == Bool && v.raw[0] == 'f' }

// IsObject tells whether v is an object.
func (v *Value) IsObject() bool { return v.Kind() == Object }

// IsArray tells whether v is an array.
func (v *Value) IsArray() bool { return v.Kind() == Array }

// Present is false for a value that is missing, null, false, 0 or "", and true
// for every other one, empty objects and arrays included.
func (v *Value) Present() bool {
	switch v.Kind() {
	case Missing, Null:
		return false
	case Bool:
		return v.IsTrue()
	case Number:
		f, _ := v.Float()
		return f != 0
	case String:
		return len(v.raw) > len(`""`)
	default:
		return true
	}
}
