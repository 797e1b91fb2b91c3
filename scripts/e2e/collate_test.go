package e2e

import (
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// Two events may have the same text: the answers go to the one that is nearer.
func TestCollate(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	const stop, start = `{"hook_event_name":"Stop"}`, `{"hook_event_name":"SessionStart"}`
	events, answers := collate([]run{
		{At: at(0), Event: start},
		{At: at(99), Event: stop, Program: "early", Exit: 2},
		{At: at(100), Event: stop},
		{At: at(500), Event: stop},
		{At: at(510), Event: stop, Program: "late", Stderr: "DISPATCHER_TIMING: 1 ms\nwarning\n"},
	})
	assert.Check(t, is.DeepEqual(events, []string{start, stop, stop}))
	assert.Check(t, is.DeepEqual(answers, []answer{
		{Line: 2, Event: "Stop", Program: "early", Exit: 2},
		{Line: 3, Event: "Stop", Program: "late", Stderr: "warning\n"},
	}))
}
