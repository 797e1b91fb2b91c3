package testrun

import "strings"

// readPytest reads pytest: "= 1 failed, 4 passed in 0.02s =", without the rule
// where it is quiet, and the short list of failures before it.
func readPytest(s *sheet, f *finding) {
	info := -1 // where the short list of failures begins
	explained := ""
	for i, l := range s.lines {
		switch {
		case l == "":
		case strings.HasPrefix(l, "=") && strings.Contains(l, " short test summary info "):
			info, f.failures = i, nil
		case strings.HasPrefix(l, "FAILED ") || strings.HasPrefix(l, "ERROR "):
			_, what, _ := strings.Cut(l, " ")
			name, _, told := strings.Cut(what, " - ")
			if !strings.Contains(name, ".py") {
				continue
			}
			f.failing = true
			if !strings.Contains(name, "::") {
				name = "" // a file
			}
			if told {
				f.failure(i, name, l)
			} else {
				f.failure(i, name, explained)
			}
		case info < 0 && strings.Contains(l, "::") && pytestFailed(l):
			f.failing = true
			f.failure(i, l[:strings.LastIndex(strings.TrimRight(unpercent(l), " "), " ")], "")
		case explained == "" && strings.HasPrefix(l, "E   ") && strings.TrimSpace(l[4:]) != "":
			explained = strings.TrimSpace(l[4:])
			if strings.HasPrefix(explained, "File ") {
				explained = ""
			}
		default:
			f.pytestEnd(i, strings.Trim(l, "= "))
		}
	}
	if len(f.failures) == 0 && explained != "" {
		f.failure(0, "", explained)
	}
}

// unpercent takes the progress off a line: "a.py::test FAILED   [ 16%]".
func unpercent(l string) string {
	if i := strings.LastIndex(l, "["); i > 0 && strings.HasSuffix(l, "%]") {
		return strings.TrimRight(l[:i], " ")
	}
	return l
}

func pytestFailed(l string) bool {
	l = unpercent(l)
	return strings.HasSuffix(l, " FAILED") || strings.HasSuffix(l, " ERROR")
}

// pytestEnd reads the last line of a run, without its rule.
func (f *finding) pytestEnd(i int, l string) {
	body, took, ok := strings.Cut(l, " in ")
	if !ok {
		return
	}
	took, _, _ = strings.Cut(took, " (") // (0:01:12)
	if !isDuration(took) {
		return
	}
	if body == "no tests ran" || strings.HasSuffix(body, " collected") || strings.HasSuffix(body, "no tests collected") {
		f.none = true
		return
	}
	list, ok := numbered(body, ", ")
	if !ok || !all(list, "failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "warning", "warnings", "error", "errors", "rerun", "subtests passed", "subtest passed", "subtests failed") {
		return
	}
	sum := summary{at: i, passed: zero(get(list, "passed")), failed: zero(get(list, "failed", "subtests failed")), skipped: zero(get(list, "skipped")), errors: get(list, "error", "errors").N}
	if sum.errors > 0 && sum.failed.N == 0 {
		sum.failed = Count{}
	}
	if expected := get(list, "xfailed", "xpassed"); expected.N > 0 && sum.passed.N == 0 {
		sum.passed = Count{} // something ran
	}
	if len(list) == get(list, "deselected").N && !get(list, "passed", "failed").Known {
		f.none = true
	}
	f.summary(sum)
}

// readUnittest reads unittest, and shunit2, which copies its form: "Ran 3 tests
// in 0.001s", then the result with the numbers of what did not pass.
func readUnittest(s *sheet, f *finding) {
	for i, l := range s.lines {
		kind, name, ok := strings.Cut(l, ": ")
		if ok && (kind == "FAIL" || kind == "ERROR") && strings.HasPrefix(s.at(i-1), "=====") {
			f.failing = true
			f.failure(i, strings.SplitN(name, " ", 2)[0], traceback(s, i))
		}
		if !strings.HasPrefix(l, "Ran ") || !strings.Contains(l, " test") {
			continue
		}
		total := quantity(l, "Ran ")
		result, at := s.after(i)
		word, rest, _ := strings.Cut(result, " (")
		switch word {
		case "OK", "FAILED":
		case "NO TESTS RAN":
			f.none = true
			continue
		default:
			continue
		}
		if total.N == 0 && word == "OK" {
			f.none = true
		}
		list, _ := equated(strings.TrimSuffix(rest, ")"))
		failed := zero(get(list, "failures", "errors", "unexpected successes"))
		skipped := zero(get(list, "skipped"))
		sum := summary{at: at, failed: failed, skipped: skipped, bad: word == "FAILED"}
		sum.passed = less(total, failed, skipped, get(list, "expected failures"))
		if get(list, "errors").N > total.N { // errors outside of tests
			sum.passed = Count{}
		}
		f.summary(sum)
	}
}

// equated reads "failures=1, skipped=2".
func equated(s string) (list []item, ok bool) {
	return keyed(strings.ReplaceAll(s, "=", ":"), ", ")
}

// traceback is the last line of the traceback behind line i: the exception.
func traceback(s *sheet, i int) string {
	begun := false
	for n := i + 1; n < len(s.lines) && n < i+200; n++ {
		l := s.at(n)
		switch {
		case strings.HasPrefix(l, "Traceback "):
			begun = true
		case begun && l != "" && l[0] != ' ':
			return l
		case strings.HasPrefix(l, "====="):
			return ""
		}
	}
	return ""
}
