package domain

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestMarkers(t *testing.T) {
	for _, test := range []struct {
		prompt string
		want   Markers
	}{
		{"", Markers{}},
		{"<!-- DES-VALIDATION: required -->", Markers{DESTask: true}},
		{"x <!--\u00a0DES-VALIDATION\n:\u2003required-->", Markers{DESTask: true}},
		{"<!-- <!-- DES-VALIDATION: required -->", Markers{DESTask: true}},
		{"<!-- DES-VALIDATION: requiredly -->", Markers{}},
		{"<!-- DES-VALIDATION: required --", Markers{}},
		{"<!-- DES-VALIDATION required -->", Markers{}},
		{"<!-- des-validation: required -->", Markers{}},
		{"<!-- DES-VALIDATION: optional --> <!-- DES-VALIDATION: required -->", Markers{DESTask: true}},
		{"<!-- DES-MODE: other --><!-- DES-MODE: orchestrator -->", Markers{Orchestrator: true}},
		{"<!-- DES-PROJECT-ID: a b --><!--DES-PROJECT-ID:c-->", Markers{ProjectID: "c"}},
		{"<!-- DES-PROJECT-ID: a-->b-->", Markers{ProjectID: "a-->b"}},
		{"<!-- DES-PROJECT-ID: a--->", Markers{ProjectID: "a-"}},
		{"<!-- DES-STEP-ID: --> -->", Markers{StepID: "-->"}},
		{"<!-- DES-STEP-ID: -->", Markers{}},
		{"<!-- DES-STEP-ID: é1 --><!-- DES-STEP-ID: 2 -->", Markers{StepID: "é1"}},
		{"<!-- DES-STEP-ID: " + strings.Repeat("a", maxID+1) + " -->", Markers{}},
	} {
		assert.Check(t, is.Equal(MarkerParser{}.Parse(test.prompt), test.want), "%.80s", test.prompt)
	}
}

func TestMaxTurns(t *testing.T) {
	number := func(s string) Value { return Value{Kind: Number, Text: s} }
	for _, test := range []struct {
		given Value
		tool  string
		want  Code
	}{
		{Value{}, "Task", MissingMaxTurns},
		{Value{}, "", MissingMaxTurns},
		{Value{}, "Agent", ""}, // today's client has no such parameter
		{Value{Kind: Null}, "Agent", MissingMaxTurns},
		{number("9"), "Agent", InvalidMaxTurns},
		{number("10"), "Task", ""},
		{number("100"), "Task", ""},
		{number("101"), "Task", InvalidMaxTurns},
		{number("-30"), "Task", InvalidMaxTurns},
		{number("30.0"), "Task", InvalidMaxTurns},
		{number("3e1"), "Task", InvalidMaxTurns},
		{number("3E1"), "Task", InvalidMaxTurns},
		{number("30000000000000000000000000"), "Task", InvalidMaxTurns},
		{Value{Kind: String, Text: "30"}, "Task", InvalidMaxTurns},
		{Value{Kind: Other}, "Task", InvalidMaxTurns},
	} {
		refusal := MaxTurns().Check(test.given, test.tool)
		if test.want == "" {
			assert.Check(t, refusal == nil, "%v %s", test.given, test.tool)
			continue
		}
		assert.Assert(t, refusal != nil, "%v %s", test.given, test.tool)
		assert.Check(t, is.Equal(refusal.Code, test.want), "%v %s", test.given, test.tool)
		for _, token := range []string{string(test.want), "max_turns", "10", "100", test.given.Text} {
			assert.Check(t, is.Contains(refusal.Reason, token))
		}
	}
}

// Lines in which a phase is named but not asked for.
func TestMentions(t *testing.T) {
	for line, want := range map[string]bool{
		"6. COMMIT": true, "COMMITTED": true, "commit": false,
		"the last (COMMIT) one": false, "COMMIT (last)": true, "(a) COMMIT": true, "(a) COMMIT (b)": false, "(COMMITTED)": true, ") COMMIT (": true,
		"no COMMIT": false, "No \t COMMIT": false, "nocommit, no COMMIT": false, "piano COMMIT": true, "no COMMITTED": true, "no, COMMIT": true,
		"without commit or COMMIT": false, "missing COMMIT": false, "dismissing COMMIT": true,
		"# MISSING: COMMIT": false, "# MISSING:COMMITTED": false, "MISSING: COMMIT": true,
	} {
		assert.Check(t, is.Equal(mentions(line, "COMMIT"), want), line)
	}
	for prompt, want := range map[string]bool{
		"all 7 phases listed": true, "ALL\n7\tphase PRESENT": true, "small 7 phases mentionedly": true,
		"all 7 phases are listed": false, "all7 phases listed": false, "all 8 phases listed": false, "all all 7 phases included": true,
	} {
		assert.Check(t, is.Equal(saysAllPhases(prompt), want), prompt)
	}
}

