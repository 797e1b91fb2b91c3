// Package phase knows the phases of a workflow: their keys, the agents that do
// their work, and which calls of the sub-agent tool hand work to one (spec 10
// §1).
package phase

import "isdlc-hooks/lib/ordered"

// aliases are the keys under which older files have some phases.
var aliases = [...]struct{ alias, canonical string }{
	{"13-test-deploy", "12-test-deploy"},
	{"14-production", "13-production"},
	{"15-operations", "14-operations"},
	{"16-upgrade-plan", "15-upgrade-plan"},
	{"16-upgrade-execute", "15-upgrade-execute"},
}

// Canonical is the key that an alias stands for; any other key is itself.
func Canonical(key string) string {
	for _, a := range aliases {
		if a.alias == key {
			return a.canonical
		}
	}
	return key
}

// Resolve is [Canonical] with a sentence that tells of the change, "" where there
// was none (spec 20 §1.1).
func Resolve(written string) (key, notice string) {
	key = Canonical(written)
	if key != written {
		notice = "phase key " + written + " is an older name of " + key + ", which is used instead"
	}
	return key, notice
}

// IsAlias tells whether key stands for another one.
func IsAlias(key string) bool { return Canonical(key) != key }

// Same tells whether two keys mean one phase.
func Same(a, b string) bool { return Canonical(a) == Canonical(b) }

// Key is the name under which object holds the phase key: the canonical one
// where it is there, else an alias that is, else the canonical one (spec 05
// B.3).
func Key(object *ordered.Value, key string) string {
	canonical := Canonical(key)
	if object.Get(canonical) == nil {
		for _, a := range aliases {
			if a.canonical == canonical && object.Get(a.alias) != nil {
				return a.alias
			}
		}
	}
	return canonical
}

// Lookup is what object holds for the phase key, under whichever name; see
// [Key].
func Lookup(object *ordered.Value, key string) *ordered.Value {
	return object.Get(Key(object, key))
}

// Position is the place of the phase key in a list of keys, under whichever name,
// or -1.
func Position(list *ordered.Value, key string) int {
	for i, item := range list.Items() {
		if s := item.Text(); s != "" && Same(s, key) {
			return i
		}
	}
	return -1
}
