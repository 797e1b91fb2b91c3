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

// readTAP reads the results of TAP itself, where nothing sums them up: a plan
// and as many results at the outermost level. Without the plan, or with fewer
// results, only failures tell something.
func readTAP(s *sheet, f *finding) {
	var stream struct{ plan, ok, notOK, skip, todo int }
	stream.plan = -1
	planned, last := 0, -1
	title := "" // of the assertions that follow, in tape
	end := func() {
		if results := stream.ok + stream.notOK + stream.skip + stream.todo; stream.plan >= 0 && results >= stream.plan && results > 0 {
			f.summary(summary{at: last, passed: some(stream.ok), failed: some(stream.notOK), skipped: some(stream.skip)})
		}
		stream.ok, stream.notOK, stream.skip, stream.todo, stream.plan = 0, 0, 0, 0, -1
	}
	f.adds = true
	if nestedTAP(s, f) {
		return
	}
	for i, l := range s.lines {
		if plan, ok := strings.CutPrefix(l, "1.."); ok {
			n, rest, isNumber := number(plan)
			if !isNumber || rest != "" && !strings.HasPrefix(strings.TrimSpace(rest), "#") {
				continue
			}
			if results := stream.ok + stream.notOK + stream.skip + stream.todo; stream.plan >= 0 {
				end() // the plan of the next stream, which comes first there
			} else if results > 0 && results != n {
				stream.ok, stream.notOK, stream.skip, stream.todo = 0, 0, 0, 0
			}
			stream.plan, last = n, i
			planned += n
			f.none = f.none || n == 0 && planned == 0
			if results := stream.ok + stream.notOK + stream.skip + stream.todo; results == n && n > 0 {
				end()
			}
			continue
		}
		body := strings.TrimLeft(l, " ")
		ok, name, directive, isResult := tapResult(body)
		if !isResult {
			switch {
			case strings.HasPrefix(l, "Bail out!"):
				f.failing = true
				f.failure(i, "", l)
			case strings.HasPrefix(l, "# ") && !strings.HasPrefix(l, "# Subtest: "):
				title = l[2:]
			}
			continue
		}
		top := len(body) == len(l)
		switch {
		case directive == "TODO":
			if top {
				stream.todo++
			}
		case directive == "SKIP":
			if top {
				stream.skip++
			}
		case ok && top:
			stream.ok++
		case !ok:
			if top {
				stream.notOK++
				f.failing = true
			}
			message, leaf := tapMessage(s, i)
			if title != "" && strings.HasPrefix(strings.TrimSpace(s.at(i+2)), "operator: ") {
				name = title + " > " + name
			}
			if leaf {
				f.failure(i, name, message)
			}
		}
		last = max(last, i)
	}
	end()
	f.none = f.none && planned == 0
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
