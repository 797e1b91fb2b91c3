package ordered

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/goccy/go-json/jsontext"
)

// Of makes a value that can be put into a document: of nil, a bool, an int, an
// int64, a float64 (not NaN or infinite), a string, a []string, a []*Value or a
// *Value. Another type is a mistake of the program and panics.
func Of(x any) *Value {
	switch x := x.(type) {
	case nil:
		return &Value{raw: []byte("null"), kind: Null}
	case bool:
		return &Value{raw: strconv.AppendBool(nil, x), kind: Bool}
	case int:
		return &Value{raw: strconv.AppendInt(nil, int64(x), 10), kind: Number}
	case int64:
		return &Value{raw: strconv.AppendInt(nil, x, 10), kind: Number}
	case float64:
		return &Value{raw: jsontext.AppendFloat(nil, x, 64), kind: Number}
	case string:
		return &Value{raw: quote(x), kind: String}
	case []string:
		list := NewArray()
		for _, s := range x {
			list.Append(s)
		}
		return list
	case []*Value:
		list := NewArray()
		for _, item := range x {
			list.Append(item)
		}
		return list
	case *Value:
		switch {
		case x == nil:
			return Of(nil)
		case x.parent != nil:
			return x.Clone()
		}
		return x
	}
	panic(fmt.Sprintf("ordered: no JSON value of type %T", x))
}

// quote writes a JSON string as JSON.stringify does: nothing escaped but what
// must be.
func quote(s string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, s) // broken UTF-8 becomes U+FFFD
	return quoted
}

// NewObject makes an object of names and values in turn; a value is anything
// that [Of] takes.
func NewObject(pairs ...any) *Value {
	v := &Value{kind: Object, contents: &contents{}}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i].(string), pairs[i+1])
	}
	return v
}

// NewArray makes an array of anything that [Of] takes.
func NewArray(items ...any) *Value {
	v := &Value{kind: Array, contents: &contents{}}
	for _, item := range items {
		v.Append(item)
	}
	return v
}

// Clone copies v out of its document.
func (v *Value) Clone() *Value {
	if v.raw != nil {
		return written(v.raw, nil)
	}
	clone := &Value{kind: v.kind, contents: &contents{head: v.contents.head}}
	for _, m := range v.contents.members {
		child := m.value.Clone()
		child.parent = clone
		clone.contents.members = append(clone.contents.members, member{m.name, child})
	}
	for _, item := range v.contents.items {
		child := item.Clone()
		child.parent = clone
		clone.contents.items = append(clone.contents.items, child)
	}
	return clone
}

// edited notes that the text of v, and so of everything around it, no longer
// stands.
func (v *Value) edited() {
	v.index()
	v.discard()
}

func (v *Value) discard() {
	for ; v != nil && v.raw != nil; v = v.parent {
		v.raw = nil
	}
}

// Edited tells whether v or something in it was changed since [Parse].
func (v *Value) Edited() bool { return v != nil && v.raw == nil }

// Set gives the member name of an object a new value, anything that [Of] takes:
// at its place (of a repeated name, the first), or else at the end. It returns
// the new value. A v that is no object is a mistake of the program and panics.
func (v *Value) Set(name string, x any) *Value {
	if v.Kind() != Object {
		panic("ordered: Set on a value that is no object")
	}
	v.edited()
	value := Of(x)
	value.parent = v
	first := slices.IndexFunc(v.contents.members, func(m member) bool { return named(m.name, name) })
	if first < 0 {
		v.contents.members = append(v.contents.members, member{quote(name), value})
		return value
	}
	v.contents.members[first].value = value
	kept := v.contents.members[:first+1]
	for _, m := range v.contents.members[first+1:] {
		if !named(m.name, name) {
			kept = append(kept, m)
		}
	}
	v.contents.members = kept
	return value
}

// Delete takes the member name out of an object; it does nothing where there is
// none.
func (v *Value) Delete(name string) {
	if v.Get(name) == nil {
		return
	}
	v.edited()
	v.contents.members = slices.DeleteFunc(v.contents.members, func(m member) bool { return named(m.name, name) })
}

// Append adds an element, anything that [Of] takes, to the end of an array and
// returns it. A v that is no array is a mistake of the program and panics. The
// elements that are there are not looked at, for logs are long.
func (v *Value) Append(x any) *Value {
	if v.Kind() != Array {
		panic("ordered: Append to a value that is no array")
	}
	if v.contents == nil {
		v.contents = &contents{}
		if first := v.raw[len("["):]; first[skipSpace(first)] != ']' {
			v.contents.head = v.raw
		}
	}
	v.discard()
	value := Of(x)
	value.parent = v
	v.contents.items = append(v.contents.items, value)
	return value
}

// KeepLast drops elements from the front of an array until at most n are left.
func (v *Value) KeepLast(n int) {
	if len(v.Items()) <= n {
		return
	}
	v.edited()
	v.contents.items = v.contents.items[len(v.contents.items)-n:]
}

// Ensure is the object under name, which is made, in place of whatever else is
// there, where it is none.
func (v *Value) Ensure(name string) *Value {
	if child := v.Get(name); child.IsObject() {
		return child
	}
	return v.Set(name, NewObject())
}

// EnsureArray is the array under name, which is made, in place of whatever else
// is there, where it is none.
func (v *Value) EnsureArray(name string) *Value {
	if child := v.Get(name); child.IsArray() {
		return child
	}
	return v.Set(name, NewArray())
}
