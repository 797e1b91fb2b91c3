package domain

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

var done = []string{
	"PREPARE|EXECUTED|PASS", "RED_ACCEPTANCE|EXECUTED|FAIL", "RED_UNIT|EXECUTED|FAIL", "GREEN|EXECUTED|PASS",
	"REVIEW|EXECUTED|PASS", "REFACTOR_CONTINUOUS|EXECUTED|PASS", "COMMIT|EXECUTED|PASS",
}

func events(lines ...string) (list []PhaseEvent) {
	for _, line := range lines {
		e, _ := PhaseEventParser{}.Parse("01-01|" + line + "|")
		list = append(list, e)
	}
	return list
}

func TestCompletion(t *testing.T) {
	v := StepCompletionValidator{Schema: TDD()}
	for _, test := range []struct {
		what             string
		events           []string // after a complete step, of which without is taken out
		without          string
		code             Code
		missing, invalid string
		reason           []string
		recovery         []string
	}{
		{what: "all done"},
		{what: "the last event counts", events: []string{"GREEN|EXECUTED|odd", "GREEN|SKIPPED|NOT_APPLICABLE:"}},
		{what: "other phases do not count", events: []string{"DEPLOY|odd|odd"}},
		{what: "one is missing", without: "REVIEW", code: AbandonedPhase, missing: "REVIEW",
			reason: []string{"Missing phases: REVIEW"}, recovery: []string{"Resume", "REVIEW", "step_id|phase|status|data|timestamp"}},
		{what: "an outcome that is none", events: []string{"GREEN|EXECUTED|pass"}, code: IncompletePhase, invalid: "GREEN",
			reason: []string{"GREEN", "Invalid outcome", "'pass'", "PASS", "FAIL"}, recovery: []string{"execution-log.yaml", "PASS or FAIL"}},
		{what: "the terminal phase failed", events: []string{"COMMIT|EXECUTED|FAIL"}, code: IncompletePhase, invalid: "COMMIT", reason: []string{"COMMIT", "Terminal", "PASS"}},
		{what: "the terminal phase was skipped", events: []string{"COMMIT|SKIPPED|APPROVED_SKIP: x"}, code: IncompletePhase, invalid: "COMMIT", reason: []string{"COMMIT", "Terminal", "PASS"}},
		{what: "the terminal phase was put off", events: []string{"COMMIT|SKIPPED|DEFERRED: x"}, code: InvalidSkip, invalid: "COMMIT", reason: []string{"skip reason", "DEFERRED", "blocks"}},
		{what: "a skip without a prefix", events: []string{"REVIEW|SKIPPED| NOT_APPLICABLE: x"}, code: InvalidSkip, invalid: "REVIEW",
			reason: []string{"skip reason", "' NOT_APPLICABLE: x'", "CHECKPOINT_PENDING:"}, recovery: []string{"SKIPPED needs", "BLOCKED_BY_DEPENDENCY:"}},
		{what: "in progress, with an outcome", events: []string{"GREEN|IN_PROGRESS|PASS"}, code: IncompletePhase, invalid: "GREEN", reason: []string{"GREEN", "IN_PROGRESS"}},
		{what: "not executed", events: []string{"GREEN|NOT_EXECUTED|"}, code: IncompletePhase, invalid: "GREEN", reason: []string{"GREEN", "NOT_EXECUTED"}},
		{what: "a status that is none", events: []string{"GREEN|executed|PASS"}, code: MultipleErrors, invalid: "GREEN", reason: []string{"Invalid status", "'executed'"}},
		{what: "a status that is none takes no part", without: "COMMIT", events: []string{"GREEN|executed|PASS"}, code: AbandonedPhase, missing: "COMMIT", invalid: "GREEN"},
		{what: "two incomplete ones", events: []string{"GREEN|EXECUTED|", "COMMIT|IN_PROGRESS|"}, code: IncompletePhase, invalid: "GREEN COMMIT"},
		{what: "missing and incomplete", without: "REVIEW", events: []string{"GREEN|EXECUTED|"}, code: MultipleErrors, missing: "REVIEW", invalid: "GREEN"},
		{what: "missing and skipped", without: "REVIEW", events: []string{"GREEN|SKIPPED|"}, code: MultipleErrors, missing: "REVIEW", invalid: "GREEN"},
		{what: "incomplete and skipped, in the order of the schema", events: []string{"COMMIT|EXECUTED|FAIL", "PREPARE|SKIPPED|x"}, code: MultipleErrors, invalid: "PREPARE COMMIT"},
	} {
		var lines []string
		for _, line := range done {
			if test.without == "" || !strings.HasPrefix(line, test.without+"|") {
				lines = append(lines, line)
			}
		}
		f := v.Validate(events(append(lines, test.events...)...))
		if test.code == "" {
			assert.Check(t, f == nil, "%s: %v", test.what, f)
			continue
		}
		assert.Assert(t, f != nil, test.what)
		assert.Check(t, is.Equal(f.Code, test.code), test.what)
		assert.Check(t, is.Equal(strings.Join(f.Missing, " "), test.missing), test.what)
		assert.Check(t, is.Equal(strings.Join(f.Invalid, " "), test.invalid), test.what)
		assert.Check(t, f.Completion, test.what)
		assert.Check(t, is.Equal(len(f.Messages), len(f.Invalid)+min(len(f.Missing), 1)), test.what)
		for _, token := range append(test.reason, string(test.code)) {
			assert.Check(t, is.Contains(f.Reason(), token), test.what)
		}
		for _, token := range append(test.recovery, "execution-log.yaml") {
			assert.Check(t, is.Contains(strings.Join(f.Recovery, "\n"), token), test.what)
		}
	}
}

