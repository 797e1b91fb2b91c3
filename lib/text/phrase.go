package text

import (
	"strings"
	"unicode/utf8"
)

// A Phrase is a row of words as they may stand in a text: {"next", "phase"} is
// found where the words follow each other with white space between them. It is
// the part of a regular expression that most rules need, without the cost of
// starting one.
type Phrase struct {
	Words []string // lower case
	Glued bool     // the words may also stand without anything between them
}

// Find gives the place of the first match of p in s, which is in lower case, or
// -1. With whole set, a match does not count right after a letter, digit or
// underscore (spec 05 C.3).
func (p Phrase) Find(s string, whole bool) int {
	for from := 0; ; {
		i := strings.Index(s[from:], p.Words[0])
		if i < 0 {
			return -1
		}
		at := from + i
		if p.matches(s[at:]) && !(whole && afterWord(s, at)) {
			return at
		}
		from = at + 1
	}
}

// matches tells whether s, which begins with the first word, begins with p.
func (p Phrase) matches(s string) bool {
	s = s[len(p.Words[0]):]
	for _, w := range p.Words[1:] {
		n := SpaceLen(s)
		if n == 0 && !p.Glued || !strings.HasPrefix(s[n:], w) {
			return false
		}
		s = s[n+len(w):]
	}
	return true
}

func afterWord(s string, at int) bool {
	r, size := utf8.DecodeLastRuneInString(s[:at])
	return size > 0 && IsWord(r)
}

// AnyPhrase tells whether s, which is in lower case, holds one of phrases; see
// [Phrase.Find].
func AnyPhrase(s string, phrases []Phrase, whole bool) bool {
	for _, p := range phrases {
		if p.Find(s, whole) >= 0 {
			return true
		}
	}
	return false
}
