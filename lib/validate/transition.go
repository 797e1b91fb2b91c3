package validate

import (
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// Version finds a document that was made from an older one than that on disk, or
// has lost its version: rule V7 (spec 50 §2.5). Nil where it may be written, and
// where one of them is no document.
func Version(incoming, disk *ordered.Value) *Finding {
	if !isContainer(incoming) || !isContainer(disk) {
		return nil
	}
	is, was := incoming.Get("state_version"), disk.Get("state_version")
	switch {
	case isNone(was):
		return nil
	case isNone(is):
		return finding("V7", "", "the new document has no state_version (%s), the file on disk has state_version %s", show(is), show(was))
	case Less(is, was):
		return finding("V7", "", "the new document has state_version %s, the file on disk already has state_version %s", show(is), show(was))
	}
	return nil
}

func isNone(v *ordered.Value) bool { return v == nil || v.Kind() == ordered.Null }

// rank orders the statuses of a phase; others have none.
func rank(status *ordered.Value) (int, bool) {
	switch status.Text() {
	case "pending":
		return 0, true
	case "in_progress":
		return 1, true
	case "completed":
		return 2, true
	}
	return 0, false
}

// Regression finds the first step back of a workflow between the document on
// disk and the one that is to replace it: rule V8 (spec 50 §2.6). The steps that
// the redo of a supervised review excuses are given too, as far as it came. Keys
// are compared as they are written.
func Regression(incoming, disk *ordered.Value) (back *Finding, excused []Finding) {
	is, was := incoming.Get("active_workflow"), disk.Get("active_workflow")
	if !isContainer(is) || !isContainer(was) {
		return nil, nil
	}
	if i, ok := is.Get("current_phase_index").Float(); ok {
		if before, ok := was.Get("current_phase_index").Float(); ok && i < before {
			return finding("V8", "", "current_phase_index of active_workflow goes back from %s to %s",
				show(was.Get("current_phase_index")), show(is.Get("current_phase_index"))), nil
		}
	}
	redo := isRedo(is.Get("supervised_review"))
	step := func(key, format string, before, after *ordered.Value) bool {
		from, ranked := rank(before)
		to, alsoRanked := rank(after)
		if !ranked || !alsoRanked || to >= from {
			return false
		}
		f := finding("V8", key, format, named(key), before.Text(), after.Text())
		if redo && from == 2 && to == 1 {
			excused = append(excused, *f)
			return false
		}
		back = f
		return true
	}
	before := was.Get("phase_status")
	for _, m := range is.Get("phase_status").Members() {
		if step(m.Name, "phase_status of phase %s goes back from %s to %s", before.Get(m.Name), m.Value) {
			return back, excused
		}
	}
	records := disk.Get("phases")
	for _, m := range incoming.Get("phases").Members() {
		if step(m.Name, "the status of phase %s in phases goes back from %s to %s", records.Get(m.Name, "status"), m.Value.Get("status")) {
			return back, excused
		}
	}
	return nil, excused
}

// isRedo tells whether a review has sent a phase back.
func isRedo(review *ordered.Value) bool {
	count, _ := review.Get("redo_count").Float()
	return review.Get("status").Text() == "redo_pending" || count > 0
}

// protected are the settings that only a person changes.
var protected = [...][2]string{
	{"iteration_enforcement", "enabled"},
	{"iteration_config", "testing_max"},
	{"iteration_config", "circuit_breaker_threshold"},
}

// Protected finds fields that bind the one who writes, and that the new document
// loosens or drops compared with the one on disk: rule V6 (spec 05 F.2).
func Protected(incoming, disk *ordered.Value) []Finding {
	if !incoming.IsObject() || !disk.IsObject() {
		return nil
	}
	var found []Finding
	for _, p := range protected {
		is, was := incoming.Get(p[0], p[1]), disk.Get(p[0], p[1])
		if same(is, was) || was == nil && is.IsTrue() { // saying that a check is on changes nothing
			continue
		}
		found = append(found, *finding("V6", "", "%s.%s changes from %s to %s", p[0], p[1], show(was), show(is)))
	}
	if is, was := incoming.Get("chat_explore_active"), disk.Get("chat_explore_active"); was.Present() && !is.Present() {
		found = append(found, *finding("V6", "", "chat_explore_active changes from %s to %s", show(was), show(is)))
	}
	records := disk.Get("phases")
	for _, m := range incoming.Get("phases").Members() {
		is, was := m.Value.Get("gate_validation", "status"), phase.Lookup(records, m.Name).Get("gate_validation", "status")
		if passes(is) && !passes(was) {
			found = append(found, *finding("V6", m.Name, "gate_validation.status of phase %s changes from %s to %s", named(m.Name), show(was), show(is)))
		}
	}
	return found
}

// passes tells whether a gate with this status is open.
func passes(status *ordered.Value) bool {
	switch text.LowerASCII(status.Text()) {
	case "passed", "pass", "approved", "completed", "complete", "compliant", "satisfied", "success", "ok", "open":
		return true
	}
	return status.IsTrue()
}
