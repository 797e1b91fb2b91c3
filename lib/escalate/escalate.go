// Package escalate keeps the list of things that a person should look at:
// pending_escalations of the state (spec 10 §1.7).
package escalate

import (
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

const (
	// Window is how long the same escalation is not repeated.
	Window = time.Minute
	// Keep is how many of the newest escalations stay.
	Keep = 20
)

// An Escalation says which hook stopped what, and why.
type Escalation struct {
	Type   string
	Hook   string
	Phase  string // canonical key
	Detail string
}

// Add appends e to the pending escalations, unless one of the same hook, phase
// and type is less than [Window] old. The state is written in any case.
func Add(s *state.State, e Escalation, now time.Time) {
	s.Touch()
	list := s.Object.EnsureArray("pending_escalations")
	for _, old := range list.Items() {
		if old.Get("hook").Text() != e.Hook || !phase.Same(old.Get("phase").Text(), e.Phase) || old.Get("type").Text() != e.Type {
			continue
		}
		if t, ok := state.Time(old.Get("timestamp")); ok && now.Sub(t) < Window {
			return
		}
	}
	list.Append(ordered.NewObject(
		"type", e.Type,
		"hook", e.Hook,
		"phase", e.Phase,
		"detail", e.Detail,
		"timestamp", activity.Timestamp(now),
	))
	list.KeepLast(Keep)
}
