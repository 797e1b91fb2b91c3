package testrun

import "strings"

// readMaven reads what surefire, ant and JUnit 4 print: "Tests run: 3, Failures:
// 1, Errors: 0, Skipped: 1". The lines with a time are about one class each; the
// ones without sum up a module, and count alone where they are there.
func readMaven(s *sheet, f *finding) {
	f.adds = true
	var classes []summary
	previous, listing := "", false
	for i, l := range s.lines {
		body := strings.TrimSpace(untagged(l))
		switch {
		case body == "":
			continue
		case strings.HasPrefix(body, "No tests to run"):
			f.none = true
		case body == "Failures:" || body == "Errors:":
			listing = true
		case strings.HasPrefix(body, "Tests run:"):
			listing = false
			counts, _, timed := strings.Cut(body, ", Time elapsed:")
			counts, _, _ = strings.Cut(counts, " <<<")
			list, ok := keyed(counts, ",")
			if !ok || body == previous {
				continue
			}
			failed := zero(get(list, "Failures", "Errors"))
			skipped := get(list, "Skipped")
			sum := summary{at: i, passed: less(get(list, "Tests run"), failed, skipped), failed: failed, skipped: skipped}
			if previous = body; timed {
				classes = append(classes, sum)
			} else {
				f.summary(sum)
			}
		case listing && strings.HasPrefix(l, "[ERROR]") && strings.Contains(body, ":"):
			name, message, _ := strings.Cut(body, " ")
			if at := strings.LastIndexByte(name, ':'); at > 0 {
				name = name[:at]
			}
			f.failing = true
			f.failure(i, name, message)
		case strings.HasPrefix(body, "Testcase: "): // ant
			name, _, _ := strings.Cut(body[len("Testcase: "):], " took ")
			if next, at := s.after(i); strings.HasSuffix(next, "FAILED") || strings.HasSuffix(next, "Caused an ERROR") {
				message, _ := s.after(at)
				f.failure(i, name, untagged(message))
			}
		default:
			junitFailure(s, i, l, f)
		}
	}
	if len(f.summaries) == 0 {
		f.summaries = classes
	}
	if len(f.summaries) == 0 {
		readJUnit5(s, f)
	}
}

// untagged takes "[INFO] " or "[junit] " off a line.
func untagged(l string) string {
	l = strings.TrimLeft(l, " ")
	for _, tag := range [...]string{"[INFO]", "[ERROR]", "[WARNING]", "[junit]"} {
		if rest, ok := strings.CutPrefix(l, tag); ok {
			return strings.TrimPrefix(rest, " ")
		}
	}
	return l
}

// junitFailure reads an entry in JUnit 4's list of failures: "1) name(Class)".
func junitFailure(s *sheet, i int, l string, f *finding) {
	name, ok := listed(l)
	if ok && l[0] != ' ' && strings.HasSuffix(name, ")") && strings.Contains(name, "(") {
		message, _ := s.after(i)
		f.failing = true
		f.failure(i, name, message)
	}
}

// readJUnit5 reads the tree of JUnit 5's launcher: "[         3 tests successful      ]".
func readJUnit5(s *sheet, f *finding) {
	var list []item
	last := 0
	for i, l := range s.lines {
		if !strings.HasPrefix(l, "[") || !strings.HasSuffix(l, "]") || !strings.Contains(l, " tests ") {
			continue
		}
		if one, ok := numbered(strings.TrimSpace(l[1:len(l)-1]), "\x00"); ok {
			list, last = append(list, one...), i
		}
	}
	if get(list, "tests successful").Known {
		f.summary(summary{at: last, passed: get(list, "tests successful"), failed: zero(get(list, "tests failed")), skipped: zero(get(list, "tests skipped"))})
	}
}

// readGradle reads gradle, which counts only where a test fails: "3 tests
// completed, 1 failed, 1 skipped". A task that is told of was run.
func readGradle(s *sheet, f *finding) {
	f.adds = true
	ran, noSource, last, result := false, false, 0, ""
	for i, l := range s.lines {
		switch {
		case strings.HasPrefix(l, "> Task ") && strings.Contains(strings.ToLower(l), "test"):
			task := strings.Fields(l)[2]
			if name := strings.ToLower(task[strings.LastIndexByte(task, ':')+1:]); strings.Contains(name, "test") && !strings.Contains(name, "classes") && !strings.HasPrefix(name, "compile") && !strings.HasPrefix(name, "process") {
				if strings.HasSuffix(l, "NO-SOURCE") || strings.HasSuffix(l, "SKIPPED") {
					noSource = true
				} else {
					ran = true
				}
			}
		case strings.HasPrefix(l, "BUILD SUCCESSFUL"), strings.HasPrefix(l, "BUILD FAILED"):
			result, last = strings.Fields(l)[1], i
		case strings.HasSuffix(l, " FAILED") && strings.Contains(l, " > ") && !strings.HasPrefix(l, "> "):
			_, name, _ := strings.Cut(strings.TrimSuffix(l, " FAILED"), " > ")
			message, _ := s.after(i)
			f.failing = true
			f.failure(i, name, message)
		case strings.Contains(l, " completed, "):
			list, ok := numbered(strings.TrimSpace(l), ", ")
			total := get(list, "tests completed", "test completed")
			if !ok || !total.Known {
				continue
			}
			failed, skipped := zero(get(list, "failed")), zero(get(list, "skipped"))
			f.summary(summary{at: i, passed: less(total, failed, skipped), failed: failed, skipped: skipped})
		}
	}
	switch {
	case result == "" || len(f.summaries) > 0:
	case result == "FAILED":
		f.failing = true
	case ran:
		f.summary(summary{at: last, failed: some(0)})
	case noSource:
		f.none = true
	}
}
