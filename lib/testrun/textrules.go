package testrun

import (
	"strings"

	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/text"
)

// A told is what the text rules make of an output.
type told struct {
	verdict  Verdict
	failures int
	weak     bool // one passing test is all that it says
}

// textRules judges an output by words that test runners use (spec 40 §5.4.2 to
// §5.4.4). ok is false where there are none.
func textRules(s string) (t told, ok bool) {
	low := text.LowerASCII(s)
	n, counted := before(low, "fail")
	strong, weak := success(s, low)
	failing := counted || failureText(s, low)
	switch {
	case (strong || weak) && !(failing && counted && n > 0):
		return told{verdict: Passed, weak: !strong}, true
	case failing:
		if !counted {
			n = 1
		}
		return told{verdict: Failed, failures: n}, true
	}
	return told{}, false
}

// textFailures is the number of failures that the words of an output tell of.
func textFailures(s string) int {
	t, _ := textRules(s)
	return t.failures
}

// The expressions that are more than words. All but the first are searched in
// lower case; that they begin with a word makes them cheap.
var (
	jestPassed = pattern.Pattern{Expr: `Tests:\s+\d+\s+passed,\s+\d+\s+total`}
	successes  = [...]*pattern.Pattern{
		{Expr: `ok \(\d+ tests?\)`},
		{Expr: `pytest.*\d+\s+passed.*0 failed`},
		{Expr: `ok\s+\d+\s+tests`},
		{Expr: `test suites:.*passed.*0 failed`},
		{Expr: `tests:.*passed.*0 failed`},
	}
	exited = pattern.Pattern{Expr: `exited with code [1-9]`}
)

// success tells whether s has a text of success; low is s in lower case. A weak
// one is about a single test.
func success(s, low string) (strong, weak bool) {
	_, passing := before(low, "passing")
	strong = passing || text.ContainsAny(low, []string{"all tests passed", "0 failures", "build success"}) || jestPassed.In(s)
	for i := 0; i < len(successes) && !strong; i++ {
		strong = successes[i].In(low)
	}
	return strong, word(s, "PASSED", true) || text.ContainsAny(s, []string{"✓", "✔"})
}

func failureText(s, low string) bool {
	return word(s, "FAIL", false) || word(s, "FAILED", false) ||
		text.ContainsAny(low, []string{"error:", "assertionerror", "npm err!", "error command failed"}) ||
		text.ContainsAny(s, []string{"FAILURES!", "✖", "✗"}) || exited.In(low)
}

// before finds the first place of w in s behind a number and white space, and
// gives the number.
func before(s, w string) (n int, ok bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], w)
		if i < 0 {
			return 0, false
		}
		at := from + i
		head := strings.TrimRightFunc(s[max(0, at-64):at], text.IsSpace)
		digits := len(head)
		for digits > 0 && '0' <= head[digits-1] && head[digits-1] <= '9' {
			digits--
		}
		if len(head) < min(at, 64) && digits < len(head) {
			n, _, _ = number(head[digits:])
			return n, true
		}
		from = at + len(w)
	}
}

// word tells whether w stands in s with no letter, digit or underscore behind
// it; with both set, none before it either.
func word(s, w string, both bool) bool {
	part := func(c byte) bool { return c != '-' && isWord(c) }
	for from := 0; ; {
		i := strings.Index(s[from:], w)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(w)
		if (end == len(s) || !part(s[end])) && (!both || at == 0 || !part(s[at-1])) {
			return true
		}
		from = end
	}
}

// coverageShort tells whether a line says that too little is covered.
func coverageShort(l string) bool {
	low := text.LowerASCII(l)
	if !strings.Contains(low, "coverage") || len(l) > 300 {
		return false
	}
	return strings.Contains(low, "does not meet") || strings.Contains(low, "not met") || strings.Contains(low, "not reached") ||
		strings.Contains(low, "is below the ") || strings.Contains(low, "coverage failure: ")
}

// wrapperFailed tells whether a line is the complaint of a tool around the tests
// that they failed.
func wrapperFailed(l string) bool {
	l = text.Trim(l)
	for _, p := range [...]string{
		"npm ERR! ", "npm error ", "ELIFECYCLE", "ERR_PNPM_", "error Command failed", "lerna ERR! ", "rake aborted!",
		"BUILD FAILED", "FAILURE: Build failed", "[ERROR] Failed to execute goal", "Errors while running CTest",
	} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	switch {
	case strings.HasPrefix(l, "make") || strings.HasPrefix(l, "gmake"):
		_, rest, ok := strings.Cut(l, ": *** ")
		return ok && strings.Contains(rest, "] Error ") || strings.HasSuffix(l, " not remade because of errors.")
	}
	return notFound(l)
}

// notFound tells whether a shell says that there is no such program.
func notFound(l string) bool {
	shell, _, ok := strings.Cut(l, ": ")
	if !ok || len(l) > 200 {
		return false
	}
	switch shell[strings.LastIndexByte(shell, '/')+1:] {
	case "sh", "bash", "zsh", "dash":
		return strings.HasSuffix(l, "not found") || strings.HasSuffix(l, "No such file or directory")
	}
	return false
}
