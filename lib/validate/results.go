package validate

import "isdlc-hooks/lib/ordered"

// results are the sections of a phase that cannot be complete without having
// been worked on once.
var results = [...]struct {
	rule    string
	section []string
	count   string
}{
	{"V1", []string{"constitutional_validation"}, "iterations_used"},
	{"V2", []string{"iteration_requirements", "interactive_elicitation"}, "menu_interactions"},
	{"V3", []string{"iteration_requirements", "test_iteration"}, "current_iteration"},
}

// Results finds sections of phases that are complete without an iteration: rules
// V1 to V3 (spec 50 §2.8), phase by phase.
func Results(doc *ordered.Value) []Finding {
	var found []Finding
	for _, m := range doc.Get("phases").Members() {
		for _, r := range results {
			section := m.Value.Get(r.section...)
			if count := section.Get(r.count); section.Get("completed").IsTrue() && belowOne(count) {
				found = append(found, *finding(r.rule, m.Name, "phase %s: %s is completed, but its %s is %s",
					named(m.Name), r.section[len(r.section)-1], r.count, show(count)))
			}
		}
	}
	return found
}
