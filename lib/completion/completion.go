// Package completion makes the record of a workflow that has ended: how its
// phases went, what they sum up to, how that compares with earlier ones, and a
// state without what has served its purpose (spec 50 §4.2 to §4.6). It works on
// values alone.
package completion

import (
	"math"
	"time"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

// A Result is what completing an entry came to.
type Result struct {
	Snapshots  int
	Regression string // a notice for the person where the workflow took too long, else ""
}

// Complete fills in entry, the newest of the workflow_history of doc, ends the
// active workflow and prunes doc.
func Complete(doc, entry *ordered.Value, now time.Time) Result {
	keys := phasesOf(entry, doc.Get("phases"))
	snapshots, m := []*ordered.Value{}, metrics{}
	if doc.Get("phases").Present() {
		snapshots = snapshotsOf(doc, keys)
		m = measure(entry, len(keys), snapshots)
	}
	entry.Set("phase_snapshots", snapshots)
	entry.Set("metrics", m.value())
	result := Result{Snapshots: len(snapshots)}
	if c, ok := compare(entry, m, snapshots, before(doc, entry)); ok {
		entry.Set("regression_check", c.value())
		if c.regressed() {
			result.Regression = c.notice()
		}
	}
	doc.Set("active_workflow", nil)
	Prune(doc, now)
	return result
}

// before lists the entries of the history of doc that are older than entry.
func before(doc, entry *ordered.Value) []*ordered.Value {
	workflows := doc.Get("workflow_history").Items()
	for i, w := range workflows {
		if w == entry {
			return workflows[:i]
		}
	}
	return workflows
}

// IsComplete tells whether an entry says how its workflow went.
func IsComplete(entry *ordered.Value) bool {
	metrics := entry.Get("metrics")
	return entry.Get("phase_snapshots").IsArray() && len(metrics.Members())+len(metrics.Items()) > 0
}

// End is the time at which a workflow ended, one way or another.
func End(entry *ordered.Value) *ordered.Value {
	if t := entry.Get("completed_at"); t.Present() {
		return t
	}
	return entry.Get("cancelled_at")
}

// Time reads a time as text, or as a number of milliseconds since 1970.
func Time(v *ordered.Value) (time.Time, bool) {
	if ms, ok := v.Float(); ok {
		return time.UnixMilli(int64(ms)), math.Abs(ms) <= 8.64e15
	}
	return state.Time(v)
}

// phasesOf lists the phases of a workflow: those of its entry, else all that the
// state knows (spec 50 §4.2).
func phasesOf(entry, phases *ordered.Value) []string {
	var keys []string
	for _, item := range entry.Get("phases").Items() {
		keys = append(keys, item.Text())
	}
	if keys == nil {
		for _, m := range phases.Members() {
			keys = append(keys, m.Name)
		}
	}
	return keys
}
