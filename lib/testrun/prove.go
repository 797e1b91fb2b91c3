package testrun

import "strings"

// readProve reads prove: the number of tests, the failures of each file, and the
// result.
func readProve(s *sheet, f *finding) {
	total, failed := Count{}, 0
	for i, l := range s.lines {
		switch {
		case strings.HasPrefix(l, "Files=") && strings.Contains(l, ", Tests="):
			total = quantity(l, "Tests=")
		case strings.Contains(l, " (Wstat: "):
			failed += quantity(l, " Failed: ").N
		case strings.HasPrefix(l, "Result: "):
			if !total.Known {
				continue
			}
			result := strings.TrimPrefix(l, "Result: ")
			sum := summary{at: i, failed: some(failed), passed: less(total, some(failed)), bad: result == "FAIL"}
			if sum.bad && failed == 0 {
				sum.errors, sum.failed = 1, Count{}
			}
			if seen, skipped, todo := tapCounts(s.lines[:i]); seen == total.N {
				sum.skipped, sum.passed = some(skipped), less(total, some(failed), some(skipped), some(todo))
			}
			if result == "NOTESTS" {
				f.none = true
				continue
			}
			f.summary(sum)
			total, failed = Count{}, 0
		case strings.HasPrefix(l, "#   Failed test "):
			f.failure(i, strings.Trim(strings.TrimPrefix(l, "#   Failed test "), "'"), "")
		}
	}
}

// tapCounts counts the results that show, and the skipped and todo ones in them.
func tapCounts(lines []string) (seen, skipped, todo int) {
	for _, l := range lines {
		if _, _, directive, ok := tapResult(l); ok {
			seen++
			switch directive {
			case "SKIP":
				skipped++
			case "TODO":
				todo++
			}
		}
	}
	return seen, skipped, todo
}

// readBats reads the form that bats has for people, "3 tests, 1 failure, 1
// skipped", which ExUnit has too.
func readBats(s *sheet, f *finding) {
	for i, l := range s.lines {
		if name, ok := strings.CutPrefix(l, " ✗ "); ok {
			f.failing = true
			f.failure(i, name, "")
		}
		list, ok := numbered(l, ", ")
		failed := get(list, "failure", "failures")
		if !ok || !failed.Known || !all(list, "test", "tests", "doctest", "doctests", "property", "properties", "failure", "failures", "skipped", "excluded", "invalid", "not run") {
			continue
		}
		skipped := zero(get(list, "skipped", "not run"))
		f.summary(summary{at: i, passed: less(get(list, "test", "tests", "doctest", "doctests", "property", "properties"), failed, skipped), failed: failed, skipped: skipped})
	}
}
