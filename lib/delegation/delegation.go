// Package delegation knows the marker that a loaded command leaves in the state
// until its work was handed to an orchestrator (spec 35 §0).
package delegation

import (
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// Field is the field of the state that holds the marker. A marker that is done
// with becomes null.
const Field = "pending_delegation"

// The fields of a marker.
const (
	Skill         = "skill"          // name of the command, as Orchestrator takes it
	RequiredAgent = "required_agent" // to whom the work is to be handed
	InvokedAt     = "invoked_at"     // when the command was loaded
	Args          = "args"           // what stood behind the command, as it was given
)

// NewMarker makes the marker of a command that was loaded now (spec 35 §0.1).
func NewMarker(skill, agent string, now time.Time, args string) *ordered.Value {
	return ordered.NewObject(
		Skill, skill,
		RequiredAgent, agent,
		InvokedAt, activity.Timestamp(now),
		Args, args,
	)
}

// Orchestrator is the agent that a command has to be handed to, "" for skills
// that are no such command.
func Orchestrator(skill string) string {
	switch skill {
	case "isdlc":
		return "sdlc-orchestrator"
	case "discover":
		return "discover-orchestrator"
	}
	return ""
}

// Exempt tells whether the arguments of a command begin one of the actions that
// are done without an orchestrator (spec 35 §0.2).
func Exempt(args string) bool {
	switch text.LowerASCII(action(args)) {
	case "add", "analyze":
		return true
	}
	return false
}

// action is the first plain word of args, with nothing but flags before it; ""
// where there is none.
func action(args string) string {
	for {
		n := flag(args)
		if n == 0 {
			return args[:word(args)]
		}
		args = args[n:]
	}
}

// flag is the length of the flag that s begins with: one or two hyphens, a word
// and white space; 0 where there is none.
func flag(s string) int {
	n := 0
	for n < len(s) && n < 2 && s[n] == '-' {
		n++
	}
	if n == 0 {
		return 0
	}
	name := word(s[n:])
	space := text.SpaceLen(s[n+name:])
	if name == 0 || space == 0 {
		return 0
	}
	return n + name + space
}

// word is how many letters, digits and underscores of ASCII s begins with.
func word(s string) int {
	n := 0
	for n < len(s) {
		c := s[n]
		if c != '_' && (c < '0' || '9' < c) && (c < 'A' || 'Z' < c) && (c < 'a' || 'z' < c) {
			break
		}
		n++
	}
	return n
}
