package testrun

import (
	"strings"

	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/text"
)

// Same tells whether two errors are the same failure: they differ only in what
// changes from run to run (spec 40 §5.7.3, spec 05 E.3). Texts of our own for
// want of an error are never the same.
func Same(a, b string) bool {
	return !own(a) && !own(b) && Normalise(a) == Normalise(b)
}

// volatile are the parts of an error that change from run to run, in the order
// in which they are replaced. Those of spec 40 come first.
var volatile = [...]struct {
	pattern.Pattern
	by string
}{
	{pattern.Pattern{Expr: `\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?`}, "TIME"},
	{pattern.Pattern{Expr: `\d{4}-\d{2}-\d{2}\s+\d{2}:\d{2}:\d{2}`}, "TIME"},
	{pattern.Pattern{Expr: `at\s+.*?\(.*?\)`}, "at PLACE"},
	{pattern.Pattern{Expr: `at\s+\/.*?:\d+:\d+`}, "at PLACE"},
	{pattern.Pattern{Expr: `:\d+:\d+`}, ":LINE"},
	{pattern.Pattern{Expr: `0x[0-9a-fA-F]+`}, "ADDRESS"},
	{pattern.Pattern{Expr: `(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s:,;'"` + "`" + `)\]]+`}, "TEMPORARY"},
	{pattern.Pattern{Expr: `[A-Za-z]:\\(?:[^\s:'"]*\\)?[Tt]e?mp\\[^\s:,;'")\]]+`}, "TEMPORARY"},
	{pattern.Pattern{Expr: `\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?)\b`}, "DURATION"},
	{pattern.Pattern{Expr: `\b(?:pid|process|thread|goroutine)[ =:#]*\d+`, Fold: true}, "PROCESS"},
	{pattern.Pattern{Expr: `' \(\d+\)|\(node:\d+\)|==\d+==`}, " PROCESS"},
	{pattern.Pattern{Expr: `\blines? \d+`, Fold: true}, "LINE"},
	{pattern.Pattern{Expr: `(\.[A-Za-z]\w*):\d+`}, "${1}:LINE"},
}

// Normalise is s without what changes from run to run.
func Normalise(s string) string {
	for i := range volatile {
		v := &volatile[i]
		s = v.Regexp().ReplaceAllString(s, v.by)
	}
	return strings.Join(strings.FieldsFunc(s, text.IsSpace), " ")
}
