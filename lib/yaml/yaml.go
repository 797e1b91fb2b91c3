// Package yaml reads YAML documents into the values of package ordered, so that
// settings in YAML are asked in the same way as those in JSON.
//
// The grammar is that of github.com/goccy/go-yaml; only its parser is linked,
// for its decoder into Go types loses the precedence of merge keys and copies
// every alias, however many there are.
package yaml

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"isdlc-hooks/lib/ordered"
)

// ErrSyntax is wrapped by every error of [Parse] and [ParseOnly].
var ErrSyntax = errors.New("invalid YAML")

// What a document may cost. Far more than settings or a log of steps need, and
// little enough that a hostile file can neither hold up a hook nor exhaust its
// memory.
var (
	ofSettings = limits{size: 256 << 10, nodes: 50_000}
	ofRecords  = limits{size: 4 << 20, nodes: 500_000}
)

type limits struct {
	size  int // bytes
	nodes int // values, those behind an alias counted each time
}

const maxDepth = 200 // collections inside each other

const byteOrderMark = "\xef\xbb\xbf"

// Parse reads the first document in data, with a byte order mark in front of it
// or without; it is nil where there is none. Anchors and merge keys are
// resolved; a name that is no text is taken as it is written. The error wraps
// [ErrSyntax] and tells the place, but no text of the document: that may be
// secret.
func Parse(data []byte) (*ordered.Value, error) { return parse(data, ofSettings, false) }

// ParseOnly is [Parse] of data that must hold no second document, not even an
// empty one, and may be of the size of a file that grows with the work.
func ParseOnly(data []byte) (*ordered.Value, error) { return parse(data, ofRecords, true) }

func parse(data []byte, max limits, only bool) (v *ordered.Value, err error) {
	if len(data) >= len(byteOrderMark) && string(data[:len(byteOrderMark)]) == byteOrderMark {
		data = data[len(byteOrderMark):]
	}
	if len(data) > max.size {
		return nil, fmt.Errorf("%w: above %d bytes", ErrSyntax, max.size)
	}
	if line, deep := tooDeep(data); deep {
		return nil, fmt.Errorf("%w: line %d: nested too deeply", ErrSyntax, line)
	}
	defer func() {
		if recover() != nil { // some broken documents bring the parser down
			v, err = nil, fmt.Errorf("%w: the parser gave up", ErrSyntax)
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, fmt.Errorf("%w%s", ErrSyntax, place(err))
	}
	docs := slices.DeleteFunc(file.Docs, func(doc *ast.DocumentNode) bool {
		_, directive := doc.Body.(*ast.DirectiveNode)
		return directive
	})
	if only && len(docs) > 1 {
		return nil, fmt.Errorf("%w: there are %d documents", ErrSyntax, len(docs))
	}
	for _, doc := range docs {
		if doc.Body != nil {
			r := reader{left: max.nodes}
			return r.value(doc.Body, 0)
		}
	}
	return nil, nil
}

// place tells where an error of the parser is. Its own text quotes the document.
func place(err error) string {
	var at interface{ GetToken() *token.Token }
	if !errors.As(err, &at) || at.GetToken() == nil || at.GetToken().Position == nil {
		return ""
	}
	p := at.GetToken().Position
	return fmt.Sprintf(": line %d, column %d", p.Line, p.Column)
}

// tooDeep finds a line on which more than maxDepth collections are open. It is a
// rough count, for the parser needs memory in the square of the depth: brackets
// in texts and comments count too, blocks that are told by indentation do not,
// for their size grows in the same way.
func tooDeep(data []byte) (line int, deep bool) {
	open, dashes := 0, 0
	line = 1
	for i, c := range data {
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(open-1, 0)
		case '\n', '\r':
			dashes = 0
			if c == '\n' {
				line++
			}
		case ' ', '\t':
			if i > 0 && (data[i-1] == '-' || data[i-1] == '?') {
				dashes++
			}
		}
		if open+dashes > maxDepth {
			return line, true
		}
	}
	return 0, false
}

// A reader makes values of the tree that the parser gives.
type reader struct {
	left    int // values that may still be made
	anchors map[string]anchor
}

type anchor struct {
	value *ordered.Value
	nodes int
}

