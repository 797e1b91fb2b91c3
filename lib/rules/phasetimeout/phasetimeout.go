// Package phasetimeout tells when a phase has taken longer than its limit. It is
// no hook of its own: a dispatcher asks it before its checks (spec 10 §1.8).
package phasetimeout

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
)

// Advise warns when the current phase is over its limit, and hints at what could
// be left out to get it done.
func Advise(c *hook.Context) {
	st := c.State()
	key := st.CurrentPhase()
	if key == "" {
		return
	}
	limit, ok := limitOf(c.Requirements(key))
	if !ok {
		return
	}
	start, ok := startOf(st.Phase(key))
	if !ok {
		return
	}
	elapsed := math.Floor(c.Now().Sub(start).Minutes() + 0.5)
	if elapsed <= limit {
		return
	}
	minutes, allowed := decimal(elapsed), decimal(limit)
	fact := fmt.Sprintf("phase %s has taken %s minutes of %s", key, minutes, allowed)
	c.Warn("Phase timeout: " + fact)
	hint := ordered.NewObject(
		"type", "timeout_degradation",
		"phase", key,
		"elapsed", elapsed,
		"limit", limit,
		"actions", []string{"reduce_debate_rounds", "reduce_parallelism", "skip_optional_steps"},
	)
	c.Warn("DEGRADATION_HINT: " + string(hint.Compact()))
	c.Log("timeout_warning", key, "", fact)
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// limitOf is how many minutes a phase may take, which not every phase tells.
func limitOf(required *ordered.Value) (float64, bool) {
	for _, v := range []*ordered.Value{
		required.Get("interactive_elicitation", "timeout_minutes"),
		required.Get("timeout_minutes"),
	} {
		if minutes, ok := v.Float(); ok && minutes != 0 {
			return minutes, true
		}
	}
	return 0, false
}

// startOf is when a phase began: the first of these fields that is there (with
// spec 05 C.7).
func startOf(record *ordered.Value) (time.Time, bool) {
	requirements := record.Get("iteration_requirements")
	for _, v := range []*ordered.Value{
		record.Get("started_at"),
		requirements.Get("test_iteration", "started_at"),
		requirements.Get("interactive_elicitation", "started_at"),
		record.Get("timing", "started_at"),
		record.Get("started"),
	} {
		if v.Present() {
			return state.Time(v)
		}
	}
	return time.Time{}, false
}
