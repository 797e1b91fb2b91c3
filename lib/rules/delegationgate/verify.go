package delegationgate

import (
	"errors"
	"fmt"
	"strings"

	"isdlc-hooks/lib/delegation"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
	"isdlc-hooks/lib/text"
)

// A verdict says whether a marker is done with.
type verdict struct {
	done       bool
	why        string
	inProgress string // the phase whose progress alone speaks for the delegation
}

var (
	errArgs  = errors.New("the args of the marker are no text")
	errAgent = errors.New("the marker names no required_agent to look for in skill_usage_log")
)

// shut makes a panic of judge an error like any other: this gate must not open
// on one.
func shut(judge func() (verdict, error)) (v verdict, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = verdict{}, fmt.Errorf("panic: %v", r)
		}
	}()
	return judge()
}

// verify judges a marker by the rules of spec 35 §2.2, in their order.
func verify(s *state.State, marker *ordered.Value) (verdict, error) {
	args := marker.Get(delegation.Args)
	if args.Present() && args.Kind() != ordered.String {
		return verdict{}, errArgs
	}
	if delegation.Exempt(args.Text()) {
		return verdict{done: true, why: "its action is exempt"}, nil
	}
	found, err := delegated(s.Get("skill_usage_log"), marker)
	if err != nil {
		return verdict{}, err
	}
	if found {
		return verdict{done: true, why: "skill_usage_log has the delegation"}, nil
	}
	if i, _ := s.Workflow().Get("current_phase_index").Float(); i > 0 {
		return verdict{done: true, why: "the workflow is beyond its first phase"}, nil
	}
	if key := s.CurrentPhase(); key != "" && s.Phase(key).Get("status").Text() == "in_progress" {
		return verdict{done: true, why: "phase " + key + " is in progress", inProgress: key}, nil
	}
	return verdict{}, nil
}

// delegated tells whether the log has a run of the required agent since the
// marker was set. It is an error when there are runs, but no name to compare
// them with.
func delegated(log, marker *ordered.Value) (bool, error) {
	since, bounded := state.Time(marker.Get(delegation.InvokedAt))
	required := marker.Get(delegation.RequiredAgent).Text()
	for _, entry := range log.Items() {
		stamp, agent := entry.Get("timestamp"), entry.Get("agent").Text()
		if stamp.Text() == "" || agent == "" {
			continue
		}
		// A time that nobody can read is not before any other.
		if at, ok := state.Time(stamp); ok && bounded && at.Before(since) {
			continue
		}
		if required == "" { // every name holds the empty one
			return false, errAgent
		}
		if strings.Contains(fold(agent), fold(required)) {
			return true, nil
		}
	}
	return false, nil
}

// fold gives the form of an agent's name in which names are compared.
func fold(agent string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || text.IsSpace(r) {
			return '-'
		}
		return r
	}, text.Lower(agent))
}
