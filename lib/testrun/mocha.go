package testrun

import "strings"

// readMocha reads mocha: the number of passing tests, right behind it those of
// pending and failing ones, then the failures.
func readMocha(s *sheet, f *finding) {
	var sum *summary
	within := false // the block of numbers goes on
	defer func() {
		if within && s.open { // what follows may be cut off
			f.summaries = f.summaries[:len(f.summaries)-1]
		}
	}()
	for i, l := range s.lines {
		body := strings.TrimSpace(l)
		if body == "" {
			continue
		}
		n, word, ok := number(body)
		word = unparen(strings.TrimSpace(word))
		switch {
		case ok && word == "passing":
			f.summary(summary{at: i, passed: some(n), failed: some(0), skipped: Count{Known: !s.cut}})
			sum, within = &f.summaries[len(f.summaries)-1], true
			continue
		case ok && within && (word == "pending" || word == "failing"):
			if sum.at = i; word == "pending" {
				sum.skipped = some(n)
			} else {
				sum.failed = some(n)
			}
			continue
		case strings.HasPrefix(body, "Error: No test files found"):
			f.none = true
		case sum != nil && sum.failed.N > 0:
			if name, ok := listed(l); ok {
				mochaFailure(s, i, name, f)
			}
		case strings.Contains(body, `"passes":`) && strings.Contains(s.text, `"failures":`):
			mochaJSON(s, i, f)
		}
		within = false
	}
}

// mochaFailure reads the titles of a failing test, one on a line, the last with
// a colon, and what it says.
func mochaFailure(s *sheet, i int, name string, f *finding) {
	at := i
	for !strings.HasSuffix(name, ":") {
		at++
		next := strings.TrimSpace(s.at(at))
		if next == "" || at > i+10 {
			f.failure(i, name, "")
			return
		}
		name = next
	}
	message, _ := s.after(at)
	f.failure(i, strings.TrimSuffix(name, ":"), message)
}

// mochaJSON reads the numbers of mocha's JSON reports, which stand on lines of
// their own.
func mochaJSON(s *sheet, i int, f *finding) {
	sum := summary{at: i, passed: quantity(s.at(i), `"passes":`)}
	for n := i; n < i+6; n++ {
		if c := quantity(s.at(n), `"pending":`); c.Known {
			sum.skipped = c
		}
		if c := quantity(s.at(n), `"failures":`); c.Known {
			sum.failed = c
		}
	}
	if sum.passed.Known && sum.failed.Known {
		f.summary(sum)
	}
}

// readJasmine reads jasmine: "3 specs, 1 failure, 1 pending spec".
func readJasmine(s *sheet, f *finding) {
	failures := false
	for i, l := range s.lines {
		if l == "Failures:" || l == "Pending:" {
			failures = l == "Failures:"
		}
		if name, ok := listed(l); ok && failures && l[0] != ' ' {
			message, at := s.after(i)
			if message == "Message:" {
				message, _ = s.after(at)
			}
			f.failure(i, name, message)
		}
		list, ok := numbered(l, ", ")
		if !ok || !get(list, "spec", "specs").Known || !get(list, "failure", "failures").Known {
			continue
		}
		failed, pending := get(list, "failure", "failures"), zero(get(list, "pending spec", "pending specs"))
		f.summary(summary{at: i, passed: less(get(list, "spec", "specs"), failed, pending), failed: failed, skipped: pending,
			bad: strings.HasPrefix(s.at(i+1), "Incomplete:")})
	}
}

// readAva reads ava: numbers of tests, one on a line, behind a rule, which a
// filter may have taken away.
func readAva(s *sheet, f *finding) {
	var list []item
	ruled := false
	flush := func(at int) {
		if list != nil {
			passed := get(list, "passed") // left out where some fail
			passed.Known = passed.Known || get(list, "failed").N == 0
			f.summary(summary{at: at, passed: passed, failed: zero(get(list, "failed")), skipped: Count{get(list, "skipped").N, !s.cut || get(list, "skipped").Known},
				errors: get(list, "uncaught exception", "uncaught exceptions", "unhandled rejection", "unhandled rejections", "timeout").N})
		}
		list = nil
	}
	for i, l := range s.lines {
		body := strings.TrimSpace(l)
		switch {
		case body == "─":
			ruled = true
			flush(i)
			continue
		case strings.HasPrefix(body, "✘ [fail]: "):
			f.failing = true
			f.failure(i, strings.TrimPrefix(body, "✘ [fail]: "), "")
		case strings.HasPrefix(body, "✘ Couldn’t find any"):
			f.none = true
		}
		if body == "" || !ruled && !(s.cut && strings.HasPrefix(l, "  ") && l[2] != ' ') {
			continue
		}
		if n, word, ok := number(body); ok {
			word = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(word), "tests "), "test ")
			if it := (item{n, word}); all([]item{it}, "passed", "failed", "skipped", "todo", "uncaught exception", "uncaught exceptions", "unhandled rejection", "unhandled rejections", "timeout", "known failure", "known failures") {
				list = append(list, it)
				continue
			}
		}
		flush(i)
		ruled = false
	}
	flush(len(s.lines) - 1)
}

// readTotals reads uvu ("Total:", "Passed:", "Skipped:") and tap-spec ("total:",
// "passing:", "failing:"), one number on a line. uvu leaves the failures to be
// worked out.
func readTotals(s *sheet, f *finding) {
	title := ""
	for i, l := range s.lines {
		body := strings.TrimSpace(l)
		switch indent := len(l) - len(strings.TrimLeft(l, " ")); {
		case indent == 2:
			title = body
		case indent == 4 && strings.HasPrefix(body, "✖ "):
			f.failure(i, title+" > "+body[len("✖ "):], "")
		}
		if name, ok := strings.CutPrefix(body, "FAIL  \""); ok {
			f.failing = true
			f.failure(i, strings.TrimSuffix(name, "\""), "")
		}
		if !strings.HasPrefix(body, "Total:") && !strings.HasPrefix(body, "total:") {
			continue
		}
		list := []item{{quantity(body, ":").N, "total"}}
		last := i
		for n := i + 1; n <= i+4; n++ {
			word, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(s.at(n))), ":")
			c := quantity(s.at(n), ":")
			if !ok || !c.Known || !all([]item{{c.N, word}}, "passed", "passing", "failing", "skipped") {
				break
			}
			list, last = append(list, item{c.N, word}), n
		}
		passed := get(list, "passed", "passing")
		if !passed.Known {
			continue
		}
		f.summary(summary{at: last, passed: passed, failed: less(get(list, "total"), passed), skipped: zero(get(list, "skipped"))})
	}
}