func (r *reader) value(node ast.Node, depth int) (*ordered.Value, error) {
	if r.left--; r.left < 0 || depth > maxDepth {
		return nil, fail(node, "the document is too large")
	}
	switch n := node.(type) {
	case *ast.NullNode:
		return ordered.Of(nil), nil
	case *ast.BoolNode:
		return ordered.Of(n.Value), nil
	case *ast.IntegerNode:
		switch i := n.Value.(type) {
		case int64:
			return ordered.Of(i), nil
		case uint64:
			if int64(i) >= 0 {
				return ordered.Of(int64(i)), nil
			}
			return ordered.Of(float64(i)), nil
		}
		return ordered.Of(n.Token.Value), nil
	case *ast.FloatNode:
		return ordered.Of(n.Value), nil
	case *ast.InfinityNode, *ast.NanNode: // no JSON value
		return ordered.Of(n.GetToken().Value), nil
	case *ast.StringNode:
		return ordered.Of(n.Value), nil
	case *ast.LiteralNode:
		return ordered.Of(n.Value.Value), nil
	case *ast.TagNode:
		if _, scalar := n.Value.(ast.ScalarNode); scalar && n.Start.Value == "!!str" {
			return ordered.Of(scalarText(n.Value)), nil
		}
		return r.value(n.Value, depth+1)
	case *ast.AnchorNode:
		return r.anchor(n, depth)
	case *ast.AliasNode:
		return r.alias(n)
	case *ast.SequenceNode:
		list := ordered.NewArray()
		for _, item := range n.Values {
			if s, ok := colonText(item); ok {
				list.Append(s)
				continue
			}
			v, err := r.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			list.Append(v)
		}
		return list, nil
	case *ast.MappingNode:
		return r.mapping(n.Values, depth)
	case *ast.MappingValueNode:
		return r.mapping([]*ast.MappingValueNode{n}, depth)
	case nil:
		return ordered.Of(nil), nil
	}
	return nil, fail(node, "not supported")
}

// colonText puts a text like ollama:small together again. In a list inside a
// mapping in braces the parser takes it for a mapping of its own, though only a
// colon with white space behind it makes one.
func colonText(item ast.Node) (string, bool) {
	m, ok := item.(*ast.MappingNode)
	if !ok || m.IsFlowStyle || len(m.Values) != 1 {
		return "", false
	}
	key, value := m.Values[0].Key.GetToken(), m.Values[0].Value.GetToken()
	if key.Indicator != token.NotIndicator || value.Indicator != token.NotIndicator ||
		value.Position.Offset != m.Values[0].Start.Position.Offset+1 {
		return "", false
	}
	return key.Value + ":" + value.Value, true
}

// mapping makes an object. What a mapping says itself goes before what it merges
// in, and of that the earlier before the later.
func (r *reader) mapping(pairs []*ast.MappingValueNode, depth int) (*ordered.Value, error) {
	object := ordered.NewObject()
	var merged []*ordered.Value
	for _, pair := range pairs {
		v, err := r.value(pair.Value, depth+1)
		if err != nil {
			return nil, err
		}
		switch {
		case !pair.Key.IsMergeKey():
			name, err := keyText(pair.Key)
			if err != nil {
				return nil, err
			}
			object.Set(name, v)
		case v.IsObject():
			merged = append(merged, v)
		case v.IsArray():
			merged = append(merged, v.Items()...)
		default:
			return nil, fail(pair.Key, "only mappings can be merged")
		}
	}
	for _, from := range merged {
		for _, m := range from.Members() {
			if object.Get(m.Name) == nil {
				object.Set(m.Name, m.Value)
			}
		}
	}
	return object, nil
}

// keyText is the name that a key of a mapping stands for.
func keyText(key ast.Node) (string, error) {
	switch k := key.(type) {
	case *ast.MappingKeyNode:
		return keyText(k.Value)
	case *ast.TagNode:
		return keyText(k.Value)
	case *ast.AnchorNode:
		return keyText(k.Value)
	case ast.ScalarNode:
		return scalarText(k), nil
	}
	return "", fail(key, "only plain names are supported")
}

// scalarText is a scalar as it is written, with quotes and escapes resolved.
func scalarText(node ast.Node) string {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	}
	return node.GetToken().Value
}

func (r *reader) anchor(n *ast.AnchorNode, depth int) (*ordered.Value, error) {
	before := r.left
	v, err := r.value(n.Value, depth+1)
	if err != nil {
		return nil, err
	}
	if r.anchors == nil {
		r.anchors = map[string]anchor{}
	}
	r.anchors[scalarText(n.Name)] = anchor{v, before - r.left}
	return v, nil
}

func (r *reader) alias(n *ast.AliasNode) (*ordered.Value, error) {
	a, known := r.anchors[scalarText(n.Value)]
	if !known { // or it stands inside of what it names
		return nil, fail(n, "an alias without its anchor")
	}
	if r.left -= a.nodes; r.left < 0 {
		return nil, fail(n, "the document is too large")
	}
	return a.value.Clone(), nil
}

func fail(node ast.Node, what string) error {
	if node != nil && node.GetToken() != nil && node.GetToken().Position != nil {
		p := node.GetToken().Position
		return fmt.Errorf("%w: line %d, column %d: %s", ErrSyntax, p.Line, p.Column, what)
	}
	return fmt.Errorf("%w: %s", ErrSyntax, what)
}
