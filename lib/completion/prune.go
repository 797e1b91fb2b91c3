package completion

import (
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

const (
	keepSkills    = 20
	keepHistory   = 50
	keepWorkflows = 50
	maxText       = 200 // UTF-16 code units of an action or a description
)

// done are the parts of a phase that nobody needs once it is over.
var done = [...]string{
	"iteration_requirements", "constitutional_validation", "gate_validation",
	"testing_environment", "verification_summary", "atdd_validation",
}

// Prune takes out of a state what has served its purpose (spec 50 §4.6). What is
// not of the type that it should be stays.
func Prune(doc *ordered.Value, now time.Time) {
	doc.Get("skill_usage_log").KeepLast(keepSkills)
	for _, m := range doc.Get("phases").Members() {
		record := m.Value
		if !record.IsObject() || record.Get("status").Text() != "completed" && !record.Get("gate_passed").Present() {
			continue
		}
		for _, field := range done {
			record.Delete(field)
		}
		record.Set("_pruned_at", activity.Timestamp(now))
	}
	history := doc.Get("history")
	history.KeepLast(keepHistory)
	for _, item := range history.Items() {
		shorten(item, "action")
	}
	workflows := doc.Get("workflow_history")
	workflows.KeepLast(keepWorkflows)
	for _, item := range workflows.Items() {
		shorten(item, "description")
		if branch := item.Get("git_branch"); branch.IsObject() {
			slim := ordered.NewObject()
			if name := branch.Get("name"); name != nil {
				slim.Set("name", name)
			}
			item.Set("git_branch", slim)
		}
	}
}

// shorten cuts a text in a field that is too long.
func shorten(item *ordered.Value, field string) {
	if s := item.Get(field).Text(); text.Units(s) > maxText {
		item.Set(field, text.Cut(s, maxText)+"...")
	}
}
