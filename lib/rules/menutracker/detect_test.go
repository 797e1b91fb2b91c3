package menutracker

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/pattern"
)

// The specification gives regular expressions (30 §3.2); the program reads
// without an engine for them. These are what it is held against.
var (
	signPatterns = patterns(`\[A\]\s*Adjust`, `\[R\]\s*Refine`, `\[C\]\s*Continue`, `\[S\]\s*Save`, `\[X\]\s*Exit`,
		`Your choice:`, `Enter selection`, `Select an option`)

	selectionPatterns = patterns(
		`(?:user\s+)?select(?:ed|ion)?:?\s*\[?A\]?`, `(?:user\s+)?select(?:ed|ion)?:?\s*\[?R\]?`,
		`(?:user\s+)?select(?:ed|ion)?:?\s*\[?C\]?`, `(?:user\s+)?select(?:ed|ion)?:?\s*\[?S\]?`,
		`(?:user\s+)?select(?:ed|ion)?:?\s*\[?X\]?`,
		`chose:?\s*\[?A\]?\s*adjust`, `chose:?\s*\[?R\]?\s*refine`, `chose:?\s*\[?C\]?\s*continue`,
		`chose:?\s*\[?S\]?\s*save`, `chose:?\s*\[?X\]?\s*exit`,
		`proceeding\s+to\s+next\s+step`, `saving\s+artifacts`, `artifacts\s+saved`, `requirements\s+finalized`)
	selectionNames = []string{"adjust", "refine", "continue", "save", "exit", "adjust", "refine", "continue", "save", "exit",
		"continue", "save", "save", "save"}

	stepPatterns = patterns(`step\s+1.*(?:complete|done)`, `step\s+2.*(?:complete|done)`, `step\s+3.*(?:complete|done)`,
		`step\s+4.*(?:complete|done)`, `step\s+5.*(?:complete|done)`, `step\s+6.*(?:complete|done)`, `step\s+7.*(?:complete|done)`,
		`project\s+discovery.*complete`, `persona.*identification.*complete`, `functional\s+requirements.*complete`,
		`non-functional.*requirements.*complete`, `user\s+stories.*complete`, `prioritization.*complete`)
	stepNumbers = []int{1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6}
)

func patterns(exprs ...string) []*pattern.Pattern {
	var list []*pattern.Pattern
	for _, e := range exprs {
		list = append(list, &pattern.Pattern{Expr: e, Fold: true})
	}
	return list
}

func bySpec(s string) detection {
	var d detection
	n := 0
	for _, p := range signPatterns {
		if p.In(s) {
			n++
		}
	}
	d.menu = n >= 2
	for i, p := range selectionPatterns {
		if p.In(s) {
			d.selection = selectionNames[i]
			break
		}
	}
	for i, p := range stepPatterns {
		if p.In(s) {
			d.step = step{stepNumbers[i], steps[stepNumbers[i]-1]}
			break
		}
	}
	return d
}

func TestDetectIsTheSpecification(t *testing.T) {
	pieces := strings.Split("[|]|[A]|[r]|[C]|[S]|[X]|a|R|c|S|x|e|:|Adjust|refine|CONTINUE|Save|exit|Your choice:|Enter selection|Select an option|"+
		"select|Select|ed|ion|ions|able|user|chose|proceeding|to|next|step|Step|saving|artifacts|saved|requirements|finalized|"+
		"1|2|3|4|7|8|0|complete|done|incomplete|project|discovery|persona|identification|functional|non-functional|stories|prioritization|"+
		".|-|ſ|\u212A|İ|😀|é", "|")
	between := []string{"", "", " ", " ", " ", "\n", "\r\n", "\u00a0", "\u2028", "\ufeff", "\t ", "\u200b", "\u0085"}
	rnd := rand.New(rand.NewPCG(1, 2))
	found := map[string]int{}
	for range 60000 {
		var b strings.Builder
		for range 1 + rnd.IntN(14) {
			b.WriteString(pieces[rnd.IntN(len(pieces))] + between[rnd.IntN(len(between))])
		}
		s := b.String()
		want := bySpec(s)
		assert.Equal(t, detect(s), want, "%q", s)
		found[want.selection]++
		found[want.step.name]++
		if want.menu {
			found["menu"]++
		}
	}
	for _, name := range append(steps[:], "menu", "adjust", "refine", "continue", save, exit) {
		assert.Assert(t, found[name] > 0, "no text tells %s", name)
	}
}

// A report may be long and hold nothing but near misses; the time must grow with
// its length and no faster.
func BenchmarkNearMisses(b *testing.B) {
	for _, piece := range []string{"step 1 ", "project discovery ", "select ", "chose: ", "persona ", "[a] ", "non-functional "} {
		for _, size := range []int{1 << 16, 1 << 20} {
			s := "done complete\n" + strings.Repeat(piece, size/len(piece))
			b.Run(fmt.Sprintf("%s/%d", piece, size), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					detect(s)
				}
			})
		}
	}
}

func TestIncreased(t *testing.T) {
	for _, test := range []struct{ was, is string }{
		{`3`, `4`}, {`-1`, `0`}, {`1.5`, `2.5`}, {`2.0`, `3`}, {`"3"`, `1`}, {`null`, `1`}, {`[]`, `1`}, {`1e999`, `1`},
	} {
		v, err := ordered.Parse([]byte(test.was))
		assert.NilError(t, err)
		assert.Equal(t, ordered.Of(increased(v)).Literal(), test.is, "after %s", test.was)
	}
	assert.Equal(t, ordered.Of(increased(nil)).Literal(), "1")
}
