package gateblocker

import (
	"cmp"
	"fmt"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/schema"
	"isdlc-hooks/lib/text"
)

// A failure is a requirement that is not met.
type failure struct {
	requirement string
	reason      string
	action      string // action_required
	extra       []field
}

// A field is a further fact of a failure. One without a value is not recorded.
type field struct {
	name  string
	value *ordered.Value
}

func (f *failure) encode() *ordered.Value {
	return setFields(ordered.NewObject(
		"requirement", f.requirement,
		"satisfied", false,
		"reason", f.reason,
		"action_required", f.action,
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
	check func(g *gate, required *ordered.Value) *failure
}{
	{"test_iteration", "test_iteration", (*gate).tests},
	{"constitutional_validation", "constitutional_validation", (*gate).constitution},
	{"interactive_elicitation", "interactive_elicitation", (*gate).elicitation},
	{"agent_delegation", "agent_delegation_validation", (*gate).delegation},
	{"artifact_presence", "artifact_validation", (*gate).artifacts},
}

// check gives the enabled requirements that are not met (spec 20 §2.7).
func (g *gate) check() []*failure {
	var failures []*failure
	for _, r := range requirements {
		required := g.required.Get(r.block)
		if !required.Get("enabled").IsTrue() {
			continue
		}
		if f := r.check(g, required); f != nil {
			f.requirement = r.name
			failures = append(failures, f)
		}
	}
	return failures
}

// section is a part of the phase's record, nil where it is no object. It is
// compared with its schema for whoever looks for a fault, which decides nothing.
func (g *gate) section(schemaID string, path ...string) *ordered.Value {
	s := g.record.Get(path...)
	if !s.IsObject() {
		return nil
	}
	if g.Debugging() {
		for _, finding := range schema.Check(strings.Join(path, "."), g.Config().Schema(schemaID), s) {
			g.Debug(name + ": " + finding)
		}
	}
	return s
}

func (g *gate) tests(*ordered.Value) *failure {
	s := g.section("test-iteration", "iteration_requirements", "test_iteration")
	completed := s.Get("completed").IsTrue()
	switch {
	case s == nil:
		return &failure{reason: "no test run is recorded; run the tests", action: "RUN_TESTS"}
	case !completed && s.Get("last_test_result").Text() == "failed":
		return &failure{
			reason: fmt.Sprintf("the tests failed in iteration %s/%s; fix the cause and run them again",
				cmp.Or(s.Get("current_iteration").Literal(), "0"), cmp.Or(s.Get("max_iterations").Literal(), "0")),
			action: "CONTINUE_ITERATION",
			extra: []field{{"details", setFields(ordered.NewObject(), []field{
				{"current_iteration", s.Get("current_iteration")},
				{"max_iterations", s.Get("max_iterations")},
				{"failures", s.Get("failures_count")},
			})}},
		}
	case !completed:
		return &failure{reason: "the tests have not passed yet; run them", action: "RUN_TESTS"}
	case s.Get("status").Text() == "escalated" && !s.Get("escalation_approved").IsTrue():
		return &failure{
			reason: "the tests were escalated, and no person has approved that yet",
			action: "HUMAN_APPROVAL",
			extra:  []field{{"escalation_reason", s.Get("escalation_reason")}},
		}
	}
	return nil
}

func (g *gate) constitution(required *ordered.Value) *failure {
	s := g.section("constitutional-validation", "constitutional_validation")
	status := s.Get("status")
	switch {
	case s == nil:
		return &failure{
			reason: "the phase was not validated against the constitution",
			action: "RUN_CONSTITUTIONAL_VALIDATION",
			extra:  []field{{"articles_required", required.Get("articles")}},
		}
	case !s.Get("completed").IsTrue():
		checked := s.Get("articles_checked")
		if checked.Kind() <= ordered.Null {
			checked = ordered.NewArray()
		}
		return &failure{
			reason: fmt.Sprintf("the validation against the constitution is not complete: status %s, iteration %s/%s",
				cmp.Or(status.Text(), "not set"), cmp.Or(s.Get("iterations_used").Literal(), "0"), cmp.Or(s.Get("max_iterations").Literal(), "0")),
			action: "CONTINUE_CONSTITUTIONAL_ITERATION",
			extra: []field{{"details", setFields(ordered.NewObject(), []field{
				{"status", status},
				{"iterations_used", s.Get("iterations_used")},
				{"articles_checked", checked},
			})}},
		}
	case status.Text() == "compliant":
		return nil
	case status.Text() != "escalated":
		return &failure{
			reason: fmt.Sprintf("the validation against the constitution ended with status %s instead of compliant", cmp.Or(status.Text(), "not set")),
			action: "FIX_VIOLATIONS",
		}
	case !s.Get("escalation_approved").IsTrue():
		return &failure{
			reason: "violations of the constitution were escalated, and no human has decided on them yet",
			action: "HUMAN_DECISION",
			extra:  []field{{"unresolved_violations", s.Get("unresolved_violations")}},
		}
	}
	return nil
}

func (g *gate) elicitation(required *ordered.Value) *failure {
	s := g.section("interactive-elicitation", "iteration_requirements", "interactive_elicitation")
	switch {
	case s == nil:
		return &failure{reason: "the requirements were not elicited from the user; show the menu", action: "START_ELICITATION"}
	case !s.Get("completed").IsTrue():
		return &failure{
			reason: fmt.Sprintf("the elicitation is not complete after %s menu interactions", cmp.Or(s.Get("menu_interactions").Literal(), "0")),
			action: "CONTINUE_ELICITATION",
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
	return &failure{
		reason: fmt.Sprintf("the elicitation ended with the selection %q; it has to be one of: %s", selection, strings.Join(list, ", ")),
		action: "COMPLETE_ELICITATION",
	}
}

func (g *gate) delegation(*ordered.Value) *failure {
	manifest := g.Config().Manifest()
	expected := phase.Owner(manifest, g.key)
	if expected == "" || g.record.Get("status").Text() == "in_progress" {
		return nil
	}
	for _, entry := range g.State().Get("skill_usage_log").Items() {
		key := entry.Get("agent_phase").Text()
		if key != "" && phase.Same(key, g.key) && phase.WorksIn(manifest, entry.Get("agent").Text(), g.key) {
			return nil
		}
	}
	pending := g.State().Get("pending_delegation", "required_agent").Text()
	if strings.Contains(hyphenated(pending), hyphenated(expected)) {
		return nil
	}
	return &failure{
		reason: fmt.Sprintf("no work of phase %s was delegated to %s", g.key, expected),
		action: "DELEGATE_TO_PHASE_AGENT",
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
