package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Validation is the name of the marker that makes a prompt a DES task.
const Validation = "DES-VALIDATION"

const (
	required = "required"

	// maxID is how many bytes a value may have. No longer one can name a folder,
	// and without a bound a prompt of nothing but openings would take ages.
	maxID = 1024
)

// Markers are what the comments in a prompt say about it.
type Markers struct {
	DESTask           bool
	Orchestrator      bool   // matters for a DES task alone
	ProjectID, StepID string // "" where there is no such marker
}

// MarkerParser finds markers (spec 60 §4.3).
type MarkerParser struct{}

// Parse reads the markers of a prompt. The first well-formed one of a kind
// counts.
func (MarkerParser) Parse(prompt string) Markers {
	var m Markers
	_, m.DESTask = findMarker(prompt, Validation, exactly(required))
	_, m.Orchestrator = findMarker(prompt, "DES-MODE", exactly("orchestrator"))
	m.ProjectID, _ = findMarker(prompt, "DES-PROJECT-ID", unspaced)
	m.StepID, _ = findMarker(prompt, "DES-STEP-ID", unspaced)
	return m
}

// findMarker gives the value of the first comment in text that has this name and
// a value that take accepts. What take is given begins with the value and goes
// on to the end of the text.
func findMarker(text, name string, take func(string) (value string, ok bool)) (string, bool) {
	for {
		_, after, found := strings.Cut(text, "<!--")
		if !found {
			return "", false
		}
		text = after
		if body, named := strings.CutPrefix(trimStart(after), name); named {
			if body, colon := strings.CutPrefix(trimStart(body), ":"); colon {
				if value, ok := take(trimStart(body)); ok {
					return value, true
				}
			}
		}
	}
}

// exactly accepts one value alone.
func exactly(value string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		rest, ok := strings.CutPrefix(s, value)
		return value, ok && closes(rest)
	}
}

// word accepts letters, digits and underscores.
func word(s string) (string, bool) {
	n := wordLen(s)
	return s[:n], n > 0 && closes(s[n:])
}

// unspaced accepts anything without white space, and as much of it as leaves the
// end of the comment.
func unspaced(s string) (string, bool) {
	n := strings.IndexFunc(s[:min(len(s), maxID)], unicode.IsSpace)
	if n < 0 {
		n = min(len(s), maxID)
	}
	if n > 0 && closes(s[n:]) {
		return s[:n], true
	}
	end := strings.LastIndex(s[:n], "-->")
	return s[:max(end, 0)], end > 0
}

func closes(s string) bool { return strings.HasPrefix(trimStart(s), "-->") }

func trimStart(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// wordLen is the length in bytes of the word that s begins with, 0 for none.
func wordLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !isWord(r) })
	if n < 0 {
		return len(s)
	}
	return n
}

// wholeWord finds word in s where it is no part of a longer word, at from or
// later; -1 where it is not.
func wholeWord(s, word string, from int) int {
	for {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(word):])
		if !isWord(before) && !isWord(after) {
			return at
		}
		from = at + 1
	}
}
