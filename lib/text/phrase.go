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
	at, _ := p.find(s, whole)
	return at
}

// Span gives the beginning and the end of the first match of p in s, which is in
// lower case; both are -1 where there is none.
func (p Phrase) Span(s string) (start, end int) { return p.find(s, false) }

func (p Phrase) find(s string, whole bool) (start, end int) {
	for from := 0; ; {
		i := strings.Index(s[from:], p.Words[0])
		if i < 0 {
			return -1, -1
		}
		at := from + i
		if n := p.length(s[at:]); n >= 0 && !(whole && afterWord(s, at)) {
			return at, at + n
		}
		from = at + 1
	}
}

// length is how much of s, which begins with the first word, p takes; -1 where
// s does not begin with p.
func (p Phrase) length(s string) int {
	at := len(p.Words[0])
	for _, w := range p.Words[1:] {
		n := SpaceLen(s[at:])
		if n == 0 && !p.Glued || !strings.HasPrefix(s[at+n:], w) {
			return -1
		}
		at += n + len(w)
	}
	return at
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
