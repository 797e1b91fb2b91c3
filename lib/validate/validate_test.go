package validate

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func parse(t *testing.T, s string) *ordered.Value {
	t.Helper()
	if s == "" {
		return nil
	}
	v, err := ordered.Parse([]byte(s))
	assert.NilError(t, err, s)
	return v
}

func TestLess(t *testing.T) {
	for _, test := range []struct {
		x, y string
		want bool
	}{
		{`1`, `2`, true},
		{`2`, `2`, false},
		{`"10"`, `"9"`, true}, // texts
		{`"10"`, `9`, false},
		{`"😀"`, `"\uffee"`, true}, // by code units, not by code points
		{`""`, `1`, true},
		{`" \ufeff7\n"`, `8`, true},
		{`"0x10"`, `17`, true},
		{`"0x10"`, `16`, false},
		{`"0x"`, `1`, false},
		{`"1e1"`, `11`, true},
		{`".5"`, `1`, true},
		{`"1_0"`, `11`, false},
		{`"-Infinity"`, `1`, false},
		{`"0x1p1"`, `9`, false},
		{`"nan"`, `9`, false},
		{`"1 2"`, `99`, false},
		{`null`, `1`, true},
		{``, `1`, true},
		{`false`, `1`, true},
		{`true`, `1`, false},
		{`[]`, `1`, true},
		{`[3]`, `4`, true},
		{`["3"]`, `4`, true},
		{`[[3]]`, `4`, true},
		{`[null]`, `1`, true},
		{`[1, 2]`, `9`, false},
		{`{}`, `1`, false},
		{`1`, `{}`, false},
		{`1`, `1e400`, true},
	} {
		assert.Check(t, Less(parse(t, test.x), parse(t, test.y)) == test.want, "%s < %s", test.x, test.y)
	}
}

// rules lists the rules of findings.
func rules(found []Finding) string {
	s := ""
	for _, f := range found {
		s += f.Rule + " "
	}
	return s
}

func TestProgress(t *testing.T) {
	for doc, want := range map[string]string{
		`{"active_workflow": {"current_phase": "06-implementation"}, "phases": {"06-implementation": {"status": "pending"}}}`:                  "V4 ",
		`{"active_workflow": {"current_phase": "13-test-deploy"}, "phases": {"12-test-deploy": {"status": "pending"}}}`:                        "V4 ",
		`{"active_workflow": {"current_phase": "12-test-deploy", "phase_status": {"13-test-deploy": "pending"}}}`:                              "V4 ",
		`{"active_workflow": {}, "current_phase": "06-implementation", "phases": {"06-implementation": {"status": "pending"}}}`:                "V4 ",
		`{"active_workflow": null, "current_phase": "06-implementation", "phases": {"06-implementation": {"status": "pending"}}}`:              "",
		`{"active_workflow": {"current_phase": "06-implementation"}, "phases": {"06-implementation": {"status": "in_progress"}}}`:              "",
		`{"active_agent": "qa-engineer", "active_workflow": {"current_phase": "06-implementation"}}`:                                           "V5 ",
		`{"active_agent": "05-Software_Developer ", "active_workflow": {"current_phase": "06-implementation"}}`:                                "",
		`{"active_agent": "deployment-engineer-staging", "active_workflow": {"current_phase": "13-test-deploy"}}`:                              "",
		`{"active_agent": "quick-scan-agent", "active_workflow": {"current_phase": "00-quick-scan"}}`:                                          "", // the table has no agent
		`{"active_agent": 5, "active_workflow": {"current_phase": "06-implementation"}}`:                                                       "",
		`{"active_agent": "sre", "active_workflow": {"current_phase": "06-implementation", "phase_status": {"06-implementation": "pending"}}}`: "V4 V5 ",
		`[]`: "",
	} {
		assert.Equal(t, rules(Progress(parse(t, doc))), want, doc)
	}
}

func TestProtected(t *testing.T) {
	for _, test := range []struct{ disk, incoming, want string }{
		{`{"iteration_config": {"testing_max": 5}}`, `{"iteration_config": {"testing_max": 50}}`, "V6 "},
		{`{"iteration_config": {"testing_max": 5}}`, `{"iteration_config": {"testing_max": 5.0}}`, ""},
		{`{"iteration_config": {"circuit_breaker_threshold": 3}}`, `{}`, "V6 "},
		{`{}`, `{"iteration_config": {"testing_max": 50}}`, "V6 "},
		{`{}`, `{"iteration_enforcement": {"enabled": true}}`, ""},
		{`{}`, `{"iteration_enforcement": {"enabled": false}}`, "V6 "},
		{`{"iteration_enforcement": {"enabled": true}}`, `{"iteration_enforcement": null}`, "V6 "},
		{`{"chat_explore_active": true}`, `{"chat_explore_active": false}`, "V6 "},
		{`{"chat_explore_active": true}`, `{}`, "V6 "},
		{`{"chat_explore_active": false}`, `{"chat_explore_active": true}`, ""},
		{`{"phases": {"p": {"gate_validation": {"status": "blocked"}}}}`, `{"phases": {"p": {"gate_validation": {"status": "Passed"}}}}`, "V6 "},
		{`{}`, `{"phases": {"p": {"gate_validation": {"status": "passed"}}}}`, "V6 "},
		{`{"phases": {"p": {"gate_validation": {"status": "blocked"}}}}`, `{"phases": {"p": {}}}`, ""},
		{`{"phases": {"12-test-deploy": {"gate_validation": {"status": "passed"}}}}`, `{"phases": {"13-test-deploy": {"gate_validation": {"status": "passed"}}}}`, ""},
		{`{"iteration_config": {"testing_max": 5}}`, `[]`, ""},
		{``, `{"iteration_config": {"testing_max": 5}}`, ""},
	} {
		assert.Equal(t, rules(Protected(parse(t, test.incoming), parse(t, test.disk))), test.want, "%s to %s", test.disk, test.incoming)
	}
}

// An alias and its canonical key are one phase, but for V8 (spec 05 B.3).
func TestAliases(t *testing.T) {
	doc := parse(t, `{
		"current_phase": "13-test-deploy",
		"active_workflow": {
			"current_phase": "12-test-deploy", "phases": ["01-requirements", "13-test-deploy"], "current_phase_index": 1,
			"phase_status": {"12-test-deploy": "pending"}},
		"phases": {"13-test-deploy": {"status": "completed"}}}`)
	assert.Equal(t, rules(Consistency(doc)), "V9-A ")
	was := parse(t, `{"active_workflow": {"phase_status": {"13-test-deploy": "completed"}}}`)
	back, _ := Regression(doc, was)
	assert.Assert(t, back == nil)
}
