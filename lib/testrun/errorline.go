package testrun

import (
	"strings"

	"isdlc-hooks/lib/text"
)

// Texts for errors that no output tells. They say nothing of the cause, so they
// never count as a repeated failure; see [Same].
const (
	noErrorLine  = "The tests failed, but no line of the output tells why."
	noOutput     = "The test command printed nothing at all."
	noVerdict    = "The output does not tell whether the tests passed or failed."
	noTests      = "No tests were run."
	exitCodeText = "The test command ended with exit code "
	maxError     = 300 // UTF-16 units of an error
)

func own(s string) bool {
	switch s {
	case noErrorLine, noOutput, noVerdict, noTests:
		return true
	}
	return false
}

// firstError is what went wrong first: what the first failing test says, the
// threshold that was missed, else a line that looks like an error (spec 05 E.3).
func firstError(r Report, run Run, found findings, s string) string {
	if r.Verdict == Inconclusive {
		if found.none || len(r.Runners) > 0 && r.Passed.Known && r.Passed.N+r.Failed.N == 0 {
			return noTests
		}
		return noVerdict
	}
	if s == "" && !run.Exit.Bad() {
		return noOutput
	}
	green := len(r.Runners) > 0 && r.Failed.N+r.Errors == 0
	if m := found.message(); m != "" && !green {
		return text.Cut(m, maxError)
	}
	if green {
		for _, is := range [...]func(string) bool{coverageShort, wrapperFailed} {
			if l := lineOf(s, is); l != "" {
				return text.Cut(l, maxError)
			}
		}
	}
	if l := errorLine(s); l != "" {
		return l
	}
	if names := found.names(); len(names) > 0 && !green {
		return text.Cut(names[0], maxError)
	}
	if l := lineOf(s, wrapperFailed); l != "" {
		return text.Cut(l, maxError)
	}
	switch {
	case run.Exit.Bad():
		return exitCodeText + run.Exit.Code + "."
	case run.Hint.Bad():
		return exitCodeText + run.Hint.Code + "."
	}
	return noErrorLine
}

// lineOf is the first line of s for which is holds.
func lineOf(s string, is func(string) bool) string {
	for l := range strings.SplitSeq(s, "\n") {
		if l = text.Trim(l); is(l) {
			return l
		}
	}
	return ""
}

var errorWords = []string{"error:", "fail", "assert", "exception", "typeerror", "referenceerror"}

// errorLine is the first line that looks like an error, "" where none does (spec
// 40 §5.5).
func errorLine(s string) string {
	l := lineOf(s, func(l string) bool {
		if n := text.Units(l); n <= 10 || n >= 300 {
			return false
		}
		return text.ContainsAny(text.LowerASCII(l), errorWords)
	})
	if l != "" {
		return l
	}
	return lineOf(s, func(l string) bool {
		return text.ContainsAny(l, []string{"FAIL", "✖", "✗"}) && text.Units(l) < 200
	})
}
