package testwatcher

import (
	"fmt"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/testrun"
)

const (
	keep             = 50 // entries of the history that stay (spec 05 E.5)
	defaultMax       = 10
	defaultThreshold = 3
)

// A record is test_iteration of a phase, with what it is judged by.
type record struct {
	*ordered.Value                // test_iteration
	phase          *ordered.Value // the entry of the phase
	key            string         // of that entry, as written
	required       *ordered.Value // of the phase
	threshold      float64
	now            string
	succeeded      bool // this run is a success
}

// open finds the record of a phase in the state, and makes what is missing of it
// (spec 40 §5.6). It is nil where something on the way has another type than it
// should: then nothing is counted, and nothing changed.
func open(state *ordered.Value, key string, required *ordered.Value, now time.Time) *record {
	r := &record{required: required, now: activity.Timestamp(now)}
	tests := required.Get("test_iteration")
	config := state.Get("iteration_config")
	if !config.Get("configured_at").Present() {
		config = nil
	}
	r.threshold = first(defaultThreshold, config.Get("circuit_breaker_threshold"), tests.Get("circuit_breaker_threshold"))

	phases := state.Get("phases")
	r.key = phase.Key(phases, key)
	old := phases.Get(r.key, "iteration_requirements", "test_iteration")
	for _, v := range []*ordered.Value{phases, phases.Get(r.key), phases.Get(r.key, "iteration_requirements"), old} {
		if v.Present() && !v.IsObject() {
			return nil
		}
	}
	if old.Present() && !old.Get("history").IsArray() {
		return nil
	}
	if !phases.Get(r.key).Present() {
		state.Ensure("phases").Set(r.key, ordered.NewObject("status", "in_progress"))
	}
	r.phase = state.Get("phases", r.key)
	parent := r.phase.Ensure("iteration_requirements")
	if r.Value = parent.Get("test_iteration"); !r.Value.Present() {
		r.Value = parent.Set("test_iteration", ordered.NewObject(
			"required", true,
			"completed", false,
			"current_iteration", 0,
			"max_iterations", first(defaultMax, config.Get("testing_max"), tests.Get("max_iterations")),
			"failures_count", 0,
			"identical_failure_count", 0,
			"history", ordered.NewArray(),
			"started_at", r.now))
	}
	return r
}

// first is the first of values that is a number and not 0, else fallback.
func first(fallback float64, values ...*ordered.Value) float64 {
	for _, v := range values {
		if f, ok := v.Float(); ok && f != 0 {
			return f
		}
	}
	return fallback
}

func (r *record) count(name string) float64 {
	f, _ := r.Get(name).Float()
	return f
}

// raise adds one to a count, and gives it.
func (r *record) raise(name string) float64 {
	n := r.count(name) + 1
	r.Set(name, n)
	return n
}

// add notes a run in the record, and gives the message about it.
func (r *record) add(ended testrun.Run, report testrun.Report) string {
	entry := ordered.NewObject(
		"iteration", r.raise("current_iteration"),
		"timestamp", r.now,
		"command", ended.Command,
		"result", string(report.Verdict),
		"failures", report.Failures,
		"error", nil)
	if report.Verdict != testrun.Passed {
		entry.Set("error", report.Error)
	}
	history := r.Get("history")
	history.Append(entry)
	history.KeepLast(keep)
	r.Set("last_test_result", lastResult(report.Verdict))
	r.Set("last_test_command", ended.Command)
	r.Set("last_test_at", r.now)
	switch report.Verdict {
	case testrun.Failed:
		return r.failed(ended, report)
	case testrun.Inconclusive:
		return r.inconclusive(report)
	}
	return r.passed(report)
}

func lastResult(v testrun.Verdict) string {
	switch v {
	case testrun.Passed:
		return "passed"
	case testrun.Failed:
		return "failed"
	}
	return "inconclusive"
}

func (r *record) status() string { return r.Get("status").Text() }

// atLimit tells whether no try is left. A record without a limit has no end.
func (r *record) atLimit() bool {
	limit, ok := r.Get("max_iterations").Float()
	return ok && r.count("current_iteration") >= limit
}

