package domain

import (
	"slices"
	"strings"
)

// The statuses of a phase.
const (
	NotExecuted = "NOT_EXECUTED"
	InProgress  = "IN_PROGRESS"
	Executed    = "EXECUTED"
	Skipped     = "SKIPPED"
)

// The outcomes of a phase that was executed.
const (
	Pass = "PASS"
	Fail = "FAIL"
)

// A Schema is the cycle that a step goes through (spec 60 §3). All texts are
// compared as they are.
type Schema struct {
	Version          string
	Phases           []string // in their order
	Terminal         []string // phases that must end in PASS
	Outcomes         []string // of EXECUTED
	SkipPrefixes     []string // with which the reason of a valid skip begins
	BlockingPrefixes []string // with which the reason of a skip that blocks begins
}

// TDD is the cycle of seven phases.
func TDD() Schema {
	return Schema{
		Version:          "3.0",
		Phases:           []string{"PREPARE", "RED_ACCEPTANCE", "RED_UNIT", "GREEN", "REVIEW", "REFACTOR_CONTINUOUS", "COMMIT"},
		Terminal:         []string{"COMMIT"},
		Outcomes:         []string{Pass, Fail},
		SkipPrefixes:     []string{"BLOCKED_BY_DEPENDENCY:", "NOT_APPLICABLE:", "APPROVED_SKIP:", "CHECKPOINT_PENDING:"},
		BlockingPrefixes: []string{"DEFERRED:"},
	}
}

func (s Schema) isTerminal(phase string) bool { return slices.Contains(s.Terminal, phase) }

func hasAnyPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
