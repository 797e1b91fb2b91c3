package testrun

import (
	"slices"
	"strings"
)

// A summary is what a runner says at the end of a run.
type summary struct {
	at      int // its last line
	passed  Count
	failed  Count
	skipped Count
	errors  int
	bad     bool // it says that the run failed, with or without a count
}

// A failure is a test that failed, or what kept tests from running.
type failure struct {
	at      int
	name    string // of the test, "" where it is none
	message string // its own words, "" where none were printed
}

// findings are what readers find in an output.
type findings struct {
	found []finding
	cut   bool // some summaries are known to be missing
	none  bool // it says that no tests ran
}

// A finding is what one reader finds.
type finding struct {
	runner    string
	summaries []summary
	failures  []failure
	failing   bool // lines show a failing test, whether or not it has a name
	none      bool // it says that no tests ran
	adds      bool // each summary is about other tests: they add up
	inner     bool // its summaries were dropped in favour of one around them
}

func (f *finding) summary(s summary) { f.summaries = append(f.summaries, s) }

func (f *finding) failure(at int, name, message string) {
	f.failures = append(f.failures, failure{at, strings.TrimSpace(name), strings.TrimSpace(message)})
}

// readAll asks every reader, and drops what does not count: summaries that are
// part of another runner's output, and those of runners that the command does
// not call although it calls one that has a summary.
func readAll(s *sheet) findings {
	var all findings
	for i := range runners {
		f := finding{runner: runners[i].name}
		runners[i].read(s, &f)
		all.found = append(all.found, f)
	}
	for i, r := range runners {
		if len(all.found[i].summaries) == 0 {
			continue
		}
		for j := range all.found {
			if slices.Contains(r.over, all.found[j].runner) {
				all.found[j].summaries, all.found[j].inner = nil, true
			}
		}
	}
	all.restrict(s.run.Command)
	if last := len(all.found) - 1; slices.ContainsFunc(all.found[:last], func(f finding) bool { return len(f.summaries) > 0 }) {
		all.found[last].summaries = nil // "plain" is for what nobody else knows
	}
	for _, f := range all.found {
		all.none = all.none || f.none
	}
	all.none = all.none || noneStarted(s)
	all.cut = s.open && (s.run.Tests > 1 || slices.ContainsFunc(all.found, func(f finding) bool { return f.adds && len(f.summaries) > 0 })) ||
		s.cut && s.recursive
	for i := range all.found {
		all.found[i].settle(s)
	}
	return all
}

// restrict drops the summaries of runners that the command does not call, when
// it calls others directly and one of those has a summary: a program under test
// may print anything.
func (a *findings) restrict(command string) {
	if indirect(command) {
		return
	}
	called := make([]bool, len(runners))
	any := false
	for i, r := range runners {
		called[i] = slices.ContainsFunc(r.words, func(w string) bool { return calls(command, w) })
		any = any || called[i] && len(a.found[i].summaries) > 0
	}
	if !any {
		return
	}
	for i := range a.found {
		if !called[i] {
			a.found[i].summaries = nil
		}
	}
}

// settle leaves the summaries that count. Of several in one package the last
// does, for that is a run that was tried again; those of several packages, and
// of several test commands, add up.
func (f *finding) settle(s *sheet) {
	if f.adds || len(f.summaries) < 2 || s.run.Tests > 1 || loops(s.run.Command) {
		return
	}
	last := map[string]int{}
	for i, sum := range f.summaries {
		last[s.unit[min(sum.at, len(s.unit)-1)]] = i
	}
	kept := f.summaries[:0:0]
	for i, sum := range f.summaries {
		if last[s.unit[min(sum.at, len(s.unit)-1)]] == i {
			kept = append(kept, sum)
		}
	}
	f.summaries = kept
}

// A total is the sum of all summaries.
type total struct {
	summary
	runners []string
	last    int // the last line of a summary
}

func (a *findings) total() (t total, ok bool) {
	t.passed, t.failed, t.skipped = some(0), some(0), some(0)
	for _, f := range a.found {
		if len(f.summaries) == 0 {
			continue
		}
		t.runners = append(t.runners, f.runner)
		for _, s := range f.summaries {
			t.passed, t.failed, t.skipped = t.passed.plus(s.passed), t.failed.plus(s.failed), t.skipped.plus(s.skipped)
			t.errors += s.errors
			t.bad = t.bad || s.bad
			t.last = max(t.last, s.at)
		}
	}
	return t, len(t.runners) > 0
}

func (s *summary) fails() bool { return s.bad || s.failed.N > 0 || s.errors > 0 }

// empty tells whether no test ran at all.
func (s *summary) empty() bool {
	return s.passed.Known && s.passed.N == 0 && !s.fails() && s.skipped.Known && s.skipped.N == 0
}

// spoilt tells whether lines say that the command failed although its tests
// passed: a threshold of coverage, or a tool around them that ends with an error.
func (a *findings) spoilt(s *sheet, last int) bool {
	for i, l := range s.lines {
		if coverageShort(l) || i > last && (wrapperFailed(l) || s.cut && cargoFailed(l)) {
			return true
		}
	}
	return false
}

// signs tells whether a failing test shows without a summary, or the complaint
// of a tool around the tests.
func (a *findings) signs(s *sheet) bool {
	return slices.ContainsFunc(a.found, func(f finding) bool { return f.failing }) || a.spoilt(s, -1)
}

// names are the failing tests, each once, in the order in which they are told.
func (a *findings) names() []string {
	var list []string
	seen := map[string]bool{}
	for _, f := range a.ordered() {
		if f.name != "" && !seen[f.name] {
			seen[f.name] = true
			list = append(list, f.name)
		}
	}
	return list
}

func (a *findings) failedNames() int { return len(a.names()) }

// ordered are the failures of the runners that count, by place.
func (a *findings) ordered() []failure {
	var list []failure
	counted := slices.ContainsFunc(a.found, func(f finding) bool { return len(f.summaries) > 0 })
	for _, f := range a.found {
		if len(f.summaries) > 0 || f.inner || !counted {
			list = append(list, f.failures...)
		}
	}
	slices.SortStableFunc(list, func(x, y failure) int { return x.at - y.at })
	return list
}

// message is what the first failing test says for itself, "" where none does.
func (a *findings) message() string {
	for _, f := range a.ordered() {
		if f.message == "" {
			continue
		}
		if f.name != "" && stock(f.message) {
			return f.name + ": " + f.message
		}
		return f.message
	}
	return ""
}

// stock tells whether a message is the same for every failing test of its kind,
// so that it does not tell one from another.
func stock(m string) bool {
	return strings.HasSuffix(m, ":") || strings.HasPrefix(m, "expect(") || strings.HasPrefix(m, "assertion `") ||
		strings.HasPrefix(m, "Expected") || strings.HasPrefix(m, "expected") || !strings.Contains(m, " ")
}
