package validate

import "isdlc-hooks/lib/ordered"

// Constitutional checks the constitutional_validation of the phase key before
// its gate opens: it must be complete, have taken an iteration, have come to an
// end that counts, and say which articles it is about (spec 50 §5.2). A section
// that is no object fails in all of it.
func Constitutional(key string, section *ordered.Value) []Finding {
	var found []Finding
	check := func(ok bool, field, want string) {
		if !ok {
			found = append(found, *finding("", key, "%s is %s, it has to %s", field, show(section.Get(field)), want))
		}
	}
	iterations, status := section.Get("iterations_used"), section.Get("status").Text()
	check(section.Get("completed").IsTrue(), "completed", "be true")
	check(iterations.Present() && !belowOne(iterations), "iterations_used", "be at least 1")
	check(status == "compliant" || status == "escalated", "status", "be compliant or escalated")
	check(len(section.Get("articles_checked").Items()) > 0, "articles_checked", "list the articles that were checked")
	return found
}
