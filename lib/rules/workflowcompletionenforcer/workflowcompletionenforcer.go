// Package workflowcompletionenforcer completes the record of a workflow that has
// just ended, where the agent that ended it left out how it went, and prunes the
// state (spec 50 §4).
package workflowcompletionenforcer

import (
	"fmt"
	"math"
	"time"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/state"
)

// Hook is workflow-completion-enforcer.
var Hook = &hook.Hook{
	Name:   "workflow-completion-enforcer",
	Doc:    "complete the history entry of a workflow that has ended, and prune the state",
	Events: []claude.EventName{claude.PostToolUse},
	Tools:  []claude.Tool{claude.Write, claude.Edit},
	Run:    run,
}

// fresh is how long after its end the entry of a workflow is still completed.
const fresh = 120 * time.Second

func run(c *hook.Context) hook.Decision {
	if !project.IsStateFile(writtenPath(c)) {
		return hook.Allow()
	}
	st := Written(c)
	if st == nil || st.Get("active_workflow").Present() {
		return hook.Allow()
	}
	workflows := st.Get("workflow_history").Items()
	if len(workflows) == 0 {
		return hook.Allow()
	}
	entry := workflows[len(workflows)-1]
	if !entry.IsObject() || isComplete(entry) || !isFresh(entry, c.Now()) {
		return hook.Allow()
	}
	complete(c, st, entry, workflows[:len(workflows)-1])
	return hook.Allow()
}

func writtenPath(c *hook.Context) string { return c.Event.FirstText("file_path", "filePath") }

// Written is the state of the project whose state file the event is about, and
// of the active project where it is about another file (spec 05 F.4). It is nil
// where there is no such state.
func Written(c *hook.Context) *state.State {
	path := writtenPath(c)
	if !project.IsStateFile(path) {
		return c.State()
	}
	file := c.Project().StateFile(path)
	if file == "" {
		return nil
	}
	return c.StateAt(file)
}

// isComplete tells whether an entry says how its workflow went.
func isComplete(entry *ordered.Value) bool {
	metrics := entry.Get("metrics")
	return entry.Get("phase_snapshots").IsArray() && len(metrics.Members())+len(metrics.Items()) > 0
}

// isFresh tells whether an entry is young enough to be completed; one without a
// time is.
func isFresh(entry *ordered.Value, now time.Time) bool {
	end := endOf(entry)
	if !end.Present() {
		return true
	}
	t, ok := readTime(end)
	return ok && now.Sub(t) <= fresh
}

// endOf is the time at which a workflow ended, one way or another.
func endOf(entry *ordered.Value) *ordered.Value {
	if t := entry.Get("completed_at"); t.Present() {
		return t
	}
	return entry.Get("cancelled_at")
}

// readTime reads a time as text, or as a number of milliseconds since 1970.
func readTime(v *ordered.Value) (time.Time, bool) {
	if ms, ok := v.Float(); ok {
		return time.UnixMilli(int64(ms)), math.Abs(ms) <= 8.64e15
	}
	return state.Time(v)
}

// complete fills in the entry, the newest of the history after earlier, and
// prunes the state.
func complete(c *hook.Context, st *state.State, entry *ordered.Value, earlier []*ordered.Value) {
	keys := phasesOf(entry, st.Get("phases"))
	snapshots, m := []*ordered.Value{}, metrics{}
	if st.Get("phases").Present() {
		snapshots = snapshotsOf(st.Object, keys)
		m = measure(entry, len(keys), snapshots)
	}
	entry.Set("phase_snapshots", snapshots)
	entry.Set("metrics", m.value())
	if r, ok := compare(entry, m, snapshots, earlier); ok {
		entry.Set("regression_check", r.value())
		if r.regressed() {
			c.Warn(r.notice())
		}
	}
	st.Object.Set("active_workflow", nil)
	prune(st.Object, c.Now())
	c.Log("self-heal", "", "", "")
	c.SelfHeal("", fmt.Sprintf("the ended workflow had no record of how it went: %d phase snapshots and the metrics were added to its history entry, and the state was pruned",
		len(snapshots)))
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
