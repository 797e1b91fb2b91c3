package pattern

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		pattern *Pattern
		text    string
		want    bool
	}{
		{&Pattern{Expr: `next\s+phase`}, "next\u00a0\ufeffphase", true},
		{&Pattern{Expr: `next\s+phase`}, "next\u0085phase", false},
		{&Pattern{Expr: `[\s"]x`}, "\u3000x", true},
		{&Pattern{Expr: `a\S`}, "a\u2028", false},
		{&Pattern{Expr: `a.b`}, "a\u2028b", false},
		{&Pattern{Expr: `a.b`}, "a\u0085b", true},
		{&Pattern{Expr: `a[.]b`}, "axb", false},
		{&Pattern{Expr: `risk`, Fold: true}, "RISK", true},
		{&Pattern{Expr: `risk`, Fold: true}, "RIſK", false},
		{&Pattern{Expr: `[a-c]k`, Fold: true}, "BK", true},
		{&Pattern{Expr: `[a-c]k`, Fold: true}, "B\u212a", false},
		{&Pattern{Expr: `(?:user\s+)?select`, Fold: true}, "User Select", true},
		{&Pattern{Expr: `\bgit\s+commit\b`}, "égit commit", true},
		{&Pattern{Expr: `end$`}, "end\n", false},
		{&Pattern{Expr: `^end$`, Lines: true}, "x\nend\n", true},
		{&Pattern{Expr: `[[]x\/`}, "[x/", true},
	} {
		assert.Equal(t, test.pattern.In(test.text), test.want, "%s in %q", test.pattern.Expr, test.text)
	}
}

func TestFind(t *testing.T) {
	p := &Pattern{Expr: `(\d+)\s+fail(ed)?`, Fold: true}
	assert.DeepEqual(t, p.Find("x 12 FAILED"), []string{"12 FAILED", "12", "ED"})
	assert.Assert(t, p.Find("none") == nil)
}
