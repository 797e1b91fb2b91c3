package menutracker

import (
	"strings"

	"isdlc-hooks/lib/text"
)

// A detection is what a text tells of an elicitation. Its zero value is nothing.
type detection struct {
	menu      bool   // a menu was shown
	selection string // what the user chose
	step      step   // the step that was completed
}

// A step of the elicitation, numbered from 1.
type step struct {
	number int
	name   string
}

// Selections that complete the elicitation.
const (
	save = "save"
	exit = "exit"
)

// detect looks for the signs of an elicitation in s (spec 30 §3.2).
func detect(s string) detection {
	s = text.LowerASCII(s)
	return detection{isMenu(s), selected(s), completed(s)}
}

// signs are parts of a menu; two different ones make a menu.
var signs = [...]text.Phrase{
	{Words: []string{"[a]", "adjust"}, Glued: true},
	{Words: []string{"[r]", "refine"}, Glued: true},
	{Words: []string{"[c]", "continue"}, Glued: true},
	{Words: []string{"[s]", "save"}, Glued: true},
	{Words: []string{"[x]", "exit"}, Glued: true},
	{Words: []string{"your choice:"}},
	{Words: []string{"enter selection"}},
	{Words: []string{"select an option"}},
}

func isMenu(s string) bool {
	n := 0
	for _, sign := range signs {
		if sign.Find(s, false) >= 0 {
			n++
		}
	}
	return n >= 2
}

// choices are the options of a menu in the order in which they are looked for;
// each begins with its letter but exit.
var choices = [...]struct {
	letter byte
	name   string
}{
	{'a', "adjust"}, {'r', "refine"}, {'c', "continue"}, {'s', save}, {'x', exit},
}

// remarks tell of a selection without naming the option.
var remarks = [...]struct {
	phrase    text.Phrase
	selection string
}{
	{text.Phrase{Words: []string{"proceeding", "to", "next", "step"}}, "continue"},
	{text.Phrase{Words: []string{"saving", "artifacts"}}, save},
	{text.Phrase{Words: []string{"artifacts", "saved"}}, save},
	{text.Phrase{Words: []string{"requirements", "finalized"}}, save},
}

// selected is the selection that s, in lower case, tells of: by the letter
// behind a form of select, else by the letter and the word behind chose, else by
// a remark.
func selected(s string) string {
	if i := first(s, "select", letterSelected); i >= 0 {
		return choices[i].name
	}
	if i := first(s, "chose", choiceNamed); i >= 0 {
		return choices[i].name
	}
	for _, r := range remarks {
		if r.phrase.Find(s, false) >= 0 {
			return r.selection
		}
	}
	return ""
}

// first is the first of choices that read finds behind any occurrence of word in
// s, or -1.
func first(s, word string, read func(rest string) int) int {
	found := -1
	for {
		_, rest, ok := strings.Cut(s, word)
		if !ok {
			return found
		}
		if i := read(rest); i >= 0 && (found < 0 || i < found) {
			found = i
		}
		s = rest
	}
}

// letterSelected reads the choice in s, which stands behind select. Nothing
// bounds the letter on its right, so the word customers is one too.
func letterSelected(s string) int {
	if after, ok := strings.CutPrefix(s, "ed"); ok {
		s = after
	} else {
		s = strings.TrimPrefix(s, "ion")
	}
	i, _ := letter(s)
	return i
}

// choiceNamed reads the choice in s, which stands behind chose: a letter and its
// word.
func choiceNamed(s string) int {
	i, rest := letter(s)
	if i < 0 {
		return -1
	}
	rest = strings.TrimPrefix(rest, "]")
	if !strings.HasPrefix(rest[text.SpaceLen(rest):], choices[i].name) {
		return -1
	}
	return i
}

// letter reads the letter of a choice, with or without a colon, white space and
// a bracket before it, and gives what is left of s.
func letter(s string) (choice int, rest string) {
	s = strings.TrimPrefix(s, ":")
	s = strings.TrimPrefix(s[text.SpaceLen(s):], "[")
	for i, c := range choices {
		if s != "" && s[0] == c.letter {
			return i, s[1:]
		}
	}
	return -1, s
}

var steps = [...]string{
	"project_discovery", "user_personas", "core_features", "nfr", "user_stories", "prioritization", "finalization",
}

// descriptions tell in words that a step is complete: a phrase, and the words
// that follow it on its line.
var descriptions = [...]struct {
	phrase text.Phrase
	then   []string
	number int
}{
	{text.Phrase{Words: []string{"project", "discovery"}}, []string{"complete"}, 1},
	{text.Phrase{Words: []string{"persona"}}, []string{"identification", "complete"}, 2},
	{text.Phrase{Words: []string{"functional", "requirements"}}, []string{"complete"}, 3},
	{text.Phrase{Words: []string{"non-functional"}}, []string{"requirements", "complete"}, 4},
	{text.Phrase{Words: []string{"user", "stories"}}, []string{"complete"}, 5},
	{text.Phrase{Words: []string{"prioritization"}}, []string{"complete"}, 6},
}

// completed is the step that s, in lower case, tells to be complete: the lowest
// one that is told by its number, else the first that is told in words.
func completed(s string) step {
	if !strings.Contains(s, "complete") && !strings.Contains(s, "done") {
		return step{}
	}
	if n := numbered(s); n > 0 {
		return step{n, steps[n-1]}
	}
	for _, d := range descriptions {
		if described(s, d.phrase, d.then) {
			return step{d.number, steps[d.number-1]}
		}
	}
	return step{}
}

// numbered is the lowest number behind the word step in s with complete or done
// on the rest of its line, 0 where there is none. Only one digit is read.
func numbered(s string) int {
	lowest := 0
	complete, done := tail{s, []string{"complete"}, -1}, tail{s, []string{"done"}, -1}
	for at := 0; ; {
		i := strings.Index(s[at:], "step")
		if i < 0 {
			return lowest
		}
		at += i + len("step")
		digit := at + text.SpaceLen(s[at:])
		if digit == at || digit == len(s) || s[digit] < '1' || s[digit] > '7' {
			continue
		}
		n := int(s[digit] - '0')
		if (lowest == 0 || n < lowest) && (complete.follows(digit+1) || done.follows(digit+1)) {
			lowest = n
		}
	}
}

// described tells whether p stands in s with the words then behind it on the
// same line.
func described(s string, p text.Phrase, then []string) bool {
	words := tail{s, then, -1}
	for at := 0; ; {
		_, end := p.Span(s[at:])
		if end < 0 {
			return false
		}
		at += end
		if words.follows(at) {
			return true
		}
	}
}

// A tail looks for words, in this order, on the rest of a line of s. It reads no
// line twice for nothing: where they do not follow one place, they follow none
// behind it on the same line.
type tail struct {
	s      string
	words  []string
	barren int // the end of the last line that was read in vain; -1 at first
}

// follows tells whether the words stand on the line behind at. It is asked for
// places in ascending order.
func (t *tail) follows(at int) bool {
	if at <= t.barren {
		return false
	}
	line := t.s[at:]
	if end := strings.IndexAny(line, "\n\r\u2028\u2029"); end >= 0 {
		line = line[:end]
	}
	end := at + len(line)
	for _, w := range t.words {
		_, rest, found := strings.Cut(line, w)
		if !found {
			t.barren = end
			return false
		}
		line = rest
	}
	return true
}
