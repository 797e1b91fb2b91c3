// Package settings edits the hooks section of a Claude Code settings file in
// place: it splices text in and out, in the file's own layout, and leaves every
// other byte as it is.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-json/jsontext"
)

// ErrBroken is wrapped by the error for a file that the client would not apply.
var ErrBroken = errors.New("the client would ignore this file")

const byteOrderMark = "\xef\xbb\xbf"

// A document is the text of a settings file and where its values stand in it.
type document struct {
	data  []byte
	root  *node
	style // of the file as it was found; only wanted for editing
}

// A node is a JSON value, or a member of an object with its name.
type node struct {
	kind       jsontext.Kind
	name       string // of a member
	from       int    // where it begins: the name of a member, else the value
	nameEnd    int
	start, end int    // the value
	text       string // of a string, decoded; of any other scalar, as written
	children   []*node
}

// open reads a settings file for editing; see [parse].
func open(data []byte) (*document, error) {
	d, err := parse(data)
	if err == nil {
		d.style = d.detect()
	}
	return d, err
}

// parse reads a settings file. The error wraps [ErrBroken] and says what is
// wrong and where.
func parse(data []byte) (*document, error) {
	offset := 0
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		offset = len(byteOrderMark)
	}
	d := &document{data: data}
	// The client reads files with repeated names and stray bytes; so do we.
	dec := jsontext.NewDecoder(bytes.NewBuffer(data[offset:len(data):len(data)]), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := reader{d, dec, offset}
	root, err := r.value()
	if err == nil {
		d.root = root
		_, err = dec.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return d, nil
		case err == nil:
			return nil, d.fault(root.end, "there is text after the closing brace")
		}
	}
	return nil, d.syntaxFault(offset, err)
}

// reader builds nodes from tokens.
type reader struct {
	d      *document
	dec    *jsontext.Decoder
	offset int
}

func (r reader) position() int { return r.offset + int(r.dec.InputOffset()) }

// next is where the next token begins.
func (r reader) next() int {
	at := r.position()
	for at < len(r.d.data) && strings.IndexByte(" \t\r\n,:", r.d.data[at]) >= 0 {
		at++
	}
	return at
}

func (r reader) value() (*node, error) {
	r.dec.PeekKind()
	start := r.next()
	token, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{kind: token.Kind(), from: start, start: start, end: r.position()}
	switch n.kind {
	case jsontext.KindString:
		n.text = token.String()
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		for kind := r.dec.PeekKind(); kind != jsontext.KindEndObject && kind != jsontext.KindEndArray; kind = r.dec.PeekKind() {
			child, err := r.child(n.kind)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
		if _, err := r.dec.ReadToken(); err != nil {
			return nil, err
		}
		n.end = r.position()
	default:
		n.text = string(r.d.data[start:n.end])
	}
	return n, nil
}

func (r reader) child(parent jsontext.Kind) (*node, error) {
	if parent == jsontext.KindBeginArray {
		return r.value()
	}
	from := r.next()
	name, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	text, nameEnd := name.String(), r.position()
	n, err := r.value()
	if err != nil {
		return nil, err
	}
	n.name, n.from, n.nameEnd = text, from, nameEnd
	return n, nil
}

// syntaxFault turns an error of the decoder into one that names the usual
// mistakes.
func (d *document) syntaxFault(offset int, err error) error {
	at := len(d.data)
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = min(offset+int(syntax.ByteOffset), len(d.data))
	}
	for at < len(d.data) && strings.IndexByte(" \t\r\n", d.data[at]) >= 0 {
		at++
	}
	rest := d.data[at:]
	before := bytes.TrimRight(d.data[:at], " \t\r\n")
	switch {
	case bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")):
		return d.fault(at, "a comment")
	case bytes.HasPrefix(rest, []byte(",")) && len(bytes.TrimLeft(rest[1:], " \t\r\n")) > 0 && strings.IndexByte("}]", bytes.TrimLeft(rest[1:], " \t\r\n")[0]) >= 0:
		return d.fault(at, "a trailing comma")
	case len(rest) > 0 && strings.IndexByte("}]", rest[0]) >= 0 && bytes.HasSuffix(before, []byte(",")):
		return d.fault(len(before)-1, "a trailing comma")
	case len(rest) == 0:
		return d.fault(at, "the file ends in the middle of a value")
	}
	return d.fault(at, "no JSON")
}

// fault is an error about the text at an offset.
func (d *document) fault(at int, format string, args ...any) error {
	before := bytes.TrimPrefix(d.data[:at], []byte(byteOrderMark))
	column := len(bytes.ToValidUTF8(before[bytes.LastIndexByte(before, '\n')+1:], []byte("?"))) + 1
	return fmt.Errorf("%w: line %d, column %d: %s", ErrBroken, d.line(at), column, fmt.Sprintf(format, args...))
}

// line is the number of the line in which an offset lies.
func (d *document) line(at int) int { return bytes.Count(d.data[:at], []byte("\n")) + 1 }

// get is the member of an object that counts: of a repeated name the last.
func (n *node) get(name string) *node {
	if n == nil || n.kind != jsontext.KindBeginObject {
		return nil
	}
	for i := len(n.children) - 1; i >= 0; i-- {
		if n.children[i].name == name {
			return n.children[i]
		}
	}
	return nil
}

// items are the elements of an array; of anything else none.
func (n *node) items() []*node {
	if n == nil || n.kind != jsontext.KindBeginArray {
		return nil
	}
	return n.children
}

// str is the text of a string; of anything else it is empty.
func (n *node) str() string {
	if n == nil || n.kind != jsontext.KindString {
		return ""
	}
	return n.text
}

// splice puts text in place of data[start:end] and reads the document again.
func (d *document) splice(start, end int, text string) error {
	data := make([]byte, 0, len(d.data)+len(text))
	data = append(append(append(data, d.data[:start]...), text...), d.data[end:]...)
	edited, err := parse(data)
	if err != nil {
		return fmt.Errorf("editing the settings: %w", err)
	}
	d.data, d.root = edited.data, edited.root
	return nil
}

// raw is the text of a value as it is written.
func (d *document) raw(n *node) string { return string(d.data[n.start:n.end]) }
