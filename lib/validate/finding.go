// Package validate judges what stands in a state document: whether the results
// that it claims are possible, whether its parts agree with each other, and
// whether a new version of it takes back what an older one says (spec 50 §2,
// spec 05 F.2). It only looks: every function takes values, any of which may be
// nil or of the wrong type, and gives findings.
package validate

import (
	"fmt"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// A Finding is something that is wrong in a document, or about to be.
type Finding struct {
	Rule  string // V1 to V9, of V9 with its part: V9-A; "" for what has no number
	Phase string // key of the phase that it is about, as written; "" where it is about none
	Fact  string // what stands where, one line without a full stop
}

// String is the finding with its rule.
func (f Finding) String() string {
	if f.Rule == "" {
		return f.Fact
	}
	return f.Rule + ": " + f.Fact
}

func finding(rule, key, format string, args ...any) *Finding {
	return &Finding{rule, key, fmt.Sprintf(format, args...)}
}

// show writes a value as JSON, so that it stays on one line, and not more of it
// than a message can take.
func show(v *ordered.Value) string {
	if v == nil {
		return "missing"
	}
	s := string(v.Compact())
	if cut := text.Cut(s, 120); cut != s {
		return cut + "…"
	}
	return s
}

// named is show for a key.
func named(key string) string { return show(ordered.Of(key)) }

// same tells whether two values are equal, however they are written.
func same(a, b *ordered.Value) bool {
	return a.Kind() == b.Kind() && string(a.Compact()) == string(b.Compact())
}

// samePhase is same for what should be phase keys: an alias equals its canonical
// key (spec 05 B.3).
func samePhase(a, b *ordered.Value) bool {
	if a.Kind() == ordered.String && b.Kind() == ordered.String {
		return phase.Same(a.Text(), b.Text())
	}
	return same(a, b)
}

// isContainer tells whether v can have members or items at all.
func isContainer(v *ordered.Value) bool { return v.IsObject() || v.IsArray() }
