package constitutionvalidator

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// completions are the ways to say that a phase is done, also inside longer words
// (spec 20 §3.1).
var completions = []text.Phrase{
	{Words: []string{"phase", "complete"}},
	{Words: []string{"phase", "done"}},
	{Words: []string{"phase", "finished"}},
	{Words: []string{"ready", "for", "gate"}},
	{Words: []string{"gate", "validation"}},
	{Words: []string{"submit", "for", "review"}},
	{Words: []string{"finalize", "artifacts"}},
	{Words: []string{"declare", "complete"}},
	{Words: []string{"mark", "as", "complete"}},
	{Words: []string{"implementation", "complete"}},
	{Words: []string{"testing", "complete"}},
	{Words: []string{"requirements", "complete"}},
}

// declaresComplete tells whether the text of a call says that a phase is done.
// Work of setting up never does.
func declaresComplete(s string) bool {
	if phase.IsSetup(s) {
		return false
	}
	s = text.Lower(s)
	return text.AnyPhrase(s, completions, false) || hasNumberedPhase(s)
}

// hasNumberedPhase finds "phase 03 complete" in s, which is in lower case.
func hasNumberedPhase(s string) bool {
	for {
		_, after, ok := strings.Cut(s, "phase")
		if !ok {
			return false
		}
		s = after
		number := after[text.SpaceLen(after):]
		rest := strings.TrimLeft(number, "0123456789")
		gap := text.SpaceLen(rest)
		if len(number) < len(after) && len(rest) < len(number) && gap > 0 && strings.HasPrefix(rest[gap:], "complete") {
			return true
		}
	}
}

var articleTitles = [...]struct{ id, title string }{
	{"I", "Specification Primacy"},
	{"II", "Test-First Development"},
	{"III", "Security by Design"},
	{"IV", "Explicit Over Implicit"},
	{"V", "Simplicity First"},
	{"VI", "Code Review Required"},
	{"VII", "Artifact Traceability"},
	{"VIII", "Documentation Currency"},
	{"IX", "Quality Gate Integrity"},
	{"X", "Fail-Safe Defaults"},
	{"XI", "Integration Testing Integrity"},
	{"XII", "Domain-Specific Compliance"},
}

// article names an article of the constitution, with its title where it has one.
func article(id string) string {
	for _, a := range articleTitles {
		if a.id == id {
			return "Article " + id + ": " + a.title
		}
	}
	return "Article " + id
}

func message(key, open string, required, section *ordered.Value) string {
	var b strings.Builder
	used, limit := section.Get("iterations_used"), required.Get("max_iterations")
	fmt.Fprintf(&b, "CONSTITUTIONAL VALIDATION OPEN: phase %s may not be declared complete. Status: %s; iterations used: %s/%s, %s left.\n",
		key, open, cmp.Or(used.Literal(), "0"), cmp.Or(limit.Literal(), strconv.Itoa(defaultIterations)), left(used, limit))
	b.WriteString("1. Read docs/isdlc/constitution.md.\n" +
		"2. Check the artifacts of the phase against each of:\n")
	for _, id := range required.Get("articles").Items() {
		fmt.Fprintf(&b, "   - %s\n", article(id.Text()))
	}
	fmt.Fprintf(&b, "3. Fix what violates them, and check again.\n"+
		"4. Record the result in phases.%s.constitutional_validation of state.json: status \"compliant\", completed true, articles_checked, iterations_used.\n"+
		"5. Then declare the phase complete again.", key)
	if open == escalatedPending {
		b.WriteString("\nThe violations were escalated: a person has to decide on them first.")
	}
	return b.String()
}

// left is how many iterations remain, below zero where there were too many.
func left(used, limit *ordered.Value) string {
	u, _ := used.Float()
	l, ok := limit.Float()
	if !ok {
		l = defaultIterations
	}
	return strconv.FormatFloat(l-u, 'f', -1, 64)
}
