package menuhaltenforcer

import (
	"strings"

	"isdlc-hooks/lib/text"
)

// allowed is how much may follow a menu, in UTF-16 units.
const allowed = 200

// A kind is one sort of menu: how it is recognised, and what its last line says.
type kind struct {
	name  string
	shown func(s, lower string) bool // s, and s with the letters A to Z lowered
	end   mark
}

// A mark is an opening with a word behind it, white space between them.
type mark struct {
	opening string // both in lower case
	words   []string
	glued   bool // the white space may be missing
}

var (
	arcEnd    = mark{"[c]", []string{"continue", "confirm", "complete"}, true}
	selection = mark{"enter", []string{"selection"}, false}
	other     = mark{"[o]", []string{"other"}, true}
)

// kinds are the menus that are known; the first that is violated is reported.
var kinds = [...]kind{
	{"arc-menu", isArc, arcEnd},
	{"numbered-menu", func(s, lower string) bool { return hasNumber(s) && selection.find(lower) >= 0 }, selection},
	{"backlog-picker", func(s, lower string) bool { return hasNumber(s) && other.find(lower) >= 0 }, other},
}

func isArc(s, _ string) bool {
	return strings.Contains(s, "[A]") && strings.Contains(s, "[R]") && strings.Contains(s, "[C]")
}

// violation is the kind of the menu in s after which too much follows, and how
// much that is in UTF-16 units; "" where there is none.
func violation(s string) (kind string, units int) {
	if len(s) <= allowed {
		return "", 0
	}
	lower := text.LowerASCII(s)
	for _, k := range kinds {
		if !k.shown(s, lower) {
			continue
		}
		end := k.end.lastLine(lower)
		if end < 0 { // an arc menu whose [C] is called otherwise
			end = max(lineEnd(s, strings.LastIndex(s, "[C]")), selection.lastLine(lower), other.lastLine(lower))
		}
		if n := text.Units(text.Trim(s[end:])); n > allowed {
			return k.name, n
		}
	}
	return "", 0
}

// find is the end of the first match of m in s, which is in lower case, or -1.
func (m mark) find(s string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], m.opening)
		if i < 0 {
			return -1
		}
		at += i + len(m.opening)
		space := text.SpaceLen(s[at:])
		if space == 0 && !m.glued {
			continue
		}
		for _, w := range m.words {
			if strings.HasPrefix(s[at+space:], w) {
				return at + space + len(w)
			}
		}
	}
}

// lastLine is the end of the line of the last match of m in s, -1 where there is
// none. The line of a match belongs to it: what stands there begins no other.
func (m mark) lastLine(s string) int {
	end := -1
	for at := 0; ; at = end {
		n := m.find(s[at:])
		if n < 0 {
			return end
		}
		end = lineEnd(s, at+n)
	}
}

// lineEnd is where the line of s ends that at is in: at a line feed, not at a
// lone carriage return or another line end.
func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s)
}

// hasNumber tells whether s holds digits in brackets.
func hasNumber(s string) bool {
	for {
		_, rest, found := strings.Cut(s, "[")
		if !found {
			return false
		}
		if after := strings.TrimLeft(rest, "0123456789"); len(after) < len(rest) && after != "" && after[0] == ']' {
			return true
		}
		s = rest
	}
}
