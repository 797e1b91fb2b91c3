package testrun

import "strings"

// readCTest reads ctest: "50% tests passed, 1 tests failed out of 2".
func readCTest(s *sheet, f *finding) {
	failures := false
	for i, l := range s.lines {
		switch {
		case strings.HasPrefix(l, "No tests were found!!!"):
			f.none = true
		case strings.Contains(l, "% tests passed, "):
			failed, total := quantity(l, "passed, "), quantity(l, " out of ")
			if failed.Known && total.Known {
				f.summary(summary{at: i, passed: less(total, failed), failed: failed})
			}
		case strings.HasPrefix(l, "The following tests FAILED:"):
			failures = true
		case failures && strings.HasPrefix(l, "\t"):
			if _, name, ok := strings.Cut(unparen(l), " - "); ok {
				f.failing = true
				f.failure(i, name, "")
			}
		case strings.Contains(l, "***Failed") || strings.Contains(l, "***Exception"):
			f.failing = true
		}
	}
}

// readDotnet reads dotnet test: a line for each assembly, the block of older
// versions, or the summary of the newer terminal.
func readDotnet(s *sheet, f *finding) {
	f.adds = true
	for i, l := range s.lines {
		body := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(body, "Passed!  - ") || strings.HasPrefix(body, "Failed!  - ") || strings.HasPrefix(body, "Skipped! - "):
			word, rest, _ := strings.Cut(body, "- ")
			rest, _, _ = strings.Cut(rest, ", Duration:")
			if list, ok := keyed(rest, ", "); ok {
				f.summary(summary{at: i, passed: get(list, "Passed"), failed: get(list, "Failed"), skipped: get(list, "Skipped"), bad: strings.HasPrefix(word, "Failed")})
			}
		case strings.HasPrefix(body, "Total tests: "):
			sum := summary{at: i}
			for n := i + 1; n <= i+3; n++ {
				next := strings.TrimSpace(s.at(n))
				if c := quantity(next, "Passed:"); c.Known {
					sum.passed = c
				} else if c := quantity(next, "Failed:"); c.Known {
					sum.failed = c
				} else if c := quantity(next, "Skipped:"); c.Known {
					sum.skipped = c
				}
			}
			sum.passed, sum.failed, sum.skipped = zero(sum.passed), zero(sum.failed), zero(sum.skipped)
			f.summary(sum)
		case strings.HasPrefix(body, "Test summary: "), strings.HasPrefix(body, "Test run summary: ") && strings.Contains(body, "total:"):
			_, rest, _ := strings.Cut(body, "summary: ")
			rest, _, _ = strings.Cut(rest, ", duration:")
			if list, ok := keyed(rest, ", "); ok {
				f.summary(summary{at: i, passed: get(list, "succeeded"), failed: get(list, "failed"), skipped: zero(get(list, "skipped"))})
			}
		case strings.HasPrefix(l, "  Failed ") && strings.HasSuffix(l, "]"):
			message, at := s.after(i)
			if message == "Error Message:" {
				message, _ = s.after(at)
			}
			f.failing = true
			f.failure(i, unparenBrackets(strings.TrimPrefix(l, "  Failed ")), message)
		case strings.HasPrefix(body, "No test is available in"), strings.HasPrefix(body, "No test matches the given"):
			f.none = true
		}
	}
}

// readChecks reads checks that projects run like tests: eslint ("✖ 2 problems (1
// error, 1 warning)") and tsc ("Found 2 errors in the same file").
func readChecks(s *sheet, f *finding) {
	for i, l := range s.lines {
		switch {
		case strings.HasPrefix(l, "✖ ") && strings.Contains(l, " problem"):
			_, rest, _ := strings.Cut(l, " (")
			if list, ok := numbered(strings.TrimSuffix(rest, ")"), ", "); ok {
				f.summary(summary{at: i, errors: get(list, "error", "errors").N})
			}
		case strings.Contains(l, "error TS"):
			_, rest, _ := strings.Cut(l, "error TS")
			if _, rest, ok := number(rest); ok && strings.HasPrefix(rest, ": ") {
				f.failing = true
				f.failure(i, "", l)
			}
		}
	}
}

// readPlain reads the sums that home-made scripts print: "3 passed, 1 failed" or
// "all 4 tests passed".
func readPlain(s *sheet, f *finding) {
	for i, l := range s.lines {
		if name, ok := strings.CutPrefix(strings.TrimLeft(l, " "), "✗ "); ok {
			f.failure(i, name, "")
		}
		l = strings.ToLower(strings.Trim(l, " .!"))
		if len(l) > 120 || l == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(l, "all "); ok {
			if n, word, ok := number(rest); ok && (word == " tests passed" || word == " test passed" || word == " passed") {
				f.summary(summary{at: i, passed: some(n), failed: some(0)})
			}
			continue
		}
		_, body, titled := strings.Cut(l, ": ")
		if !titled {
			body = l
		}
		list, ok := numbered(body, ", ")
		if !ok || !all(list, "passed", "failed", "skipped", "total", "tests passed", "tests failed", "tests", "test passed", "test failed", "pending", "ignored") {
			continue
		}
		passed, failed := get(list, "passed", "tests passed", "test passed"), get(list, "failed", "tests failed", "test failed")
		if passed.Known && failed.Known && (!titled || strings.HasPrefix(l, "result") || strings.HasPrefix(l, "test") || strings.HasPrefix(l, "summary")) {
			f.summary(summary{at: i, passed: passed, failed: failed, skipped: get(list, "skipped", "pending", "ignored")})
		}
	}
}
