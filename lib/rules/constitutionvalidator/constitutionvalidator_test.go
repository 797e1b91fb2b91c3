package constitutionvalidator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

func parse(t *testing.T, text string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(text))
	assert.NilError(t, err)
	return v
}

func TestDeclaresComplete(t *testing.T) {
	for s, want := range map[string]bool{
		"the phase is complete":             false,
		"phase complete":                    true,
		"multiphase\u00a0completely":        true,
		"Phase 03 complete":                 true,
		"phase x, PHASE\t3\r\ncomplete":     true,
		"phase3 complete":                   false,
		"phase 3complete":                   false,
		"phase 03a complete":                false,
		"phase ٣ complete":                  false,
		"phase 1 phase 22 completed":        true,
		"ready  for gate":                   true,
		"mark it as complete":               false,
		"testing complete":                  true,
		"testing complete, initial version": false, // holds init
		"":                                  false,
	} {
		assert.Equal(t, declaresComplete(s), want, "%q", s)
	}
}

func TestJudge(t *testing.T) {
	assert.Equal(t, judge(nil), notStarted)
	for section, want := range map[string]string{
		`null`:                                  notStarted,
		`[]`:                                    notStarted,
		`{}`:                                    inProgress,
		`{"completed":true,"status":"pending"}`: inProgress,
		`{"completed":"true","status":"compliant"}`:                               inProgress,
		`{"completed":false,"status":"compliant"}`:                                inProgress,
		`{"completed":true,"status":"compliant"}`:                                 "",
		`{"completed":true,"status":"Compliant"}`:                                 unknown,
		`{"completed":true}`:                                                      unknown,
		`{"completed":true,"status":"escalated"}`:                                 escalatedPending,
		`{"completed":true,"status":"escalated","escalation_approved":"yes"}`:     escalatedPending,
		`{"completed":true,"status":"escalated","escalation_approved":true}`:      "",
		`{"completed":false,"status":"escalated","escalation_approved":true}`:     inProgress,
		`{"completed":true,"status":"compliant","violations_found":["III"]}`:      "",
		`{"completed":true,"status":"iterating","escalation_approved":true}`:      inProgress,
		`{"completed":true,"status":"not_required","escalation_approved":"true"}`: unknown,
	} {
		assert.Equal(t, judge(parse(t, section)), want, section)
	}
}

func TestTrackWritesUnderTheKeyThatIsThere(t *testing.T) {
	required := parse(t, `{"articles":["I"],"max_iterations":"many"}`)
	for before, prefix := range map[string]string{
		`{}`:              `{"phases":{"12-test-deploy":{"status":"in_progress","constitutional_validation":{`,
		`{"phases":null}`: `{"phases":{"12-test-deploy":{"status":"in_progress","constitutional_validation":{`,
		`{"phases":{"13-test-deploy":{"status":"x","constitutional_validation":null,"z":1}},"a":1}`: `{"phases":{"13-test-deploy":{"status":"x","constitutional_validation":{`,
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		assert.NilError(t, os.WriteFile(path, []byte(before), 0o644))
		st := state.Load(path).State
		track(st, "12-test-deploy", required, "now")
		got := string(st.Object.Compact())
		assert.Assert(t, strings.HasPrefix(got, prefix+`"required":true,"completed":false,"status":"pending","iterations_used":0,"max_iterations":5,"articles_required":["I"],`), got)
	}
}

func TestMessageCountsBelowZero(t *testing.T) {
	got := message("06-implementation", inProgress, parse(t, `{"articles":["XIII","III"],"max_iterations":5}`), parse(t, `{"iterations_used":7}`))
	for _, want := range []string{"7/5", "-2 left", "Article XIII\n", "Article III: Security by Design"} {
		assert.Assert(t, cmp.Contains(got, want))
	}
}
