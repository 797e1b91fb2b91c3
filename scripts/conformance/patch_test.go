package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An operation is one of RFC 6902.
type operation struct {
	Op    string          `json:"op"`
	Path  *string         `json:"path"`
	From  *string         `json:"from"`
	Value json.RawMessage `json:"value"`
}

// applyPatch gives the document that patch makes of doc, which stays as it is.
func applyPatch(doc *value, patch []operation) (*value, error) {
	doc = doc.clone()
	for i, o := range patch {
		changed, err := o.apply(doc)
		if err != nil {
			return nil, fmt.Errorf("operation %d, %s %s: %w", i, o.Op, deref(o.Path), err)
		}
		doc = changed
	}
	return doc, nil
}

func deref(s *string) string {
	if s == nil {
		return "(no path)"
	}
	return *s
}

func (o operation) apply(doc *value) (*value, error) {
	path, err := pointer(o.Path)
	if err != nil {
		return nil, err
	}
	switch o.Op {
	case "add", "replace", "test":
		if o.Value == nil {
			return nil, fmt.Errorf("no value")
		}
		v, err := parse(o.Value)
		if err != nil {
			return nil, err
		}
		switch o.Op {
		case "add":
			return put(doc, path, v)
		case "replace":
			return replace(doc, path, v)
		}
		at, err := find(doc, path)
		if err != nil {
			return nil, err
		}
		if !same(at, v) {
			return nil, fmt.Errorf("is %s", at.compact())
		}
		return doc, nil
	case "remove":
		return take(doc, path)
	case "move", "copy":
		from, err := pointer(o.From)
		if err != nil {
			return nil, err
		}
		v, err := find(doc, from)
		if err != nil {
			return nil, err
		}
		if o.Op == "copy" {
			return put(doc, path, v.clone())
		}
		if len(path) > len(from) && slices.Equal(path[:len(from)], from) {
			return nil, fmt.Errorf("moving a value into itself")
		}
		if doc, err = take(doc, from); err != nil {
			return nil, err
		}
		return put(doc, path, v)
	}
	return nil, fmt.Errorf("unknown operation")
}

// pointer reads a JSON pointer, RFC 6901.
func pointer(s *string) ([]string, error) {
	switch {
	case s == nil:
		return nil, fmt.Errorf("no path")
	case *s == "":
		return nil, nil
	case !strings.HasPrefix(*s, "/"):
		return nil, fmt.Errorf("a path begins with /")
	}
	steps := strings.Split((*s)[1:], "/")
	for i, step := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
	}
	return steps, nil
}

func find(doc *value, path []string) (*value, error) {
	for i, step := range path {
		var next *value
		switch doc.kind {
		case object:
			next = doc.get(step)
		case array:
			if n, err := index(step, len(doc.items)-1); err == nil {
				next = doc.items[n]
			}
		}
		if next == nil {
			return nil, fmt.Errorf("nothing at /%s", strings.Join(path[:i+1], "/"))
		}
		doc = next
	}
	return doc, nil
}

// index reads an array index up to last.
func index(step string, last int) (int, error) {
	n, err := strconv.Atoi(step)
	if err != nil || step != strconv.Itoa(n) || n < 0 || n > last {
		return 0, fmt.Errorf("no index %q", step)
	}
	return n, nil
}

// parent finds what holds the last step of path, which is not empty.
func parent(doc *value, path []string) (*value, string, error) {
	holder, err := find(doc, path[:len(path)-1])
	if err == nil && holder.kind != object && holder.kind != array {
		err = fmt.Errorf("no object or array to be in")
	}
	return holder, path[len(path)-1], err
}

func put(doc *value, path []string, v *value) (*value, error) {
	if len(path) == 0 {
		return v, nil
	}
	holder, last, err := parent(doc, path)
	if err != nil {
		return nil, err
	}
	if holder.kind == object {
		holder.set(last, v)
		return doc, nil
	}
	n := len(holder.items)
	if last != "-" {
		if n, err = index(last, len(holder.items)); err != nil {
			return nil, err
		}
	}
	holder.items = slices.Insert(holder.items, n, v)
	return doc, nil
}

func replace(doc *value, path []string, v *value) (*value, error) {
	at, err := find(doc, path)
	if err != nil {
		return nil, err
	}
	*at = *v
	return doc, nil
}

func take(doc *value, path []string) (*value, error) {
	if len(path) == 0 {
		return nil, fmt.Errorf("removing the document")
	}
	if _, err := find(doc, path); err != nil {
		return nil, err
	}
	holder, last, err := parent(doc, path)
	if err != nil {
		return nil, err
	}
	if holder.kind == object {
		holder.remove(last)
		return doc, nil
	}
	n, err := index(last, len(holder.items)-1)
	if err != nil {
		return nil, err
	}
	holder.items = slices.Delete(holder.items, n, n+1)
	return doc, nil
}

// same compares as RFC 6902 does: numbers by value, members in any order.
func same(a, b *value) bool {
	if a.kind != b.kind || len(a.members) != len(b.members) || len(a.items) != len(b.items) {
		return false
	}
	for _, m := range a.members {
		if other := b.get(m.name); other == nil || !same(m.value, other) {
			return false
		}
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	return a.text == b.text && a.truth == b.truth && (a.kind != number || a.double() == b.double())
}
