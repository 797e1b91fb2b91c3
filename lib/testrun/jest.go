package testrun

import "strings"

// readJest reads jest, and pest, whose summary has the same form. The line on
// suites stands before the one on tests; a line on tests alone counts only where
// no other is there.
func readJest(s *sheet, f *finding) {
	var alone []summary
	suites, suitesAt := []item(nil), -9
	for i, l := range s.lines {
		if l == "" || len(l) > 2000 {
			jestJSON(i, l, f)
			continue
		}
		body := strings.TrimLeft(l, " ")
		indent := len(l) - len(body)
		switch {
		case indent > 3:
		case strings.HasPrefix(body, "Test Suites:"):
			if list, ok := numbered(strings.TrimSpace(body[len("Test Suites:"):]), ", "); ok {
				suites, suitesAt = list, i
			} else if head, _, of := strings.Cut(body, " of "); of { // "1 passed, 1 of 2 total"
				suites, _ = numbered(strings.TrimSpace(head[len("Test Suites:"):]), ", ")
				suitesAt = i
			}
		case strings.HasPrefix(body, "Tests:"):
			list, ok := numbered(unparen(strings.TrimSpace(body[len("Tests:"):])), ", ")
			if !ok || !all(list, "failed", "passed", "skipped", "pending", "todo", "todos", "total", "incomplete", "risky", "warnings", "warning", "deprecated", "notice", "notices") {
				continue
			}
			sum := jestTests(i, list)
			if i-suitesAt > 2 {
				alone = append(alone, sum)
				continue
			}
			if failed := get(suites, "failed").N; failed > 0 && sum.failed.N == 0 {
				sum.errors, sum.failed = failed, Count{}
			}
			f.summary(sum)
		case strings.HasPrefix(l, "FAIL ") || strings.HasPrefix(l, " FAIL "):
			f.failing = f.failing || isFile(strings.TrimSpace(body[len("FAIL "):]))
		case strings.HasPrefix(body, "● "):
			jestFailure(s, i, strings.TrimPrefix(body, "● "), f)
		case strings.HasPrefix(body, "No tests found"):
			f.none = true
		default:
			jestJSON(i, l, f)
		}
	}
	if len(f.summaries) == 0 {
		f.summaries = alone
	}
}

func jestTests(at int, list []item) summary {
	total := get(list, "total")
	sum := summary{at: at, failed: zero(get(list, "failed")), skipped: zero(get(list, "skipped", "pending")), passed: get(list, "passed")}
	if !sum.passed.Known {
		sum.passed = less(total, sum.failed, sum.skipped, get(list, "todo", "todos", "incomplete", "risky"))
		sum.passed.Known = total.Known || len(list) > 0
	}
	return sum
}

// jestFailure reads the entry of a failing test, or of a suite that does not
// load. A test named without words of its own tells no more than the line of its
// file (spec 40 §5.5).
func jestFailure(s *sheet, i int, name string, f *finding) {
	if strings.HasPrefix(name, "Console") {
		return
	}
	message, at := s.after(i)
	if at >= 0 && len(s.at(at))-len(strings.TrimLeft(s.at(at), " ")) < 4 || strings.HasPrefix(message, "● ") {
		message = ""
	}
	if name == "Test suite failed to run" {
		name = ""
	}
	f.failing = f.failing || message != ""
	f.failure(i, name, message)
}

// isFile tells whether s begins with the path of a file.
func isFile(s string) bool {
	path, _, _ := strings.Cut(s, " ")
	dot := strings.LastIndexByte(path, '.')
	return dot >= 0 && dot+1 < len(path) && len(path)-dot < 8
}

// jestJSON reads the reports that jest and vitest write as JSON.
func jestJSON(i int, l string, f *finding) {
	if !strings.Contains(l, `"numPassedTests"`) {
		return
	}
	value := func(key string) Count { return quantity(l, `"`+key+`":`) }
	sum := summary{at: i, passed: value("numPassedTests"), failed: value("numFailedTests"), skipped: value("numPendingTests"), errors: value("numRuntimeErrorTestSuites").N}
	if sum.failed.N == 0 && sum.errors == 0 {
		sum.errors = value("numFailedTestSuites").N
	}
	f.summary(sum)
}

// readVitest reads vitest: the line on files, then the one on tests.
func readVitest(s *sheet, f *finding) {
	files, filesAt := []item(nil), -9
	for i, l := range s.lines {
		body := strings.TrimLeft(l, " ")
		switch {
		case body == "":
		case strings.HasPrefix(body, "Test Files  "):
			files, _ = numbered(unparen(strings.TrimSpace(body[len("Test Files"):])), " | ")
			filesAt = i
		case strings.HasPrefix(body, "Tests  "):
			list, ok := numbered(unparen(strings.TrimSpace(body[len("Tests"):])), " | ")
			none := strings.TrimSpace(body[len("Tests"):]) == "no tests"
			if !ok && !none || ok && !all(list, "failed", "passed", "skipped", "todo", "expected fail") {
				continue
			}
			sum := summary{at: i, passed: get(list, "passed", "expected fail"), failed: zero(get(list, "failed")), skipped: zero(get(list, "skipped"))}
			if !sum.passed.Known {
				sum.passed.Known = sum.failed.N == 0 // else the rest may have been given up
			}
			if failed := get(files, "failed").N; failed > 0 && i-filesAt <= 2 && sum.failed.N == 0 {
				sum.errors, sum.failed = failed, Count{}
			}
			if errors := strings.TrimSpace(s.at(i + 1)); strings.HasPrefix(errors, "Errors  ") {
				sum.errors += quantity(errors, "Errors ").N
			}
			f.summary(sum)
		case strings.HasPrefix(body, "FAIL  "):
			file, name, ok := strings.Cut(body[len("FAIL  "):], " > ")
			if !isFile(strings.TrimLeft(file, "| ")) {
				continue
			}
			f.failing = true
			message, _ := s.after(i)
			if strings.HasPrefix(message, "FAIL ") {
				message, _ = "", 0
			}
			if !ok {
				name = ""
			}
			f.failure(i, name, message)
		case strings.HasPrefix(body, "No test files found"), strings.HasPrefix(body, "No test suite found"):
			f.none = true
		}
	}
}
