// Package testrun reads what a test command printed: how many tests passed and
// failed, which ones, why the first did, how much of the code they cover, and
// whether all that amounts to a pass (spec 05 E, spec 40 §5.4 to §5.10).
//
// [Read] knows the summaries of the common runners; the table [runners] lists
// them, and each family has a file of its own. Where no summary is to be found
// the text rules of spec 40 §5.4 decide. The package is pure and its time is
// linear in the length of the output.
package testrun

import "strconv"

// A Verdict is what a run comes to, as it is written in the record of the phase.
type Verdict string

// The verdicts.
const (
	Passed       Verdict = "PASSED"
	Failed       Verdict = "FAILED"
	Inconclusive Verdict = "INCONCLUSIVE" // nothing tells
)

// A Run is a test command that has ended.
type Run struct {
	Command string // as typed
	Output  string // what it printed

	// Text is what the text rules search where that is something else than
	// Output: the JSON of a result whose shape is not known (spec 40 §5.3).
	Text string

	// Tests is how many test commands the command has; 0 counts as one.
	Tests int

	// Exit is what the exit status tells of the tests. A status that a pipe or
	// a following command hides is an unknown one; see [Status].
	Exit Exit

	// Hidden is set where the exit status of the tests cannot be known, whatever
	// the command ended with: a pipe swallowed it.
	Hidden bool

	// Hint is an exit code that is only told in the text of the output. It
	// decides where nothing else does.
	Hint Exit
}

// An Exit is an exit code; the zero value is an unknown one.
type Exit struct {
	Known bool
	Code  string // in decimal, or whatever the client gave
}

// Code is a known exit code.
func Code(n int) Exit { return Exit{true, strconv.Itoa(n)} }

// OK tells whether e is known to be 0.
func (e Exit) OK() bool { return e.Known && e.Code == "0" }

// Bad tells whether e is known to be something else than 0.
func (e Exit) Bad() bool { return e.Known && e.Code != "0" }

// A Count is a number that may not have been printed; the zero value is unknown.
type Count struct {
	N     int
	Known bool
}

func some(n int) Count { return Count{n, true} }

func (c Count) plus(d Count) Count {
	return Count{c.N + d.N, c.Known && d.Known}
}

// A Report is what a run came to.
type Report struct {
	Verdict Verdict
	Runners []string // whose summaries count; none: no summary was found

	Passed, Failed, Skipped Count

	// Errors counts what failed without being a test: a file that does not
	// compile, a suite that does not load.
	Errors int

	Coverage Coverage
	Failing  []string // names of failing tests, as printed
	Failures int      // for the record: failing tests and errors, or what the text rules count
	Error    string   // what went wrong first; "" for a pass
}

// Read judges a run (spec 05 E.2).
func Read(run Run) Report {
	s := newSheet(run)
	found := readAll(s)
	text := plain(run.Text)
	if run.Text == "" {
		text = s.text
	}
	r := judge(run, s, found, text)
	r.Coverage = coverage(text)
	if r.Verdict != Passed {
		r.Failing = found.names()
		r.Error = firstError(r, run, found, text)
	}
	return r
}

func judge(run Run, s *sheet, found findings, text string) Report {
	if total, ok := found.total(); ok {
		r := Report{Runners: total.runners, Passed: total.passed, Failed: total.failed, Skipped: total.skipped, Errors: total.errors}
		r.Failures = r.Failed.N + r.Errors
		switch {
		case total.fails():
			r.Verdict = Failed
			r.Failures = max(r.Failures, 1)
		case run.Exit.Bad():
			r.Verdict = Failed
		case total.empty() || found.cut:
			r.Verdict = Inconclusive
		case !run.Exit.Known && found.spoilt(s, total.last):
			r.Verdict = Failed
		default:
			r.Verdict = Passed
		}
		return r
	}
	switch {
	case run.Exit.Bad():
		return Report{Verdict: Failed, Failures: textFailures(text)}
	case text == "" && run.Text == "":
		return Report{Verdict: silent(run)}
	case found.none:
		return Report{Verdict: Inconclusive}
	case !run.Exit.Known && found.signs(s):
		return Report{Verdict: Failed, Failures: max(1, found.failedNames())}
	}
	if t, ok := textRules(text); ok {
		if t.weak && !run.Exit.Known && (s.cut || run.Hidden) {
			return Report{Verdict: Inconclusive} // a part of a run in which some test passed
		}
		return Report{Verdict: t.verdict, Failures: t.failures}
	}
	switch {
	case run.Exit.OK() || run.Hint.OK():
		return Report{Verdict: Passed}
	case run.Hint.Bad():
		return Report{Verdict: Failed}
	}
	return Report{Verdict: Inconclusive}
}

// silent is the verdict on a run that printed nothing and did not fail. With
// exit code 0 that is how quiet runners pass; where the output went into a
// filter it tells nothing (spec 40 §5.4.1 for the rest).
func silent(run Run) Verdict {
	switch {
	case run.Exit.OK():
		return Passed
	case run.Hidden || hidden(run.Command):
		return Inconclusive
	}
	return Failed
}