func TestLogEntries(t *testing.T) {
	for _, test := range []struct {
		content string
		want    []logEntry
	}{
		{"Phase GREEN status: EXECUTED\nMyPhase x  status:\ny", []logEntry{{"GREEN", "EXECUTED", "", ""}, {"x", "y", "", ""}}},
		{"Phase GREEN: status=EXECUTED, outcome=PASS", []logEntry{{"GREEN", "EXECUTED", "PASS", ""}}},
		{"Phase GREEN: status=EXECUTED, outcome=Null", []logEntry{{"GREEN", "EXECUTED", "", ""}}},
		{"Phase GREEN: status=SKIPPED, blocked_by= a b , c", []logEntry{{"GREEN", "SKIPPED", "", "a b"}}},
		{"Phase GREEN: status=SKIPPED, outcome=null, blocked_by=NULLIFIED", []logEntry{{"GREEN", "SKIPPED", "", ""}}},
		{"Phase GREEN: status=SKIPPED, blocked_by=a, outcome=PASS", []logEntry{{"GREEN", "SKIPPED", "", "a"}}},
		{"EXECUTED: GREEN, RED_UNIT\r\nREVIEW", []logEntry{{"GREEN", "EXECUTED", "", ""}, {"RED_UNIT", "EXECUTED", "", ""}}},
		{"EXECUTED: GREEN SKIPPED: REVIEW", []logEntry{{"GREEN", "EXECUTED", "", ""}, {"REVIEW", "SKIPPED", "", ""}}},
		{"EXECUTED: GREEN done", nil},
		{"EXECUTED: GREEN REVIEW", nil}, // no comma: not a name
		{"EXECUTED:GREEN", nil},
		{"NOT_EXECUTED: COMMIT", []logEntry{{"COMMIT", "EXECUTED", "", ""}, {"COMMIT", "NOT_EXECUTED", "", ""}}},
		{"EXECUTED: A\nEXECUTED: A, B\n#EXECUTED: C", []logEntry{{"A", "EXECUTED", "", ""}, {"B", "EXECUTED", "", ""}}},
	} {
		got := logEntries("# EXECUTION_LOG_ERRORS " + test.content)
		assert.Check(t, is.Len(got, len(test.want)), test.content)
		for i := range min(len(got), len(test.want)) {
			assert.Check(t, is.Equal(got[i], test.want[i]), test.content)
		}
	}
	assert.Check(t, is.Len(logEntries("# EXECUTION_LOG_OTHER EXECUTED: A"), 0))
	assert.Check(t, is.Len(logEntries("# EXECUTION_LOG_STATUS\n# EXECUTION_LOG_STATUS EXECUTED: A"), 0))
}

// The errors come in a fixed order: marker, sections, phases, log.
func TestPromptErrors(t *testing.T) {
	v := PromptValidator{Schema: TDD()}
	problems := v.Validate("<!-- DES-VALIDATION: optional -->\nPREPARE\n# EXECUTION_LOG_STATUS\nPhase GREEN status: IN_PROGRESS")
	var codes []string
	for _, p := range problems {
		code, _, _ := strings.Cut(p, ":")
		codes = append(codes, code)
	}
	assert.Equal(t, strings.Join(codes, " "), "INVALID_MARKER"+strings.Repeat(" MISSING", 8)+strings.Repeat(" INCOMPLETE", 5)+" INVALID INCOMPLETE INCOMPLETE")
	for i, token := range []string{"optional", "DES_METADATA"} {
		assert.Check(t, is.Contains(problems[i], token))
	}
	assert.Check(t, is.Contains(problems[len(problems)-2], "COMMIT, PREPARE, RED_ACCEPTANCE"))
}

// What a prompt costs grows with its length, not with the square of it: a hook
// that the client gives up waiting for blocks nothing.
func BenchmarkHostilePrompts(b *testing.B) {
	for _, unit := range []string{"<!--DES-STEP-ID:", "all 7 ", "Phase x: status=EXECUTED, outcome=", "EXECUTED: A,", "no GREENx ", "(GREEN", "# MISSING:"} {
		b.Run(unit, func(b *testing.B) {
			prompt := "# EXECUTION_LOG_STATUS " + strings.Repeat(unit, (1<<20)/len(unit))
			b.SetBytes(int64(len(prompt)))
			for b.Loop() {
				MarkerParser{}.Parse(prompt)
				PromptValidator{Schema: TDD()}.Validate(prompt)
			}
		})
	}
}

// Whatever the prompt, it is judged, and markers agree with the check of them.
func FuzzPrompt(f *testing.F) {
	for _, seed := range []string{
		"<!-- DES-VALIDATION: required --><!-- DES-MODE: orchestrator --><!--DES-PROJECT-ID:a-->",
		"# EXECUTION_LOG_STATUS\nEXECUTED: A, B\nPhase C: status=SKIPPED, blocked_by=d", "(no COMMIT) # MISSING: \xff", "all 7 phases listed",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		m := MarkerParser{}.Parse(prompt)
		problems := PromptValidator{Schema: TDD()}.Validate(prompt)
		if m.DESTask && !strings.Contains(prompt, "# DES_METADATA") {
			assert.Assert(t, len(problems) > 0)
		}
		assert.Assert(t, !strings.ContainsAny(m.ProjectID+m.StepID, " \t\n"))
	})
}
