// Package validate judges what stands in a state document: whether the results
// that it claims are possible, whether its parts agree with each other, and
// whether a new version of it takes back what an older one says (spec 50 §2,
// spec 05 F). It only looks: every function takes values and gives findings.
package validate

import "isdlc-hooks/lib/ordered"

// A Finding is something that is wrong in a document, or about to be.
type Finding struct {
	Rule  string // V1 to V9, of V9 with its part: V9-A
	Phase string // key of the phase that it is about, as written; "" where it is about none
	Fact  string // what stands where, in a sentence without its full stop
}

// show writes a value for people: a text as it is, anything else as JSON, what
// is missing in a word.
func show(v *ordered.Value) string {
	switch v.Kind() {
	case ordered.Missing:
		return "missing"
	case ordered.String:
		return clip(v.Text())
	}
	return clip(string(v.Compact()))
}