// escalate hands the phase to a person. A record that is escalated stays as it
// is (spec 05 E.4).
func (r *record) escalate(reason, details string) {
	if r.status() == "escalated" {
		return
	}
	r.Set("completed", true)
	r.Set("status", "escalated")
	r.Set("escalation_reason", reason)
	r.Set("escalation_details", details)
}

// failed takes a success back, counts, and escalates where the same failure
// comes again and again or the tries are used up (spec 40 §5.7).
func (r *record) failed(ended testrun.Run, report testrun.Report) string {
	if r.Get("completed").Present() && r.status() != "escalated" {
		r.Set("completed", false)
		r.Delete("status")
		r.Delete("completed_at")
	}
	r.raise("failures_count")
	identical := 1.0
	if r.repeated() {
		identical = r.raise("identical_failure_count")
	} else {
		r.Set("identical_failure_count", identical)
	}
	switch {
	case identical >= r.threshold:
		r.escalate("circuit_breaker", fmt.Sprintf("The same failure came %s times in a row (threshold %s).", number(identical), number(r.threshold)))
		return r.breakerMessage(report)
	case r.atLimit():
		r.escalate("max_iterations", fmt.Sprintf("The tests still fail after %s iterations, the limit.", r.limit()))
		return r.limitMessage(report)
	}
	return r.failedMessage(ended, report)
}

// repeated tells whether the last two runs failed in the same way.
func (r *record) repeated() bool {
	var errors []string
	for _, entry := range r.Get("history").Items() {
		if entry.IsObject() {
			errors = append(errors, entry.Get("error").Text())
		}
	}
	n := len(errors)
	return n >= 2 && errors[n-2] != "" && errors[n-1] != "" && testrun.Same(errors[n-2], errors[n-1])
}

// inconclusive leaves a success and an escalation alone (spec 05 E.4).
func (r *record) inconclusive(report testrun.Report) string {
	if !r.atLimit() {
		return r.inconclusiveMessage(report)
	}
	if r.status() != "success" {
		r.escalate("max_iterations", fmt.Sprintf("No success after %s iterations, the limit; the last result was inconclusive.", r.limit()))
	}
	return r.inconclusiveLimitMessage(report)
}

// passed ends the iteration, unless too little is covered (spec 40 §5.9).
func (r *record) passed(report testrun.Report) string {
	r.Set("identical_failure_count", 0)
	coverage := ordered.NewObject("found", report.Coverage.Found, "percentage", nil, "threshold", nil, "met", true)
	if report.Coverage.Found {
		coverage.Set("percentage", report.Coverage.Percent)
	}
	wanted := r.required.Get("test_iteration", "success_criteria", "min_coverage_percent")
	limit, limited := wanted.Float()
	if limited = limited && limit != 0; limited {
		coverage.Set("threshold", wanted.Clone())
	}
	met := !report.Coverage.Found || !limited || report.Coverage.Percent >= limit
	coverage.Set("met", met)
	r.Set("coverage", coverage)
	switch {
	case !met && r.atLimit():
		r.escalate("coverage_below_threshold", fmt.Sprintf("Coverage is %s%%, below the required %s%%, after %s iterations, the limit.",
			number(report.Coverage.Percent), number(limit), r.limit()))
		return r.coverageLimitMessage(report, limit)
	case !met:
		return r.coverageMessage(report, limit)
	}
	r.succeeded = true
	r.Delete("escalation_reason")
	r.Delete("escalation_details")
	r.Set("completed", true)
	r.Set("status", "success")
	r.Set("completed_at", r.now)
	return r.passedMessage(report, limit)
}

// skips notes tests that were left out, in ATDD mode, and gives the part of the
// message about them, "" where there are none (spec 40 §5.10).
func (r *record) skips(ended testrun.Run) string {
	text := ended.Text
	if text == "" {
		text = ended.Output
	}
	count, names := testrun.Skips(text)
	if count == 0 {
		return ""
	}
	validation := r.phase.Ensure("atdd_validation")
	validation.Set("orphan_skips_detected", count)
	validation.Set("orphan_skip_details", names)
	return skipsMessage(count, names)
}
