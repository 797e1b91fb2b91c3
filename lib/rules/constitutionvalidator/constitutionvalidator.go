// Package constitutionvalidator lets nobody declare a phase complete whose work
// is not validated against the constitution, and starts the record of that
// validation (spec 20 §3).
package constitutionvalidator

import (
	"fmt"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/escalate"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

const name = "constitution-validator"

// Hook is constitution-validator.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block declaring a phase complete while its constitutional validation is open",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	if !declaresComplete(c.Call().Text()) {
		return hook.Allow()
	}
	if _, delegated := c.Delegation(); delegated {
		return hook.Allow()
	}
	st := c.State()
	if st == nil || !st.Enforced() || st.CurrentPhase() == "" {
		return hook.Allow()
	}
	key, renamed := phase.Resolve(st.CurrentPhase())
	if renamed != "" {
		c.SelfHeal("", renamed)
	}
	requirements := c.Requirements(key)
	if requirements == nil {
		c.SelfHeal("", fmt.Sprintf("no requirements are configured for phase %s, so its validation is not asked for", key))
		return hook.Allow()
	}
	required := requirements.Get("constitutional_validation")
	if !required.Get("enabled").IsTrue() || !required.Get("articles").IsArray() {
		return hook.Allow()
	}
	section := st.Phase(key).Get("constitutional_validation")
	open := judge(section)
	switch open {
	case "":
		return hook.Allow()
	case notStarted:
		track(st, key, required, activity.Timestamp(c.Now()))
	}
	reason := message(key, open, required, section)
	escalate.Add(st, escalate.Escalation{Type: "constitution_blocked", Hook: name, Phase: key, Detail: reason}, c.Now())
	return hook.Block(reason)
}

// What a validation that is open is called.
const (
	notStarted       = "not_started"
	inProgress       = "in_progress"
	escalatedPending = "escalated_pending"
	unknown          = "unknown"
)

// judge tells how far a validation is, "" where it is done: compliant, or
// escalated and approved by a person (spec 20 §3.2).
func judge(section *ordered.Value) string {
	if !section.IsObject() {
		return notStarted
	}
	status := section.Get("status").Text()
	if status == "iterating" || status == "pending" || !section.Get("completed").IsTrue() {
		return inProgress
	}
	switch status {
	case "compliant":
		return ""
	case "escalated":
		if section.Get("escalation_approved").IsTrue() {
			return ""
		}
		return escalatedPending
	}
	return unknown
}

const defaultIterations = 5

// track begins the record of the validation of the phase key (spec 20 §3.3).
func track(st *state.State, key string, required *ordered.Value, now string) {
	limit := required.Get("max_iterations")
	if !limit.Present() || limit.Kind() != ordered.Number {
		limit = ordered.Of(defaultIterations)
	}
	phases := st.Object.Ensure("phases")
	key = phase.Key(phases, key)
	if !phases.Get(key).IsObject() {
		phases.Set(key, ordered.NewObject("status", "in_progress"))
	}
	phases.Get(key).Set("constitutional_validation", ordered.NewObject(
		"required", true,
		"completed", false,
		"status", "pending",
		"iterations_used", 0,
		"max_iterations", limit,
		"articles_required", required.Get("articles"),
		"articles_checked", ordered.NewArray(),
		"violations_found", ordered.NewArray(),
		"history", ordered.NewArray(),
		"started_at", now,
	))
}
