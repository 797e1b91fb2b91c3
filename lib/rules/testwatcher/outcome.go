package testwatcher

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/shellcmd"
	"isdlc-hooks/lib/testrun"
)

// outcome is what the event tells of a run: what it printed, and its exit code
// as far as that is the one of the tests (spec 40 §5.3, spec 05 A.4).
func outcome(e *claude.Event, command string, extra [][]string) testrun.Run {
	isTest := func(simple string) bool {
		return len(shellcmd.Parse(simple, shellcmd.Place{}).TestRuns(extra)) > 0
	}
	r := testrun.Run{Command: command, Output: e.ResultText()}
	r.Hidden = !testrun.Status(command, 0, isTest).Known
	code := failureCode(e)
	if e.Name != claude.PostToolUseFailure {
		code = result(e, &r)
	}
	if background := e.Input("run_in_background").IsTrue(); background {
		r.Hidden, code = true, testrun.Exit{}
	}
	switch {
	case code.OK() && testrun.Status(command, 0, isTest).Known, code.Bad() && testrun.Status(command, 1, isTest).Known:
		r.Exit = code
	}
	return r
}

func failureCode(e *claude.Event) testrun.Exit {
	if n, ok := e.FailureCode(); ok && !e.Body.Get("is_interrupt").IsTrue() {
		return testrun.Code(n)
	}
	return testrun.Exit{}
}

// exitText is how a text tells of an exit code.
var exitText = pattern.Pattern{Expr: `exit(?:ed)?\s+(?:with\s+)?(?:code\s+)?(\d+)`, Fold: true}

// result reads what the tool returned into r, and gives the exit code that is
// told there. Today's client sends this event only for success, in an object
// that always tells whether the run was interrupted; an object of another shape
// is searched as its JSON.
func result(e *claude.Event, r *testrun.Run) testrun.Exit {
	v := e.Body.Get("tool_response")
	today := v != nil
	if !today {
		v = e.Body.Get("tool_result")
	}
	switch {
	case v.Kind() == ordered.String:
		r.Output = v.Text()
		if m := exitText.Find(r.Output); m != nil {
			r.Hint = testrun.Exit{Known: true, Code: m[1]}
		}
		return testrun.Exit{}
	case !v.Present():
		r.Text = `""`
		return testrun.Exit{}
	}
	interrupted := v.Get("interrupted")
	if interrupted == nil {
		r.Text = string(v.Compact())
	}
	code := exitCode(v)
	if code == nil && today && v.IsObject() && !interrupted.IsTrue() {
		return testrun.Code(0)
	}
	return known(code)
}

// exitCode is the exit code that a result holds under one of its usual names.
func exitCode(v *ordered.Value) *ordered.Value {
	for _, name := range [...]string{"exitCode", "exit_code", "code"} {
		if code := v.Get(name); code != nil {
			return code
		}
	}
	return nil
}

// known reads an exit code of any type: only the number 0 is success.
func known(code *ordered.Value) testrun.Exit {
	if f, ok := code.Float(); ok && f == 0 {
		return testrun.Code(0)
	}
	if code == nil || code.Kind() == ordered.Null {
		return testrun.Exit{}
	}
	return testrun.Exit{Known: true, Code: string(code.Compact())}
}
