package testwatcher

import (
	"fmt"
	"strconv"
	"strings"

	"isdlc-hooks/lib/testrun"
)

const shown = 5 // names in a message

// number writes a number in its shortest form.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (r *record) limit() string { return number(r.count("max_iterations")) }

// progress is "3/10, 7 left", or only the number where there is no limit.
func (r *record) progress() string {
	current := r.count("current_iteration")
	if limit, ok := r.Get("max_iterations").Float(); ok {
		return fmt.Sprintf("iteration %s/%s, %s remaining", number(current), number(limit), number(max(limit-current, 0)))
	}
	return "iteration " + number(current)
}

// names lists the first few of names, and how many more there are.
func names(list []string) string {
	var b strings.Builder
	for _, name := range list[:min(len(list), shown)] {
		b.WriteString("\n- " + name)
	}
	if rest := len(list) - shown; rest > 0 {
		fmt.Fprintf(&b, "\n- and %d more", rest)
	}
	return b.String()
}

// counts are the numbers that the runner printed.
func counts(report testrun.Report) string {
	var parts []string
	for _, c := range []struct {
		count testrun.Count
		word  string
	}{{report.Failed, "failed"}, {report.Passed, "passed"}, {report.Skipped, "skipped"}} {
		if c.count.Known && len(report.Runners) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.count.N, c.word))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

const escalated = "This is escalated: stop changing code for it, tell the human what you tried and what the tests say, and wait for a decision."

func (r *record) failedMessage(ended testrun.Run, report testrun.Report) string {
	m := fmt.Sprintf("TESTS FAILED%s: %s.\nError: %s", counts(report), r.progress(), report.Error)
	if len(report.Failing) > 0 {
		m += "\nFailing tests:" + names(report.Failing)
	}
	return m + "\nFind the cause, fix it, and run the tests again: " + ended.Command
}

func (r *record) breakerMessage(report testrun.Report) string {
	return fmt.Sprintf("CIRCUIT BREAKER: the tests failed in the same way %s times in a row (threshold %s).\nError: %s\n%s To go on, escalate to a human.",
		number(r.count("identical_failure_count")), number(r.threshold), report.Error, escalated)
}

func (r *record) limitMessage(report testrun.Report) string {
	return fmt.Sprintf("MAX ITERATIONS: the tests still fail%s after %s runs; the limit is %s.\nError: %s\n%s To go on, escalate to a human.",
		counts(report), number(r.count("current_iteration")), r.limit(), report.Error, escalated)
}

func (r *record) inconclusiveMessage(report testrun.Report) string {
	return fmt.Sprintf("TEST RESULT INCONCLUSIVE: %s.\n%s This is not counted as a failure, so the circuit breaker is not triggered.\n"+
		"Run the tests so that their summary and their own exit code can be seen: in the foreground, and without a pipe or a redirection that hides them.",
		r.progress(), report.Error)
}

func (r *record) inconclusiveLimitMessage(report testrun.Report) string {
	return fmt.Sprintf("MAX ITERATIONS: the last result is inconclusive, and the limit of %s iterations is reached.\n%s\n"+
		"If the tests have not passed before, escalate to a human.", r.limit(), report.Error)
}

func (r *record) coverageMessage(report testrun.Report, limit float64) string {
	return fmt.Sprintf("COVERAGE TOO LOW: the tests passed%s, but they cover %s%% of the code and %s%% is required; %s.\n"+
		"Add tests for what is not covered, and run them again with coverage.",
		counts(report), number(report.Coverage.Percent), number(limit), r.progress())
}

func (r *record) coverageLimitMessage(report testrun.Report, limit float64) string {
	return fmt.Sprintf("COVERAGE TOO LOW AT THE LIMIT: the tests passed%s, but coverage is %s%% where %s%% is required, and the limit of %s iterations is reached.\n"+
		"%s To go on, escalate to a human.",
		counts(report), number(report.Coverage.Percent), number(limit), r.limit(), escalated)
}

func (r *record) passedMessage(report testrun.Report, limit float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "TESTS PASSED%s in iteration %s.", counts(report), number(r.count("current_iteration")))
	switch {
	case report.Coverage.Found && limit > 0:
		fmt.Fprintf(&b, "\nCoverage: %s%% (required: %s%%).", number(report.Coverage.Percent), number(limit))
	case report.Coverage.Found:
		fmt.Fprintf(&b, "\nCoverage: %s%%.", number(report.Coverage.Percent))
	case limit > 0:
		fmt.Fprintf(&b, "\nThe output tells no coverage, and %s%% is required: run the tests with --coverage to check it.", number(limit))
	}
	var articles []string
	for _, a := range r.required.Get("constitutional_validation", "articles").Items() {
		articles = append(articles, a.Text())
	}
	if len(articles) > 0 {
		fmt.Fprintf(&b, "\nNext: check the work of this phase against the constitution, articles %s, as constitution.md has them, and record the result in phases.%s.constitutional_validation.",
			strings.Join(articles, ", "), r.key)
	} else {
		b.WriteString("\nNext: check the work of this phase against the constitution. Which articles apply is not configured for it in iteration-requirements.json.")
	}
	return b.String()
}

func skipsMessage(count int, list []string) string {
	return fmt.Sprintf("\nATDD: %d skipped tests are left. Every acceptance test must run before the phase ends: implement what they wait for, and take the skip away.%s",
		count, names(list))
}
