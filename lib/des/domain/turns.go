package domain

import (
	"strconv"
	"strings"
)

// A Code names a reason to block.
type Code string

// A Refusal is why a call must not be made.
type Refusal struct {
	Code   Code
	Reason string // for people and models; begins with the code
}

// The refusals of [MaxTurnsPolicy].
const (
	MissingMaxTurns Code = "MISSING_MAX_TURNS"
	InvalidMaxTurns Code = "INVALID_MAX_TURNS"
)

// MaxTurnsPolicy bounds how long a sub-agent may run (spec 60 §4.2).
type MaxTurnsPolicy struct {
	Min, Max int // both are allowed
	// Without are the tools whose calls cannot carry the parameter, so that they
	// may lack it (spec 05 G.2).
	Without []string
}

// MaxTurns is the policy that holds: 10 to 100 turns, not wanted of Agent.
func MaxTurns() MaxTurnsPolicy {
	return MaxTurnsPolicy{Min: 10, Max: 100, Without: []string{"Agent"}}
}

// Check judges the max_turns of a call of tool. It is nil where there is nothing
// against it.
func (p MaxTurnsPolicy) Check(given Value, tool string) *Refusal {
	bounds := strconv.Itoa(p.Min) + " to " + strconv.Itoa(p.Max)
	refuse := func(code Code, fact string) *Refusal {
		return &Refusal{code, string(code) + ": " + fact + " Call the sub-agent again with an integer max_turns from " + bounds + "."}
	}
	switch given.Kind {
	case Absent:
		for _, t := range p.Without {
			if tool == t {
				return nil
			}
		}
		return refuse(MissingMaxTurns, "the call has no max_turns.")
	case Null:
		return refuse(MissingMaxTurns, "max_turns is null.")
	case Number:
		if strings.ContainsAny(given.Text, ".eE") {
			return refuse(InvalidMaxTurns, "max_turns is "+given.Text+", which is not written as an integer.")
		}
		// A number too long for an int is out of range as well.
		if n, err := strconv.Atoi(given.Text); err != nil || n < p.Min || n > p.Max {
			return refuse(InvalidMaxTurns, "max_turns is "+given.Text+", which is out of range.")
		}
		return nil
	case String:
		return refuse(InvalidMaxTurns, "max_turns is the text "+quoted(given.Text)+", not a number.")
	}
	return refuse(InvalidMaxTurns, "max_turns is no number.")
}
