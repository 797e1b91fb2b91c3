package completion

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func parse(t *testing.T, s string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(s))
	assert.NilError(t, err)
	return v
}

func TestMinutes(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{`"2026-02-20T08:00:00Z"`, `"2026-02-20T08:00:29.999Z"`, "0"},
		{`"2026-02-20T08:00:00Z"`, `"2026-02-20T08:00:30Z"`, "1"},
		{`"2026-02-20T08:00Z"`, `"2026-02-20T09:31+01:00"`, "31"},
		{`"2026-02-20"`, `"2026-02-20T00:05:00Z"`, "5"},
		{`0`, `90000`, "2"},
		{`"2026-02-20T08:00:01Z"`, `"2026-02-20T08:00:00Z"`, "<nil>"},
		{`"yesterday"`, `"2026-02-20T08:00:00Z"`, "<nil>"},
		{`null`, `"2026-02-20T08:00:00Z"`, "<nil>"},
		{`0`, `1e300`, "<nil>"},
	} {
		assert.Equal(t, fmt.Sprint(Minutes(parse(t, test.from), parse(t, test.to))), test.want, "%s to %s", test.from, test.to)
	}
}

func TestSummary(t *testing.T) {
	history := parse(t, `[
		{"agent": "software-developer", "timestamp": "2026-02-20T08:00:00Z", "action": "first"},
		{"agent": "software-developer", "timestamp": "2026-02-20T09:01:00Z", "action": "a minute late"},
		null,
		{"agent": "software-developer", "timestamp": "2026-02-20T09:01:00.001Z", "action": "too late"},
		{"agent": "software-developer", "timestamp": "some day", "action": "no time"},
		{"agent": "qa-engineer", "timestamp": "2026-02-20T08:30:00Z", "action": "reviewed"},
		{"agent": "environment-builder", "timestamp": "2026-02-20T08:30:00Z"}]`)
	const started = `"started": "2026-02-20T08:00:00Z"`
	for _, test := range []struct{ key, record, want string }{
		{"06-implementation", `{"summary": "said", ` + started + `}`, "said"},
		{"06-implementation", `{` + started + `, "completed": "2026-02-20T09:00:00Z"}`, "a minute late"},
		{"06-implementation", `{` + started + `, "gate_passed": "2026-02-20T08:10:00Z"}`, "first"},
		{"06-implementation", `{` + started + `}`, "no time"}, // the last word, where the phase has no end
		{"06-implementation", `{"started": "2026-02-21", "completed": "2026-02-22"}`, "<nil>"},
		{"11-local-testing", `{}`, "<nil>"}, // found, but it says nothing
		{"13-test-deploy", `{}`, "<nil>"},
		{"99-other", `{}`, "<nil>"},
		{"08-code-review", `{"summary": "` + strings.Repeat("é", 149) + `😀"}`, strings.Repeat("é", 149)},
	} {
		assert.Equal(t, fmt.Sprint(summary(test.key, parse(t, test.record), history)), test.want, "%s %s", test.key, test.record)
	}
}

func TestTestIterations(t *testing.T) {
	for record, want := range map[string]string{
		`{"current_iteration": 3, "current": 9, "completed": true, "escalated": true}`: `{"count":3,"result":"passed","escalated":true}`,
		`{"current_iteration": null, "current": 2, "escalated": true}`:                 `{"count":2,"result":"escalated","escalated":true}`,
		`{"completed": "yes"}`:                         `{"count":0,"result":"unknown","escalated":false}`,
		`{"current_iteration": 0, "completed": false}`: ``,
		`{"current_iteration": "4"}`:                   ``, // of the wrong type: as if it were not there
		`true`:                                         ``,
	} {
		assert.Equal(t, string(testIterations(parse(t, record)).Compact()), want, record)
	}
}

func TestCompare(t *testing.T) {
	earlier := func(minutes ...string) (list []*ordered.Value) {
		for _, m := range minutes {
			list = append(list, parse(t, `{"metrics": {"total_duration_minutes": `+m+`}}`))
		}
		return list
	}
	slow := []*ordered.Value{
		parse(t, `{"key": "a", "timing": {"wall_clock_minutes": 7}}`),
		parse(t, `{"key": "b", "timing": {"wall_clock_minutes": 9.5}}`),
		parse(t, `{"key": "c", "timing": {"wall_clock_minutes": 9.5}}`),
		parse(t, `{"key": "d", "timing": {"wall_clock_minutes": "99"}}`),
	}
	for _, test := range []struct {
		current any
		earlier []*ordered.Value
		want    string
	}{
		{60, earlier("50", "50"), `{"baseline_avg_minutes":50,"current_minutes":60,"percent_over":20,"regressed":false,"compared_against":2,"slowest_phase":"b"}`},
		{61, earlier("50", "50"), `{"baseline_avg_minutes":50,"current_minutes":61,"percent_over":22,"regressed":true,"compared_against":2,"slowest_phase":"b"}`},
		{6, earlier("5", "5"), `{"baseline_avg_minutes":5,"current_minutes":6,"percent_over":20,"regressed":false,"compared_against":2,"slowest_phase":"b"}`},
		{35, earlier("40", "40"), `{"baseline_avg_minutes":40,"current_minutes":35,"percent_over":-12,"regressed":false,"compared_against":2,"slowest_phase":"b"}`},
		{10, earlier("1", "2"), `{"baseline_avg_minutes":2,"current_minutes":10,"percent_over":400,"regressed":true,"compared_against":2,"slowest_phase":"b"}`},
		{10, earlier("999", "1", "2", "3", "4", "5"), `{"baseline_avg_minutes":3,"current_minutes":10,"percent_over":233,"regressed":true,"compared_against":5,"slowest_phase":"b"}`},
		{10, earlier("0.3", "0.3"), ""}, // an average of 0
		{10, earlier("5", "0", "-3", `"7"`, "1e400"), ""},
		{0, earlier("5", "5"), ""},
		{nil, earlier("5", "5"), ""},
	} {
		c, ok := compare(parse(t, `{}`), metrics{duration: test.current}, slow, test.earlier)
		got := ""
		if ok {
			got = string(c.value().Compact())
		}
		assert.Equal(t, got, test.want)
	}
}
