package discovermenuguard

import (
	"strings"

	"isdlc-hooks/lib/text"
)

const shortest = 50 // UTF-16 units of a text that may be a menu

// An option is an entry of a menu and how it is found, in lower case. All are
// found inside longer words as well.
type option struct {
	name    string
	phrases []text.Phrase
}

var (
	newProject      = text.Phrase{Words: []string{"new", "project"}}
	existingProject = text.Phrase{Words: []string{"existing", "project"}}
	scopedAnalysis  = text.Phrase{Words: []string{"scoped", "analysis"}}

	autoDetect = []text.Phrase{{Words: []string{"autodetect"}}, {Words: []string{"auto-detect"}}, {Words: []string{"auto detect"}}}
)

var required = [...]option{
	{"New Project", []text.Phrase{newProject}},
	{"Existing Project", []text.Phrase{existingProject}},
	{"Chat/Explore", []text.Phrase{{Words: []string{"chat"}}, {Words: []string{"explore"}}}},
}

var removed = [...]option{
	{"Scoped Analysis", []text.Phrase{scopedAnalysis}},
	{"Auto-detect", autoDetect},
}

// findings names the options that the menu s lacks, and the removed ones that it
// shows.
func findings(s string) (missing, forbidden []string) {
	s = text.LowerASCII(s)
	for _, o := range required {
		if !o.in(s) {
			missing = append(missing, o.name)
		}
	}
	for _, o := range removed {
		if o.in(s) {
			forbidden = append(forbidden, o.name)
		}
	}
	return missing, forbidden
}

func (o option) in(s string) bool { return text.AnyPhrase(s, o.phrases, false) }

// namesOption tells whether s names one of the options that only this menu has
// or had.
func namesOption(s string) bool {
	s = text.LowerASCII(s)
	return text.AnyPhrase(s, []text.Phrase{newProject, existingProject, scopedAnalysis}, false) || text.AnyPhrase(s, autoDetect, false)
}

// isMenu tells whether s is long enough for a menu and numbers something.
func isMenu(s string) bool {
	return text.Units(s) >= shortest && (hasNumber(s) || hasOptionNumber(text.LowerASCII(s)))
}

// hasNumber tells whether s holds digits in brackets, or digits with a full stop
// and white space behind them.
func hasNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			continue
		}
		bracket := i > 0 && s[i-1] == '['
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		switch rest := s[i:]; {
		case bracket && strings.HasPrefix(rest, "]"):
			return true
		case strings.HasPrefix(rest, ".") && text.SpaceLen(rest[1:]) > 0:
			return true
		}
	}
	return false
}

// hasOptionNumber tells whether s, in lower case, holds the word option with a
// number behind it.
func hasOptionNumber(s string) bool {
	for {
		_, rest, found := strings.Cut(s, "option")
		if !found {
			return false
		}
		if n := text.SpaceLen(rest); n > 0 && n < len(rest) && isDigit(rest[n]) {
			return true
		}
		s = rest
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
