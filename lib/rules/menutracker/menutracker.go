// Package menutracker counts the menus with which requirements are elicited, and
// notes what the user chose and which steps are done (spec 30 §3).
package menutracker

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

const requirements = "01-requirements"

// Hook is menu-tracker.
var Hook = &hook.Hook{
	Name:   "menu-tracker",
	Doc:    "track the elicitation menus of the requirements phase",
	Events: []claude.EventName{claude.PostToolUse},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	seen := detect(c.Event.ResultText() + " " + c.Event.Text("prompt"))
	if seen == (detection{}) {
		return hook.Allow()
	}
	st := c.State()
	if st.Workflow() == nil || st.CurrentPhase() != requirements || !st.Enforced() {
		return hook.Allow()
	}
	st.Touch()
	record := elicitation(st, c.Now())
	seen.enter(record, activity.Timestamp(c.Now()))
	if m := message(seen.selection, record); m != "" {
		c.Tell(m)
	}
	return hook.Allow()
}

// elicitation is the record of the elicitation in st, which is made where it is
// missing.
func elicitation(st *state.State, now time.Time) *ordered.Value {
	const name = "interactive_elicitation"
	phases := st.Object.Ensure("phases")
	if !phases.Get(requirements).IsObject() {
		phases.Set(requirements, ordered.NewObject("status", "in_progress"))
	}
	required := phases.Get(requirements).Ensure("iteration_requirements")
	if record := required.Get(name); record.IsObject() {
		return record
	}
	return required.Set(name, ordered.NewObject(
		"required", true,
		"completed", false,
		"menu_interactions", 0,
		"selections", ordered.NewArray(),
		"steps_completed", ordered.NewArray(),
		"started_at", activity.Timestamp(now),
	))
}

// enter writes what was detected into the record.
func (d detection) enter(record *ordered.Value, now string) {
	if d.menu {
		record.Set("menu_interactions", increased(record.Get("menu_interactions")))
		record.Set("last_menu_at", now)
	}
	if d.selection != "" {
		record.EnsureArray("selections").Append(ordered.NewObject("selection", d.selection, "timestamp", now))
		record.Set("last_selection", d.selection)
		record.Set("last_selection_at", now)
	}
	if d.selection == save || d.selection == exit {
		record.Set("completed", true)
		record.Set("final_selection", d.selection)
		record.Set("completed_at", now)
	}
	if d.step.number == 0 {
		return
	}
	done := record.EnsureArray("steps_completed")
	for _, s := range done.Items() {
		if s.Text() == d.step.name {
			return
		}
	}
	done.Append(d.step.name)
	record.Set("last_step_completed", ordered.NewObject("step", d.step.number, "name", d.step.name))
	record.Set("last_step_at", now)
}

// increased is a count and one more; what is no number counts as 0.
func increased(count *ordered.Value) any {
	if n, err := strconv.ParseInt(count.Literal(), 10, 64); err == nil && n < math.MaxInt64 {
		return n + 1
	}
	if f, ok := count.Float(); ok && !math.IsInf(f, 0) {
		return f + 1
	}
	return 1
}

// message is what the model is told of a selection, "" for nothing.
func message(selection string, record *ordered.Value) string {
	menus := record.Get("menu_interactions").Literal()
	if menus == "" {
		menus = "0"
	}
	switch selection {
	case save:
		return fmt.Sprintf("ELICITATION COMPLETED: the user chose save after %s menu interactions and %d completed steps.\n"+
			"The elicitation requirement of %s is satisfied. Next comes the constitutional validation of its artifacts.",
			menus, len(record.Get("steps_completed").Items()), requirements)
	case exit:
		return "ELICITATION ENDED: the user chose exit.\n" +
			"Verify that the requirements artifacts are complete before the phase goes on."
	case "continue":
		return fmt.Sprintf("The user chose to continue: go on to the next step of the elicitation (menu interactions so far: %s).", menus)
	}
	return ""
}
