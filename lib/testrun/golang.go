package testrun

import (
	"strings"

	"isdlc-hooks/lib/ordered"
)

// readGo reads go test: the line of each package, and those of single tests
// where they show. With -v all tests show, else only those that fail.
func readGo(s *sheet, f *finding) {
	f.adds = true
	lines := s.lines
	if json := goOutput(lines); json != nil {
		lines = json
	}
	g := goRun{finding: f, cut: s.cut, bare: -1}
	for i, l := range lines {
		g.line(i, l, lines)
	}
	g.end(len(lines) - 1)
}

type goRun struct {
	*finding
	cut                 bool
	verbose             bool
	pass, fail, skip    int
	ok, failed, noTests int
	failedNow           int    // failing tests of the package that goes on
	broken              int    // packages that fail without a failing test
	bare                int    // line of a FAIL alone, which ends a run that failed
	last                int    // line of the last summary
	log                 string // what the running test logged last
	compile             string // the first message of the compiler
	timedOut            string
	running             bool
}

func (g *goRun) line(i int, l string, lines []string) {
	if g.running {
		name := strings.TrimSpace(l)
		if g.running = strings.HasPrefix(l, "\t\t") && name != ""; g.running {
			g.failure(i, unparen(name), g.timedOut)
			g.fail++
			g.failedNow++
		}
	}
	switch {
	case l == "":
	case strings.HasPrefix(l, "=== RUN "):
		g.verbose, g.log = true, ""
	case strings.HasPrefix(l, "ok  \t"), strings.HasPrefix(l, "ok \t"):
		if strings.HasSuffix(l, "[no tests to run]") {
			g.noTests++
		} else {
			g.ok++
		}
		g.last, g.failedNow = i, 0
	case strings.HasPrefix(l, "FAIL\t"):
		if g.failedNow == 0 {
			g.broken++
		}
		g.failed++
		g.last, g.failedNow = i, 0
	case strings.HasPrefix(l, "?   \t"), strings.HasPrefix(l, "\t") && strings.Contains(l, "coverage: 0.0% of statements"):
		g.noTests++
	case l == "FAIL":
		g.bare = i
	case strings.HasPrefix(l, "panic: test timed out"):
		g.timedOut = l
	case l == "\trunning tests:" && g.timedOut != "":
		g.running = true
	case g.compile == "" && goPlace(l) > 1:
		g.compile = l
	case goPlace(l) == 1 && l[0] == ' ':
		g.log = l
	default:
		g.test(i, l, lines)
	}
}

// test reads the result of one test.
func (g *goRun) test(i int, l string, lines []string) {
	l = strings.TrimLeft(l, " ")
	switch {
	case strings.HasPrefix(l, "--- PASS: "):
		g.pass++
		g.verbose = true
	case strings.HasPrefix(l, "--- SKIP: "):
		g.skip++
		g.verbose = true
	case strings.HasPrefix(l, "--- FAIL: "):
		g.fail++
		g.failedNow++
		name := unparen(strings.TrimPrefix(l, "--- FAIL: "))
		message := g.log
		if i+1 < len(lines) {
			if next := lines[i+1]; goPlace(next) == 1 || strings.HasPrefix(next, "panic: ") {
				message = next
			}
		}
		g.failure(i, name, message)
	default:
		return
	}
	g.log = ""
}

func (g *goRun) end(last int) {
	g.finding.failing = g.fail > 0 || g.failed > 0 || g.bare >= 0
	if g.compile != "" && g.broken > 0 {
		g.failure(0, "", g.compile)
	}
	if g.ok+g.failed == 0 {
		g.none = g.noTests > 0
		return
	}
	sum := summary{at: min(g.last, max(last, 0)), errors: g.broken, bad: g.failed > 0 || g.bare > g.last}
	if g.verbose && !g.cut {
		sum.passed, sum.skipped = some(g.pass), some(g.skip)
	}
	if sum.failed = (Count{g.fail, !g.cut || g.failed == 0}); g.failed == 0 {
		sum.failed = some(g.fail)
	}
	g.summary(sum)
}

// goPlace is the number of colon-ended numbers behind a file name that begins l:
// 1 for "x_test.go:7: text", 2 for "x.go:7:3: text", 0 for other lines.
func goPlace(l string) int {
	l = strings.TrimLeft(l, " \t")
	i := strings.Index(l, ".go:")
	if i < 1 || strings.ContainsAny(l[:i], " \t") {
		return 0
	}
	n := 0
	for rest := l[i+4:]; ; n++ {
		_, tail, ok := number(rest)
		if !ok || !strings.HasPrefix(tail, ":") {
			return n
		}
		rest = tail[1:]
	}
}

// goOutput is what go test -json printed, package by package, as go test prints
// it without; nil where the lines are no such events.
func goOutput(lines []string) []string {
	var order []string
	texts := map[string]*strings.Builder{}
	for _, l := range lines {
		if !strings.HasPrefix(l, "{") || !strings.Contains(l, `"Action":"`) {
			continue
		}
		event, err := ordered.Parse([]byte(l))
		if err != nil {
			continue
		}
		unit := event.Get("Package").Text()
		if unit == "" {
			unit, _, _ = strings.Cut(event.Get("ImportPath").Text(), " ")
		}
		b := texts[unit]
		if b == nil {
			b = &strings.Builder{}
			texts[unit] = b
			order = append(order, unit)
		}
		b.WriteString(event.Get("Output").Text())
	}
	var out []string
	for _, unit := range order {
		out = append(out, strings.Split(texts[unit].String(), "\n")...)
	}
	return out
}

// readGotestsum reads gotestsum: its last line, and the list of failures.
func readGotestsum(s *sheet, f *finding) {
	for i, l := range s.lines {
		switch {
		case strings.HasPrefix(l, "DONE "):
			body, _, ok := strings.Cut(strings.TrimPrefix(l, "DONE "), " in ")
			list, isList := numbered(body, ", ")
			if !ok || !isList || !get(list, "tests", "test").Known {
				continue
			}
			skipped, failed := zero(get(list, "skipped")), zero(get(list, "failure", "failures"))
			errors := get(list, "error", "errors").N
			total := get(list, "tests", "test")
			if total.N == 0 && failed.N > 0 { // a package that does not build counts as one
				failed, errors = Count{}, max(errors, failed.N)
			}
			f.summary(summary{at: i, passed: less(total, failed, skipped), failed: failed, skipped: skipped, errors: errors})
		case strings.HasPrefix(l, "=== FAIL: "):
			name := unparen(strings.TrimPrefix(l, "=== FAIL: "))
			if _, test, ok := strings.Cut(name, " "); ok {
				name = test
			}
			message, _ := s.after(i)
			if strings.HasPrefix(message, "===") {
				message = ""
			}
			f.failure(i, name, message)
		case goPlace(l) == 2:
			f.failure(i, "", l)
		}
	}
}
