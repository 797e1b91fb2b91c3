package validate

import (
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// clip keeps a value that somebody stuffed with text from filling a message.
func clip(s string) string {
	if cut := text.Cut(s, 120); cut != s {
		return cut + "…"
	}
	return s
}

// Constitutional checks the constitutional_validation of the phase key before
// its gate opens: it must be complete, have taken an iteration, have come to an
// end that counts, and say which articles it is about (spec 50 §5.2). A section
// that is no object fails in all of it.
func Constitutional(key string, section *ordered.Value) []Finding {
	var found []Finding
	fail := func(fact string) { found = append(found, Finding{"", key, fact}) }
	if v := section.Get("completed"); !v.IsTrue() {
		fail("completed is " + show(v) + ", it has to be true")
	}
	if v := section.Get("iterations_used"); !v.Present() || belowOne(v) {
		fail("iterations_used is " + show(v) + ", it has to be at least 1")
	}
	if v := section.Get("status"); v.Text() != "compliant" && v.Text() != "escalated" {
		fail("status is " + show(v) + ", it has to be compliant or escalated")
	}
	if v := section.Get("articles_checked"); len(v.Items()) == 0 {
		fail("articles_checked is " + show(v) + ", it has to list the articles that were checked")
	}
	return found
}
