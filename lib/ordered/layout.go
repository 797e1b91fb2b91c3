package ordered

import (
	"bytes"
	"strings"
)

// laidOut tells whether text, which is one JSON value, is written as Indent
// writes it at a level of a document. It looks at blanks and line ends only, and
// is several times as fast as a formatter.
func laidOut(text []byte, level int) bool {
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '"':
			i += quoted(text[i:])
		case '{', '[':
			if text[i+1] == c+2 { // the closing one of both kinds
				i += len("{}")
				continue
			}
			level++
			n := lineSize(level)
			if !isLine(text[i+1:], n) || closes(text[i+1+n]) {
				return false
			}
			i += 1 + n
		case ',':
			n := lineSize(level)
			if !isLine(text[i+1:], n) {
				return false
			}
			i += 1 + n
		case '\n': // no other line ends but those before a closing brace are left
			level--
			n := lineSize(level)
			if text[i-1] == ' ' || !isLine(text[i:], n) || !closes(text[i+n]) {
				return false
			}
			i += n + 1
		case ':':
			if text[i+1] != ' ' {
				return false
			}
			i += len(": ")
		case ' ', '\t', '\r', '}', ']':
			return false
		default:
			i++
		}
	}
	return true
}

// A layouter writes values in the layout of Indent, or counts how long they are
// in it: so nothing is copied because a buffer was too small.
type layouter struct {
	text     []byte
	size     int
	counting bool
}

func (w *layouter) put(text []byte) {
	if w.counting {
		w.size += len(text)
	} else {
		w.text = append(w.text, text...)
	}
}

func (w *layouter) line(level int) {
	if w.counting {
		w.size += lineSize(level)
	} else {
		w.text = appendLine(w.text, level)
	}
}

// value writes text, which is one JSON value, for a level of a document.
func (w *layouter) value(text []byte, level int) {
	for i := skipSpace(text); i < len(text); i += skipSpace(text[i:]) {
		n := 1
		switch text[i] {
		case '"':
			n = quoted(text[i:])
			w.put(text[i : i+n])
		case '{', '[':
			w.put(text[i : i+1])
			n += skipSpace(text[i+1:])
			if closes(text[i+n]) {
				w.put(text[i+n : i+n+1])
				n++
				break
			}
			level++
			w.line(level)
		case '}', ']':
			level--
			w.line(level)
			w.put(text[i : i+1])
		case ',':
			w.put(text[i : i+1])
			w.line(level)
		case ':':
			w.put([]byte(": "))
		default: // a number or a name
			for i+n < len(text) && text[i+n] >= '+' && text[i+n] != ',' && text[i+n] != ']' && text[i+n] != '}' {
				n++
			}
			w.put(text[i : i+n])
		}
		i += n
	}
}

// quoted is how long the string is that text begins with, its quotes included.
func quoted(text []byte) int {
	for end := 1; ; {
		end += bytes.IndexByte(text[end:], '"') + 1
		escapes := 0
		for text[end-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
	}
}

func closes(c byte) bool { return c == '}' || c == ']' }

// isLine tells whether text begins with a line end and indentation, n bytes
// together, and goes on.
func isLine(text []byte, n int) bool {
	if n >= len(text) {
		return false
	}
	if n <= len(lineBlank) {
		return string(text[:n]) == lineBlank[:n]
	}
	return text[0] == '\n' && strings.Trim(string(text[1:n]), " ") == ""
}
