package testrun

import "strings"

// readPlaywright reads playwright: numbers of tests, one on a line and two
// blanks in, each followed by the names of its tests.
func readPlaywright(s *sheet, f *finding) {
	var list []item
	last, running := 0, false
	for i, l := range s.lines {
		body := strings.TrimLeft(l, " ")
		switch {
		case strings.HasPrefix(body, "Running ") && strings.Contains(body, " using ") && strings.Contains(body, " worker"):
			running = true
			list = nil
		case strings.HasPrefix(body, "Error: No tests found"):
			f.none = true
		case len(l)-len(body) == 2:
			n, word, ok := number(body)
			if name, isListed := listed(l); isListed && strings.Contains(name, " › ") {
				message, _ := s.after(i)
				f.failing = true
				f.failure(i, playwrightName(name), message)
				continue
			}
			passed, timed := strings.CutPrefix(strings.TrimSpace(word), "passed (")
			it := item{n, strings.TrimSpace(word)}
			if timed && isDuration(strings.TrimSuffix(passed, ")")) {
				it.word = "passed"
				running = true
			} else if !all([]item{it}, "failed", "flaky", "skipped", "did not run", "interrupted", "error was not a part of any test, see above for details", "errors were not a part of any test, see above for details") {
				continue
			}
			if ok {
				list, last = append(list, it), i
			}
		case len(l)-len(body) == 4 && list != nil && strings.HasPrefix(body, "[") && strings.Contains(body, " › "):
			running = true
			if word := list[len(list)-1].word; word == "failed" || word == "interrupted" {
				f.failure(i, playwrightName(body), "")
			}
		}
	}
	if list == nil || !running {
		return
	}
	f.summary(summary{at: last, passed: zero(get(list, "passed", "flaky")), failed: zero(get(list, "failed", "interrupted")), skipped: zero(get(list, "skipped", "did not run")),
		errors: get(list, "error was not a part of any test, see above for details", "errors were not a part of any test, see above for details").N})
}

// playwrightName takes the project and the place off "[chromium] › a.spec.ts:3:5
// › suite › name ───".
func playwrightName(s string) string {
	s = strings.TrimRight(s, " ─=")
	parts := strings.Split(s, " › ")
	for len(parts) > 1 && (strings.HasPrefix(parts[0], "[") || strings.Contains(parts[0], ":") && isFile(strings.SplitN(parts[0], ":", 2)[0])) {
		parts = parts[1:]
	}
	return strings.Join(parts, " › ")
}

// readCypress reads the last line of a run of cypress: a mark, a text, the time,
// and the columns Tests, Passing, Failing, Pending, Skipped. One spec alone has
// it too.
func readCypress(s *sheet, f *finding) {
	for i, l := range s.lines {
		body := strings.Trim(l, " │")
		if !strings.Contains(body, "All specs passed!") && !(strings.Contains(body, " of ") && strings.Contains(body, " failed (")) {
			continue
		}
		fields := strings.Fields(body)
		if len(fields) < 6 {
			continue
		}
		var n [5]int
		ok := true
		for c, field := range fields[len(fields)-5:] {
			if field == "-" {
				continue
			}
			value, rest, isNumber := number(field)
			n[c], ok = value, ok && isNumber && rest == ""
		}
		if ok {
			f.summary(summary{at: i, passed: some(n[1]), failed: some(n[2]), skipped: some(n[3] + n[4]), bad: strings.Contains(body, " failed (")})
		}
	}
	if len(f.summaries) > 0 { // the names stand in mocha's form
		var m finding
		readMocha(s, &m)
		f.failures = m.failures
	}
}

// readDeno reads deno test: "ok | 3 passed (1 step) | 0 failed | 1 ignored (12ms)".
func readDeno(s *sheet, f *finding) {
	failures := false
	for i, l := range s.lines {
		head, body, ok := strings.Cut(l, " | ")
		if l == " FAILURES" || l == "FAILURES" {
			failures = true
		}
		if name, place, isName := strings.Cut(l, " => "); isName && failures && strings.Contains(place, ":") {
			f.failure(i, name, "")
		}
		if name, isError := strings.CutPrefix(l, "error: "); isError && strings.Contains(name, "Error") {
			f.failure(i, "", name)
		}
		if !ok || head != "ok" && head != "FAILED" {
			continue
		}
		var list []item
		for _, part := range strings.Split(unparen(body), " | ") {
			if one, ok := numbered(unparen(part), "\x00"); ok {
				list = append(list, one...)
			}
		}
		if !get(list, "passed").Known {
			continue
		}
		f.summary(summary{at: i, passed: get(list, "passed"), failed: zero(get(list, "failed")), skipped: zero(get(list, "ignored")), bad: head == "FAILED"})
	}
}

// readBun reads bun test: " 3 pass", " 1 skip", " 1 fail" on lines of their own,
// then "Ran 5 tests across 2 files".
func readBun(s *sheet, f *finding) {
	for i, l := range s.lines {
		body := strings.TrimSpace(l)
		if name, ok := strings.CutPrefix(body, "(fail) "); ok {
			f.failing = true
			f.failure(i, unparenBrackets(name), "")
		}
		if !strings.HasPrefix(body, "Ran ") || !strings.Contains(body, " across ") {
			continue
		}
		var list []item
		for n := i - 1; n >= 0 && n > i-12; n-- {
			if one, ok := numbered(strings.TrimSpace(s.at(n)), ","); ok && len(one) == 1 {
				list = append(list, one...)
			} else if s.at(n) != "" && !strings.Contains(s.at(n), "snapshots") {
				break
			}
		}
		if !get(list, "pass", "fail").Known {
			continue
		}
		f.summary(summary{at: i, passed: zero(get(list, "pass")), failed: zero(get(list, "fail")), skipped: zero(get(list, "skip")), errors: get(list, "error", "errors").N})
	}
}

func unparenBrackets(s string) string {
	if i := strings.LastIndex(s, " ["); i > 0 && strings.HasSuffix(s, "]") {
		return s[:i]
	}
	return s
}
