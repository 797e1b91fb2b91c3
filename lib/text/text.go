// Package text holds the few operations on text in which the rules follow
// ECMAScript rather than Go: what counts as white space, how letters are
// lowered, and how lengths are counted (spec 10, conventions; spec 40 §2.4).
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower is s in lower case. U+0130 becomes i and a combining dot, so that it
// does not turn into a plain i.
func Lower(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
}

// LowerASCII lowers the letters A to Z and no others.
func LowerASCII(s string) string {
	at := strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' })
	if at < 0 {
		return s
	}
	b := []byte(s)
	for i := at; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// IsSpace tells whether r is white space: tab to carriage return, the Unicode
// space separators, U+2028, U+2029 and U+FEFF.
func IsSpace(r rune) bool {
	switch {
	case r == ' ', '\t' <= r && r <= '\r':
		return true
	case r < 0x80:
		return false
	}
	return r == 0x2028 || r == 0x2029 || r == 0xFEFF || unicode.Is(unicode.Zs, r)
}

// Trim drops white space from both ends of s.
func Trim(s string) string { return strings.TrimFunc(s, IsSpace) }

// IsWord tells whether r is a letter or digit of any script, or an underscore.
func IsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Units is the length of s in UTF-16 code units.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Cut is the beginning of s that is at most n UTF-16 code units long. A
// character that would be cut in half is left out.
func Cut(s string, n int) string {
	for i, r := range s {
		if n--; r > 0xFFFF {
			n--
		}
		if n < 0 {
			return s[:i]
		}
	}
	return s
}

// ContainsAny tells whether s contains one of words.
func ContainsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// SpaceLen is the length in bytes of the white space at the beginning of s.
func SpaceLen(s string) int {
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !IsSpace(r) {
			break
		}
		n += size
	}
	return n
}
