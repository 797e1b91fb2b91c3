// Package workflowcompletionenforcer completes the record of a workflow that has
// just ended, where the agent that ended it left out how it went, and prunes the
// state (spec 50 §4).
package workflowcompletionenforcer

import (
	"fmt"
	"time"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/completion"
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
	if !entry.IsObject() || completion.IsComplete(entry) || !isFresh(entry, c.Now()) {
		return hook.Allow()
	}
	complete(c, st, entry)
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

// isFresh tells whether an entry is young enough to be completed; one without a
// time is.
func isFresh(entry *ordered.Value, now time.Time) bool {
	end := completion.End(entry)
	if !end.Present() {
		return true
	}
	t, ok := completion.Time(end)
	return ok && now.Sub(t) <= fresh
}

// complete fills in the entry, the newest of the history, and prunes the state.
func complete(c *hook.Context, st *state.State, entry *ordered.Value) {
	result := completion.Complete(st.Object, entry, c.Now())
	if result.Regression != "" {
		c.Warn(result.Regression)
	}
	c.Log("self-heal", "", "", "")
	c.SelfHeal("", fmt.Sprintf("the ended workflow had no record of how it went: %d phase snapshots and the metrics were added to its history entry, and the state was pruned",
		result.Snapshots))
}
