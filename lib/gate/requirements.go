package gate

import (
	"cmp"
	"fmt"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// A Failure is a requirement that is not met.
type Failure struct {
	Requirement string
	Reason      string
	Action      string // action_required: what is to be done, as a word
	extra       []field
}

// A field is a further fact of a failure. One without a value is not recorded.
type field struct {
	name  string
	value *ordered.Value
}

// Encode is the record of a failure in the state.
func (f *Failure) Encode() *ordered.Value {
	return setFields(ordered.NewObject(
		"requirement", f.Requirement,
		"satisfied", false,
		"reason", f.Reason,
		"action_required", f.Action,
	), f.extra)
}

func setFields(object *ordered.Value, fields []field) *ordered.Value {
	for _, f := range fields {
		if f.value.Kind() > ordered.Null {
			object.Set(f.name, f.value)
		}
	}
	return object
}

// requirements are what a phase can ask for, in the order in which they are
// checked and reported. A check gets the block of the requirement and gives nil
// where it is met.
var requirements = [...]struct {
	name  string
	block string // of the phase's requirements
	check func(g *Gate, required *ordered.Value) *Failure
}{
	{"test_iteration", "test_iteration", (*Gate).tests},
	{"constitutional_validation", "constitutional_validation", (*Gate).constitution},
	{"interactive_elicitation", "interactive_elicitation", (*Gate).elicitation},
	{"agent_delegation", "agent_delegation_validation", (*Gate).delegation},
	{"artifact_presence", "artifact_validation", (*Gate).artifacts},
}

// Check gives the enabled requirements that are not met (spec 20 §2.7).
func (g *Gate) Check() []*Failure {
	var failures []*Failure
	for _, r := range requirements {
		required := g.Required.Get(r.block)
		if !required.Get("enabled").IsTrue() {
			continue
		}
		if f := r.check(g, required); f != nil {
			f.Requirement = r.name
			failures = append(failures, f)
		}
	}
	return failures
}

// section is a part of the phase's record, nil where it is no object.
func (g *Gate) section(schemaID string, path ...string) *ordered.Value {
	s := g.State.Phase(g.Key).Get(path...)
	if !s.IsObject() {
		return nil
	}
	if g.Inspect != nil {
		g.Inspect(schemaID, strings.Join(path, "."), s)
	}
	return s
}

func (g *Gate) tests(*ordered.Value) *Failure {
	s := g.section("test-iteration", "iteration_requirements", "test_iteration")
	completed := s.Get("completed").IsTrue()
	switch {
	case s == nil:
		return &Failure{Reason: "no test run is recorded; run the tests", Action: "RUN_TESTS"}
	case !completed && s.Get("last_test_result").Text() == "failed":
		return &Failure{
			Reason: fmt.Sprintf("the tests failed in iteration %s/%s; fix the cause and run them again",
				cmp.Or(s.Get("current_iteration").Literal(), "0"), cmp.Or(s.Get("max_iterations").Literal(), "0")),
			Action: "CONTINUE_ITERATION",
			extra: []field{{"details", setFields(ordered.NewObject(), []field{
				{"current_iteration", s.Get("current_iteration")},
				{"max_iterations", s.Get("max_iterations")},
				{"failures", s.Get("failures_count")},
			})}},
		}
	case !completed:
		return &Failure{Reason: "the tests have not passed yet; run them", Action: "RUN_TESTS"}
	case s.Get("status").Text() == "escalated" && !s.Get("escalation_approved").IsTrue():
		return &Failure{
			Reason: "the tests were escalated, and no person has approved that yet",
			Action: "HUMAN_APPROVAL",
			extra:  []field{{"escalation_reason", s.Get("escalation_reason")}},
		}
	}
	return nil
}

func (g *Gate) constitution(required *ordered.Value) *Failure {
	s := g.section("constitutional-validation", "constitutional_validation")
	status := s.Get("status")
	switch {
	case s == nil:
		return &Failure{
			Reason: "the phase was not validated against the constitution",
			Action: "RUN_CONSTITUTIONAL_VALIDATION",
			extra:  []field{{"articles_required", required.Get("articles")}},
		}
	case !s.Get("completed").IsTrue():
		checked := s.Get("articles_checked")
		if checked.Kind() <= ordered.Null {
			checked = ordered.NewArray()
		}
		return &Failure{
			Reason: fmt.Sprintf("the validation against the constitution is not complete: status %s, iteration %s/%s",
				cmp.Or(status.Text(), "not set"), cmp.Or(s.Get("iterations_used").Literal(), "0"), cmp.Or(s.Get("max_iterations").Literal(), "0")),
			Action: "CONTINUE_CONSTITUTIONAL_ITERATION",
			extra: []field{{"details", setFields(ordered.NewObject(), []field{
				{"status", status},
				{"iterations_used", s.Get("iterations_used")},
				{"articles_checked", checked},
			})}},
		}
	case status.Text() == "compliant":
		return nil
	case status.Text() != "escalated":
		return &Failure{
			Reason: fmt.Sprintf("the validation against the constitution ended with status %s instead of compliant", cmp.Or(status.Text(), "not set")),
			Action: "FIX_VIOLATIONS",
		}
	case !s.Get("escalation_approved").IsTrue():
		return &Failure{
			Reason: "violations of the constitution were escalated, and no human has decided on them yet",
			Action: "HUMAN_DECISION",
			extra:  []field{{"unresolved_violations", s.Get("unresolved_violations")}},
		}
	}
	return nil
}

func (g *Gate) elicitation(required *ordered.Value) *Failure {
	s := g.section("interactive-elicitation", "iteration_requirements", "interactive_elicitation")
	switch {
	case s == nil:
		return &Failure{Reason: "the requirements were not elicited from the user; show the menu", Action: "START_ELICITATION"}
	case !s.Get("completed").IsTrue():
		return &Failure{
			Reason: fmt.Sprintf("the elicitation is not complete after %s menu interactions", cmp.Or(s.Get("menu_interactions").Literal(), "0")),
			Action: "CONTINUE_ELICITATION",
			extra:  []field{{"min_required", required.Get("min_menu_interactions")}},
		}
	}
	accepted := required.Get("required_final_selection")
	if !accepted.IsArray() {
		return nil
	}
	selection := s.Get("final_selection").Text()
	var list []string
	for _, a := range accepted.Items() {
		if a.Kind() == ordered.String && text.Lower(a.Text()) == text.Lower(selection) {
			return nil
		}
		list = append(list, a.Text())
	}
	return &Failure{
		Reason: fmt.Sprintf("the elicitation ended with the selection %q; it has to be one of: %s", selection, strings.Join(list, ", ")),
		Action: "COMPLETE_ELICITATION",
	}
}

func (g *Gate) delegation(*ordered.Value) *Failure {
	manifest := g.Manifest()
	expected := phase.Owner(manifest, g.Key)
	if expected == "" || g.State.Phase(g.Key).Get("status").Text() == "in_progress" {
		return nil
	}
	for _, entry := range g.State.Get("skill_usage_log").Items() {
		key := entry.Get("agent_phase").Text()
		if key != "" && phase.Same(key, g.Key) && phase.WorksIn(manifest, entry.Get("agent").Text(), g.Key) {
			return nil
		}
	}
	pending := g.State.Get("pending_delegation", "required_agent").Text()
	if strings.Contains(hyphenated(pending), hyphenated(expected)) {
		return nil
	}
	return &Failure{
		Reason: fmt.Sprintf("no work of phase %s was delegated to %s", g.Key, expected),
		Action: "DELEGATE_TO_PHASE_AGENT",
		extra:  []field{{"expected_agent", ordered.Of(expected)}},
	}
}

// hyphenated is the name of an agent in lower case, with hyphens for underscores
// and white space.
func hyphenated(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || text.IsSpace(r) {
			return '-'
		}
		return r
	}, text.Lower(name))
}