func TestSilentCompletion(t *testing.T) {
	v := StepCompletionValidator{Schema: TDD()}
	f := v.Validate(nil)
	assert.Equal(t, f.Code, SilentCompletion)
	assert.DeepEqual(t, f.Missing, TDD().Phases)
	assert.Check(t, is.Contains(strings.Join(f.Recovery, "\n"), "transcript"))
	f.Missing[0] = "changed"
	assert.Equal(t, v.Schema.Phases[0], "PREPARE")

	f = v.Validate(events("DEPLOY|EXECUTED|PASS"))
	assert.Equal(t, f.Code, AbandonedPhase)
	assert.Equal(t, len(f.Missing), 7)
}

func TestPhaseEvent(t *testing.T) {
	for line, want := range map[string]PhaseEvent{
		"01|GREEN|EXECUTED|PASS|now":             {"01", "GREEN", "EXECUTED", "PASS"},
		"01|GREEN|EXECUTED|PASS|":                {"01", "GREEN", "EXECUTED", "PASS"},
		" 01 | GREEN|x| y |t|and|more":           {" 01 ", " GREEN", "x", " y "},
		"01|GREEN|SKIPPED|NOT_APPLICABLE: a|b|t": {"01", "GREEN", "SKIPPED", "NOT_APPLICABLE: a"},
		"||||":                                   {},
	} {
		e, ok := PhaseEventParser{}.Parse(line)
		assert.Check(t, ok, line)
		assert.Check(t, is.Equal(e, want), line)
	}
	for _, line := range []string{"", "01|GREEN|EXECUTED|PASS", "|||"} {
		_, ok := PhaseEventParser{}.Parse(line)
		assert.Check(t, !ok, line)
	}
}

func TestSafeID(t *testing.T) {
	for id, want := range map[string]bool{
		"audit-log-refactor": true, "01-01": true, "v1.2": true, "日本": true,
		"..": false, "a/b": false, `a\b`: false, "/etc": false, "a..b": false, "a\x00b": false,
	} {
		assert.Check(t, is.Equal(SafeID(id), want), "%q", id)
	}
}

func TestOutOfScope(t *testing.T) {
	files := []string{"README.md", "src/a.go", "docs/a/b.md", "Makefile", `"src/\303\251.go"`}
	assert.DeepEqual(t, OutOfScope(files, AllowedPatterns()), []string{"README.md", "Makefile"})
	assert.DeepEqual(t, OutOfScope(files, []string{"src/*", "*.md"}), []string{"Makefile", `"src/\303\251.go"`})
	assert.DeepEqual(t, OutOfScope(files[:1], nil), files[:1])
	assert.DeepEqual(t, OutOfScope(files[:1], []string{"["}), files[:1])
}
