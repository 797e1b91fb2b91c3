// Package schema compares a value with a JSON schema, as far as the schemas of
// state sections go (spec 20 §1.5).
package schema

import (
	"fmt"
	"math"

	"isdlc-hooks/lib/ordered"
)

// Check lists what in value does not fit schema, each with the path to it from
// name. A nil schema, and keywords other than type, required, enum, minimum,
// properties and items, ask for nothing.
func Check(name string, schema, value *ordered.Value) []string {
	if t := schema.Get("type").Text(); t != "" && !isType(value, t) {
		return []string{fmt.Sprintf("%s is no %s", name, t)}
	}
	var found []string
	for _, r := range schema.Get("required").Items() {
		if value.IsObject() && value.Get(r.Text()) == nil {
			found = append(found, fmt.Sprintf("%s has no %s", name, r.Text()))
		}
	}
	if list := schema.Get("enum"); list.IsArray() && !among(value, list) {
		found = append(found, fmt.Sprintf("%s is %s, which is none of %s", name, value.Compact(), list.Compact()))
	}
	if least, ok := schema.Get("minimum").Float(); ok {
		if n, ok := value.Float(); ok && n < least {
			found = append(found, fmt.Sprintf("%s is %s, which is below %s", name, value.Literal(), schema.Get("minimum").Literal()))
		}
	}
	for _, p := range schema.Get("properties").Members() {
		if member := value.Get(p.Name); member != nil {
			found = append(found, Check(name+"."+p.Name, p.Value, member)...)
		}
	}
	if each := schema.Get("items"); each.IsObject() {
		for i, item := range value.Items() {
			found = append(found, Check(fmt.Sprintf("%s[%d]", name, i), each, item)...)
		}
	}
	return found
}

// isType tells whether v is of a type; one that has no name here asks for
// nothing.
func isType(v *ordered.Value, name string) bool {
	switch name {
	case "object":
		return v.IsObject()
	case "array":
		return v.IsArray()
	case "string":
		return v.Kind() == ordered.String
	case "number":
		return v.Kind() == ordered.Number
	case "integer":
		f, ok := v.Float()
		return ok && f == math.Trunc(f)
	case "boolean":
		return v.Kind() == ordered.Bool
	case "null":
		return v.Kind() == ordered.Null
	}
	return true
}

// among tells whether list has v, by the shortest form of both: 1.0 is 1.
func among(v, list *ordered.Value) bool {
	for _, item := range list.Items() {
		if string(item.Compact()) == string(v.Compact()) {
			return true
		}
	}
	return false
}
