package settings

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/goccy/go-json/jsontext"
)

// A style is how a file is laid out.
type style struct {
	multi   bool   // spread over lines
	newline string // LF or CRLF
	unit    string // one level of indentation
	colon   string // between name and value
	comma   string // between two values on one line
}

// detect reads the layout off the text. What the file does not show is as
// JSON.stringify(v, null, 2) does it.
func (d *document) detect() style {
	s := style{newline: "\n", unit: "  ", colon: ": "}
	text := d.data[d.root.start:d.root.end]
	s.multi = bytes.Contains(text, []byte("\n")) || len(d.root.children) == 0
	if bytes.Contains(d.data, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	var unit, colon, comma bool
	d.root.walk(func(n *node) {
		for i, child := range n.children {
			lead := d.lead(n, i)
			switch broken := strings.Contains(lead, "\n"); {
			case broken && !unit:
				inside, deeper := strings.CutPrefix(afterLastLine(lead), d.indent(n.start))
				if deeper && inside != "" {
					s.unit, unit = inside, true
				}
			case !broken && !comma && i > 0:
				s.comma, comma = ","+lead, true
			}
			if n.kind == jsontext.KindBeginObject && !colon {
				between := string(d.data[child.nameEnd:child.start])
				if colon = !strings.ContainsAny(between, "\r\n"); colon {
					s.colon = between
				}
			}
		}
	})
	if !comma {
		s.comma = strings.TrimLeft(strings.Replace(s.colon, ":", ",", 1), " \t")
	}
	return s
}

func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, child := range n.children {
		child.walk(visit)
	}
}

// lead is the white space in front of a child of n.
func (d *document) lead(n *node, i int) string {
	from := n.children[i].from
	start := from
	for start > n.start+1 && strings.IndexByte(" \t\r\n", d.data[start-1]) >= 0 {
		start--
	}
	return string(d.data[start:from])
}

// indent is the white space at the beginning of the line in which at stands.
func (d *document) indent(at int) string {
	line := d.data[bytes.LastIndexByte(d.data[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func afterLastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

// insert appends to an object or array: a [member] or another value that
// render takes.
func (d *document) insert(n *node, value any) error {
	if len(n.children) == 0 {
		base := d.indent(n.start)
		text := d.render(value, base, false)
		if d.multi {
			inner := base + d.unit
			text = d.newline + inner + d.render(value, inner, true) + d.newline + base
		}
		return d.splice(n.start+1, n.end-1, text)
	}
	i := len(n.children) - 1
	last, lead := n.children[i], d.lead(n, i)
	switch {
	case strings.Contains(lead, "\n"):
		base := afterLastLine(lead)
		return d.splice(last.end, last.end, ","+d.newline+base+d.render(value, base, true))
	case bytes.Contains(d.data[last.start:last.end], []byte("\n")):
		return d.splice(last.end, last.end, ", "+d.render(value, d.indent(last.from), true))
	}
	return d.splice(last.end, last.end, d.comma+d.render(value, "", false))
}

// remove takes a child out of an object or array, with the comma beside it.
func (d *document) remove(n *node, i int) error {
	switch {
	case len(n.children) == 1:
		return d.splice(n.start+1, n.end-1, "")
	case i == len(n.children)-1:
		return d.splice(n.children[i-1].end, n.children[i].end, "")
	}
	return d.splice(n.children[i].from, n.children[i+1].from, "")
}

// member, object, array and verbatim are values to be rendered, beside string
// and int.
type (
	verbatim string // JSON as it was written
	member   struct {
		name  string
		value any
	}
	object []member
	array  []any
)

// render writes a value in the document's layout; base is the indentation of
// the line in which it begins.
func (s style) render(value any, base string, multi bool) string {
	switch v := value.(type) {
	case string:
		return quote(v)
	case verbatim:
		return string(v)
	case int:
		return strconv.Itoa(v)
	case member:
		return quote(v.name) + s.colon + s.render(v.value, base, multi)
	case object:
		parts := make([]any, len(v))
		for i, m := range v {
			parts[i] = m
		}
		return s.list("{", "}", parts, base, multi)
	case array:
		return s.list("[", "]", v, base, multi)
	}
	panic("settings: no way to render this value")
}

func (s style) list(opening, closing string, parts []any, base string, multi bool) string {
	inner, separator, end := base+s.unit, s.comma, ""
	if multi {
		separator, end = ","+s.newline+inner, s.newline+base
		opening += s.newline + inner
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = s.render(part, inner, multi)
	}
	return opening + strings.Join(texts, separator) + end + closing
}

func quote(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // broken UTF-8 becomes U+FFFD
	return string(quoted)
}
