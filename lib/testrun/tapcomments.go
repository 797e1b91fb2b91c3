package testrun

import "strings"

// readTAPComments reads the numbers that many producers of TAP put behind it,
// one on a line: node ("# tests 4", or "ℹ tests 4" in its own form), tape, ava,
// mocha. A test may print single lines of that form; the numbers come in a row.
func readTAPComments(s *sheet, f *finding) {
	var list []item
	mark := ""
	flush := func(at int) {
		pass, fail := get(list, "pass", "passed"), get(list, "fail", "failed")
		tests := get(list, "tests").Known && (pass.Known || fail.Known)
		if tests || fail.Known && (pass.Known || get(list, "duration_ms").Known) || pass.Known && s.cut && !s.open {
			skipped := get(list, "skipped", "skip")
			skipped.Known = skipped.Known || fail.Known && get(list, "duration_ms").Known
			if !pass.Known && get(list, "tests").Known {
				pass = less(get(list, "tests"), fail, skipped, get(list, "todo"))
			}
			f.summary(summary{at: at, passed: pass, failed: Count{fail.N, fail.Known || pass.Known}, skipped: skipped, errors: get(list, "cancelled").N})
		}
		list = nil
	}
	for i, l := range s.lines {
		m, key, n, ok := tapComment(l)
		if ok && key == "tests" || m != mark {
			flush(i - 1)
		}
		if ok {
			list, mark = append(list, item{n, key}), m
			continue
		}
		if list != nil && l != "" {
			flush(i - 1)
		}
		switch body := strings.TrimLeft(l, " "); {
		case strings.HasPrefix(body, "✖ "):
			specFailure(s, i, f)
		case body == "code: 'ERR_ASSERTION'," || body == "failureType: 'testCodeFailure',":
			f.failing = true
		}
	}
	flush(len(s.lines) - 1)
}

// tapComment reads "# pass  3" and "ℹ pass 3".
func tapComment(l string) (mark, key string, n int, ok bool) {
	for _, mark := range [...]string{"# ", "ℹ "} {
		body, found := strings.CutPrefix(l, mark)
		if !found {
			continue
		}
		key, value, _ := strings.Cut(body, " ")
		switch key {
		case "tests", "suites", "pass", "fail", "cancelled", "skipped", "skip", "todo", "duration_ms":
			n, rest, isNumber := number(strings.TrimLeft(value, " "))
			if isNumber && (rest == "" || key == "duration_ms") {
				return mark, key, n, true
			}
		}
	}
	return "", "", 0, false
}

// specFailure reads a failing test in node's own form: "✖ name (1.2ms)", then
// what it says. What is marked so but is a suite, a heading or a todo is none.
func specFailure(s *sheet, i int, f *finding) {
	l := strings.TrimSpace(s.at(i))
	name := unparen(strings.TrimPrefix(l, "✖ "))
	if name == "failing tests:" || strings.Contains(l, "# TODO") || !strings.HasSuffix(l, "ms)") {
		return
	}
	message, _ := s.after(i)
	if strings.HasPrefix(message, "'") && strings.Contains(message, " subtest") {
		return
	}
	switch {
	case strings.HasPrefix(message, "✖ "), strings.HasPrefix(message, "✔ "), strings.HasPrefix(message, "ℹ "), strings.HasPrefix(message, "▶ "):
		message = ""
	}
	f.failing = true
	f.failure(i, name, message)
}
