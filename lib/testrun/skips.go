package testrun

import (
	"strconv"
	"strings"

	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/text"
)

var (
	skippedOfTests = pattern.Pattern{Expr: `tests:.*?(\d+)\s+skipped`}
	circled        = pattern.Pattern{Expr: `○\s+(.+)`}
	named          = pattern.Pattern{Expr: `skipped\s+(.+)`, Fold: true}
	bracketed      = pattern.Pattern{Expr: `SKIPPED\s+\[\d+\]\s+(.+)`}
	bracket        = pattern.Pattern{Expr: `SKIPPED\s+\[`}
)

// Skips counts the tests that were left out, and names them as far as the output
// does (spec 40 §5.10).
func Skips(output string) (count int, names []string) {
	output = plain(output)
	low := text.LowerASCII(output)
	if m := skippedOfTests.Find(low); m != nil {
		count, _ = strconv.Atoi(m[1])
	} else {
		count, _ = before(low, "skipped")
	}
	if pending, ok := before(low, "pending"); ok {
		count = max(count, pending)
	}
	for l := range strings.SplitSeq(output, "\n") {
		if names = append(names, skippedName(l)...); bracket.In(l) {
			if m := bracketed.Find(l); m != nil {
				names = append(names, text.Trim(m[1]))
			}
		}
	}
	return count, names
}

func skippedName(l string) []string {
	trimmed := text.Trim(l)
	rest, marked := strings.CutPrefix(trimmed, "○")
	if marked = marked && text.SpaceLen(rest) > 0; !marked && !word(text.LowerASCII(l), "skipped", true) {
		return nil
	}
	m := circled.Find(l)
	if m == nil {
		m = named.Find(l)
	}
	if m == nil {
		return nil
	}
	return []string{text.Trim(m[1])}
}
