package testrun

import "strings"

// A tapStream is one output of TAP: a plan and results at the outermost level.
type tapStream struct{ plan, ok, notOK, skip, todo int } // plan is -1 before it is told

func (t *tapStream) results() int { return t.ok + t.notOK + t.skip + t.todo }

// end gives the summary of a stream that is complete, and begins the next one.
func (t *tapStream) end(last int, f *finding) {
	if t.plan >= 0 && t.results() >= t.plan && t.results() > 0 {
		f.summary(summary{at: last, passed: some(t.ok), failed: some(t.notOK), skipped: some(t.skip)})
	}
	*t = tapStream{plan: -1}
}

// planned takes the plan of n tests, which stands before the results or behind
// them.
func (t *tapStream) planned(n, at int, f *finding) {
	switch {
	case t.plan >= 0: // that of the next stream
		t.end(at-1, f)
	case t.results() > 0 && t.results() != n: // results of a stream whose beginning is lost
		*t = tapStream{}
	}
	if t.plan = n; n > 0 && t.results() == n {
		t.end(at, f)
	}
}

// count adds a result.
func (t *tapStream) count(ok bool, directive string) {
	switch {
	case directive == "SKIP":
		t.skip++
	case directive == "TODO":
		t.todo++
	case ok:
		t.ok++
	default:
		t.notOK++
	}
}

// readTAP reads the results of TAP itself, where nothing sums them up. Without a
// plan, or with fewer results, only failures tell something.
func readTAP(s *sheet, f *finding) {
	f.adds = true
	if nestedTAP(s, f) {
		return
	}
	stream := tapStream{plan: -1}
	total, empty, last := 0, false, -1
	title := "" // of the assertions that follow, in tape
	for i, l := range s.lines {
		if n, ok := tapPlan(l); ok {
			stream.planned(n, i, f)
			total += n
			empty = empty || n == 0
			last = i
			continue
		}
		body := strings.TrimLeft(l, " ")
		ok, name, directive, isResult := tapResult(body)
		top := len(body) == len(l)
		switch {
		case isResult:
		case strings.HasPrefix(l, "Bail out!"):
			f.failing = true
			f.failure(i, "", l)
			continue
		case strings.HasPrefix(l, "# ") && !strings.HasPrefix(l, "# Subtest: "):
			title = l[2:]
			continue
		default:
			continue
		}
		last = i
		if top {
			stream.count(ok, directive)
		}
		if ok || directive != "" {
			continue
		}
		f.failing = f.failing || top
		message, leaf := tapMessage(s, i)
		if title != "" && strings.HasPrefix(strings.TrimSpace(s.at(i+2)), "operator: ") {
			name = title + " > " + name
		}
		if leaf {
			f.failure(i, name, message)
		}
	}
	stream.end(last, f)
	f.none = empty && total == 0
}

// tapPlan reads "1..4".
func tapPlan(l string) (n int, ok bool) {
	plan, ok := strings.CutPrefix(l, "1..")
	n, rest, isNumber := number(plan)
	return n, ok && isNumber && (rest == "" || strings.HasPrefix(strings.TrimSpace(rest), "#"))
}

// nestedTAP reads the form of vitest, in which the result of a file or a suite
// opens a brace and those of its tests follow: only tests count.
func nestedTAP(s *sheet, f *finding) bool {
	nested, plan, files, last := false, -1, 0, 0
	var pass, fail, skip int
	for i, l := range s.lines {
		body := strings.TrimLeft(l, " ")
		if n, ok := strings.CutPrefix(l, "1.."); ok && plan < 0 {
			plan, _, _ = number(n)
		}
		ok, name, directive, isResult := tapResult(strings.TrimSuffix(body, " {"))
		if !isResult {
			continue
		}
		if len(body) == len(l) {
			files++
		}
		if last = i; strings.HasSuffix(body, " {") {
			nested = true
			continue
		}
		switch {
		case directive == "SKIP":
			skip++
		case directive == "TODO":
		case ok:
			pass++
		default:
			fail++
			message, _ := tapMessage(s, i)
			f.failure(i, name, message)
		}
	}
	if !nested {
		f.failures = nil
		return false
	}
	f.failing = fail > 0
	if plan >= 0 && files >= plan {
		f.summary(summary{at: last, passed: some(pass), failed: some(fail), skipped: some(skip)})
	}
	return true
}

// tapResult reads "not ok 3 - name # SKIP reason".
func tapResult(l string) (ok bool, name, directive string, isResult bool) {
	rest, ok := strings.CutPrefix(l, "ok ")
	if !ok {
		var bad bool
		if rest, bad = strings.CutPrefix(l, "not ok "); !bad {
			return false, "", "", false
		}
	}
	_, rest, numbered := number(rest)
	if !numbered || rest != "" && rest[0] != ' ' {
		return false, "", "", false
	}
	name = strings.TrimPrefix(strings.TrimSpace(rest), "- ")
	if i := strings.LastIndex(" "+name, " # "); i >= 0 {
		word, _, _ := strings.Cut(strings.TrimSpace(name[i+1:]), " ")
		switch word = strings.ToUpper(strings.TrimRight(word, ":")); {
		case strings.HasPrefix(word, "SKIP"):
			directive = "SKIP"
		case strings.HasPrefix(word, "TODO"):
			directive = "TODO"
		}
		if directive != "" || strings.HasPrefix(strings.ToLower(word), "time=") {
			name = strings.TrimSpace(name[:max(i-1, 0)])
		}
	}
	return ok, name, directive, true
}

// tapMessage looks for what a failing test says, in the lines behind it; leaf is
// false for a test that fails only because one inside it does.
func tapMessage(s *sheet, i int) (message string, leaf bool) {
	for n := i + 1; n <= i+14 && n < len(s.lines); n++ {
		l := strings.TrimSpace(s.at(n))
		if _, _, _, isResult := tapResult(l); isResult || l == "..." {
			break
		}
		if strings.HasPrefix(l, "failureType: 'subtestsFailed'") {
			return "", false
		}
		key, value, ok := strings.Cut(l, ": ")
		if !ok && (l == "error: |-" || strings.HasSuffix(l, ":")) {
			continue
		}
		switch {
		case message != "":
		case key == "error" && strings.HasPrefix(value, "|"):
			message, _ = s.after(n)
		case key == "error" || key == "message":
			message = strings.Trim(value, `"'`)
		case strings.HasPrefix(l, "# ") && strings.HasSuffix(l, " failed"): // bats
			message = strings.TrimSpace(l[2:])
		}
	}
	return message, true
}
