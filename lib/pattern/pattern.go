// Package pattern matches the regular expressions of the specification, which
// are written in the notation of ECMAScript and meant with its rules: \s is its
// set of white space, . stops at its line ends, and ignoring case is about the
// letters A to Z alone (spec 10, conventions; spec 40 §2.4).
//
// It is apart from package text because linking a regular expression engine
// costs a program start-up time: use it in rules that cannot do without.
package pattern

import (
	"regexp"
	"strings"
	"sync"
)

// A Pattern is a regular expression that is compiled when it is first used. It
// is meant for package variables:
//
//	var menu = pattern.Pattern{Expr: `\[A\]\s*Adjust`, Fold: true}
//
// It supports what both notations have: no look-around, no back references. A $
// is the very end of the text, a ^ its very beginning, unless Lines is set.
type Pattern struct {
	Expr  string
	Fold  bool // ignore the case of ASCII letters
	Lines bool // ^ and $ match at line ends (\n) too

	once sync.Once
	re   *regexp.Regexp
}

// Regexp is the compiled expression. An Expr that does not compile is a mistake
// of the program and panics.
func (p *Pattern) Regexp() *regexp.Regexp {
	p.once.Do(func() {
		flags := ""
		if p.Lines {
			flags = "(?m)"
		}
		p.re = regexp.MustCompile(flags + translate(p.Expr, p.Fold))
	})
	return p.re
}

// In tells whether p matches anywhere in s.
func (p *Pattern) In(s string) bool { return p.Regexp().MatchString(s) }

// Find gives the first match in s and its groups, nil where there is none.
func (p *Pattern) Find(s string) []string { return p.Regexp().FindStringSubmatch(s) }

// Any tells whether one of patterns matches in s.
func Any(s string, patterns []*Pattern) bool {
	for _, p := range patterns {
		if p.In(s) {
			return true
		}
	}
	return false
}

const (
	spaceSet = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	anyChar  = `[^\n\r\x{2028}\x{2029}]`
)

// translate turns an expression of ECMAScript into one of package regexp.
func translate(expr string, fold bool) string {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(expr); i++ {
		c := expr[i]
		switch {
		case c == '\\' && i+1 < len(expr):
			i++
			b.WriteString(escape(expr[i], inClass))
		case c == '[' && !inClass:
			inClass = true
			b.WriteByte(c)
			if strings.HasPrefix(expr[i+1:], "^") {
				i++
				b.WriteByte('^')
			}
		case c == '[':
			b.WriteString(`\[`)
		case c == ']' && inClass:
			inClass = false
			b.WriteByte(c)
		case c == '.' && !inClass:
			b.WriteString(anyChar)
		case c == '(' && !inClass && strings.HasPrefix(expr[i:], "(?"):
			b.WriteString("(?")
			i++
		case fold && isLetter(c) && inClass && i+2 < len(expr) && expr[i+1] == '-' && isLetter(expr[i+2]):
			b.WriteString(expr[i:i+3] + string(swap(c)) + "-" + string(swap(expr[i+2])))
			i += 2
		case fold && isLetter(c) && inClass:
			b.WriteString(string(c) + string(swap(c)))
		case fold && isLetter(c):
			b.WriteString("[" + string(c) + string(swap(c)) + "]")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func escape(c byte, inClass bool) string {
	switch {
	case c == 's' && inClass:
		return spaceSet
	case c == 's':
		return "[" + spaceSet + "]"
	case c == 'S' && !inClass:
		return "[^" + spaceSet + "]"
	case c == '/':
		return "/"
	}
	return `\` + string(c)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func swap(c byte) byte { return c ^ 0x20 }
