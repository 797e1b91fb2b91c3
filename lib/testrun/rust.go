package testrun

import "strings"

// readCargo reads cargo test, which sums up each binary, and cargo nextest.
func readCargo(s *sheet, f *finding) {
	f.adds = true
	compile := ""
	for i, l := range s.lines {
		body := strings.TrimLeft(l, " ")
		switch {
		case strings.HasPrefix(l, "test result: "):
			result, rest, _ := strings.Cut(l[len("test result: "):], ". ")
			list, _ := numbered(rest, "; ")
			if list == nil {
				rest, _, _ = strings.Cut(rest, "; finished in ")
				list, _ = numbered(rest, "; ")
			}
			if !get(list, "measured").Known {
				continue
			}
			f.summary(summary{at: i, passed: get(list, "passed"), failed: get(list, "failed"), skipped: get(list, "ignored"), bad: result == "FAILED"})
		case strings.HasPrefix(body, "Summary [") && strings.Contains(body, " run: "):
			head, rest, _ := strings.Cut(body, " run: ")
			list := nextest(rest)
			total := quantity(head, "] ")
			failed := zero(get(list, "failed", "exec failed", "timed out"))
			f.summary(summary{at: i, passed: zero(get(list, "passed")), failed: failed, skipped: zero(get(list, "skipped")), bad: total.N > 0 && failed.N > 0})
		case strings.HasPrefix(body, "FAIL [") && strings.Contains(body, "] "):
			f.failing = true
			f.failure(i, body[strings.LastIndexByte(body, ' ')+1:], "")
		case strings.HasPrefix(l, "test ") && strings.HasSuffix(l, " ... FAILED"):
			f.failing = true
			f.failure(i, strings.TrimSuffix(l[len("test "):], " ... FAILED"), "")
		case strings.HasPrefix(l, "thread '") && strings.Contains(l, " panicked at "):
			cargoPanic(s, i, f)
		case l == "failures:" && strings.HasPrefix(s.at(i+1), "    "):
			for n := i + 1; strings.HasPrefix(s.at(n), "    "); n++ {
				f.failing = true
				f.failure(n, s.at(n), "")
			}
		case compile == "" && (strings.HasPrefix(l, "error[") || strings.HasPrefix(l, "error: ")):
			if compile = l; strings.HasPrefix(l, "error: could not compile") || strings.HasPrefix(l, "error[") {
				f.failing = true
				f.failure(i, "", l)
			}
		case cargoFailed(l):
			f.failing = true
		}
	}
}

// cargoFailed tells whether cargo itself says that tests failed.
func cargoFailed(l string) bool {
	rest, ok := strings.CutPrefix(l, "error: ")
	return ok && (strings.HasPrefix(rest, "test failed") || strings.HasPrefix(rest, "test run failed") || strings.HasPrefix(rest, "could not compile") ||
		strings.HasSuffix(rest, " target failed:") || strings.HasSuffix(rest, " targets failed:"))
}

// nextest reads "2 passed (1 slow), 1 failed, 1 skipped".
func nextest(s string) (list []item) {
	for _, part := range strings.Split(s, ", ") {
		if one, ok := numbered(unparen(part), "\x00"); ok {
			list = append(list, one...)
		}
	}
	return list
}

// cargoPanic reads what a failing test says: "thread 'name' panicked at
// src/lib.rs:1:2:" and the message on the next line, or on the same one in older
// versions. A panic that a test expects looks alike; it has no entry in the list
// of failures, so its name is not kept.
func cargoPanic(s *sheet, i int, f *finding) {
	l := s.at(i)
	name, rest, _ := strings.Cut(l[len("thread '"):], "'")
	_, message, _ := strings.Cut(rest, " panicked at ")
	if quoted, ok := strings.CutPrefix(message, "'"); ok {
		message, _, _ = strings.Cut(quoted, "', ")
	} else {
		message, _ = s.after(i)
	}
	if !strings.Contains(s.at(i-1)+s.at(i-2), "---- "+name+" stdout ----") {
		return
	}
	f.failure(i, name, message)
}
