package menuhaltenforcer

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/text"
)

// The specification gives regular expressions (30 §7); the program reads without
// an engine for them. These are what it is held against.
var specified = []struct {
	name  string
	signs []*pattern.Pattern
	end   *pattern.Pattern
}{
	{"arc-menu", []*pattern.Pattern{{Expr: `\[A\]`}, {Expr: `\[R\]`}, {Expr: `\[C\]`}},
		&pattern.Pattern{Expr: `\[C\]\s*(?:Continue|Confirm|Complete)[^\n]*`, Fold: true}},
	{"numbered-menu", []*pattern.Pattern{{Expr: `\[\d+\]`}, {Expr: `enter\s+selection`, Fold: true}},
		&pattern.Pattern{Expr: `enter\s+selection[^\n]*`, Fold: true}},
	{"backlog-picker", []*pattern.Pattern{{Expr: `\[O\]\s*Other`, Fold: true}, {Expr: `\[\d+\]`}},
		&pattern.Pattern{Expr: `\[O\]\s*Other[^\n]*`, Fold: true}},
}

var otherEnds = []*pattern.Pattern{
	{Expr: `\[C\][^\n]*`}, {Expr: `enter\s+selection[^\n]*`, Fold: true}, {Expr: `\[O\]\s*Other[^\n]*`, Fold: true},
}

func bySpec(s string) (string, int) {
next:
	for _, k := range specified {
		for _, sign := range k.signs {
			if !sign.In(s) {
				continue next
			}
		}
		end := -1
		for _, m := range k.end.Regexp().FindAllStringIndex(s, -1) {
			end = m[1]
		}
		if end < 0 {
			for _, p := range otherEnds {
				for _, m := range p.Regexp().FindAllStringIndex(s, -1) {
					end = max(end, m[1])
				}
			}
		}
		if n := text.Units(text.Trim(s[end:])); n > allowed {
			return k.name, n
		}
	}
	return "", 0
}

func TestViolationIsTheSpecification(t *testing.T) {
	pieces := []string{
		"[A]", "[R]", "[C]", "[C]", "[a]", "[c]", "[o]", "[O]", "[1]", "[12]", "[", "]", "1]", "٣]", "[٣]", "Continue", "confirm", "COMPLETE",
		"Cancel", "Enter", "selection", "Other", "enter selection", "[C] Continue", "[O] Other", "[A] [R]",
		strings.Repeat("x", 120), strings.Repeat("é", 101), strings.Repeat("😀", 50), strings.Repeat("y", 199),
	}
	between := []string{"", "", " ", " ", "\n", "\n", "\r\n", "\r", "\u00a0", "\u2028", "\ufeff"}
	rnd := rand.New(rand.NewPCG(3, 4))
	found := map[string]int{}
	for range 40000 {
		var b strings.Builder
		for range 1 + rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))] + between[rnd.IntN(len(between))])
		}
		s := b.String()
		wantKind, wantUnits := bySpec(s)
		kind, units := violation(s)
		assert.Equal(t, kind, wantKind, "%q", s)
		assert.Equal(t, units, wantUnits, "%q", s)
		found[kind]++
	}
	for _, k := range kinds {
		assert.Assert(t, found[k.name] > 0, "no text violates %s", k.name)
	}
}
