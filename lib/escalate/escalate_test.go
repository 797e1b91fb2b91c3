package escalate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

var (
	now = time.Date(2026, 2, 20, 8, 22, 22, 123_000_000, time.UTC)
	one = Escalation{Type: "gate_blocked", Hook: "gate-blocker", Phase: "12-test-deploy", Detail: "why"}
)

func add(t *testing.T, list string) *ordered.Value {
	t.Helper()
	root, err := ordered.Parse([]byte(`{"pending_escalations":` + list + `}`))
	assert.NilError(t, err)
	st := &state.State{Object: root}
	Add(st, one, now)
	assert.Assert(t, st.Changed(), "the state is written in any case")
	return root.Get("pending_escalations")
}

const written = `{"type":"gate_blocked","hook":"gate-blocker","phase":"12-test-deploy","detail":"why","timestamp":"2026-02-20T08:22:22.123Z"}`

func TestAdd(t *testing.T) {
	same := `{"type":"gate_blocked","hook":"gate-blocker","phase":"%s","timestamp":%s}`
	for _, test := range []struct {
		name, list string
		added      bool
	}{
		{"no list", `null`, true},
		{"something else", `{"a":1}`, true},
		{"an empty list", `[]`, true},
		{"the same 59 seconds ago", fmt.Sprintf("["+same+"]", "12-test-deploy", `"2026-02-20T08:21:23.124Z"`), false},
		{"the same 60 seconds ago", fmt.Sprintf("["+same+"]", "12-test-deploy", `"2026-02-20T08:21:22.123Z"`), true},
		{"the same in the future", fmt.Sprintf("["+same+"]", "12-test-deploy", `"2027-01-01"`), false},
		{"the same under the alias", fmt.Sprintf("["+same+"]", "13-test-deploy", `"2026-02-20T08:22:00Z"`), false},
		{"another phase", fmt.Sprintf("["+same+"]", "06-implementation", `"2026-02-20T08:22:00Z"`), true},
		{"no time", fmt.Sprintf("["+same+"]", "12-test-deploy", `"soon"`), true},
		{"bad entries", `[null,7,"x",[]]`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := add(t, test.list).Items()
			got := len(list) > 0 && string(list[len(list)-1].Compact()) == written
			assert.Equal(t, got, test.added)
		})
	}
}

func TestTheNewestStay(t *testing.T) {
	list := add(t, "["+strings.Repeat(`{"type":"x"},`, 24)+`{"type":"last"}]`).Items()
	assert.Equal(t, len(list), Keep)
	assert.Equal(t, list[Keep-2].Get("type").Text(), "last")
	assert.Equal(t, string(list[Keep-1].Compact()), written)
}
