// Package audit holds a state document against the requirements of the handshake
// between phases: IR-001 to IR-013 with their checklists, and the rules V1 to V9
// (spec 50 §2, spec 05 F.2). Every finding names its criterion, the two values
// that disagree, and what would mend it; where there is one answer, it can do so.
//
// It works on values and does no input or output of its own. What a single
// document cannot tell is not judged: the order of writes, and what hooks answer.
package audit

import (
	"fmt"
	"math"
	"time"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// An Input is what is held against the criteria. Only State has to be there: what
// a missing source would tell is not judged.
type Input struct {
	State  *ordered.Value // an object
	Before *ordered.Value // an earlier version of it, for V6, V7 and V8

	Manifest      *ordered.Value
	Requirements  *ordered.Value
	Workflows     *ordered.Value
	ArtifactPaths *ordered.Value
	Exists        func(path string) bool // whether there is an artifact that is written path

	Now time.Time // that a mended record gets
}

// The severities of a finding. An error makes hooks decide wrongly or keeps the
// workflow from going on; a warning does not.
const (
	Error   = "error"
	Warning = "warning"
)

// A Finding is a criterion that the document does not meet.
type Finding struct {
	Criterion string // AC-001a, IR-003, V6
	Rule      string // V1 to V9, where one of them finds it too
	Severity  string
	Place     string // path of the value
	Value     string // what stands there, as JSON; "missing"
	Against   string // what it disagrees with, or what it has to be
	Remedy    string // what would mend it

	// Fix changes the document so that the criterion is met; nil where somebody has
	// to decide.
	Fix func()
}

// Check gives everything that is wrong with the document.
func Check(in Input) []Finding {
	c := &check{Input: in}
	c.read()
	c.lists()
	c.version()
	if c.workflow != nil {
		c.plan()
		if len(c.keys) > 0 {
			c.current()
			c.agent()
			c.phases()
		}
		c.artifacts()
	}
	c.records()
	c.history()
	c.earlier()
	return c.found
}

// Mend applies what can be mended without a decision, and tells what that was.
// Each step is found on the document that the steps before it have left.
func Mend(in Input) (mended []Finding) {
	done := map[string]bool{}
	for {
		next := -1
		found := Check(in)
		for i, f := range found {
			if f.Fix != nil && !done[f.Criterion+" "+f.Place] {
				next = i
				break
			}
		}
		if next < 0 {
			return mended
		}
		done[found[next].Criterion+" "+found[next].Place] = true // one that comes back is not mended for ever
		found[next].Fix()
		mended = append(mended, found[next])
	}
}

// A check is the work on one document.
type check struct {
	Input
	found []Finding

	workflow *ordered.Value // the active one, nil without
	statuses *ordered.Value // its phase_status
	list     *ordered.Value // its phases
	keys     []string       // the same
	now      string         // its current phase
	at       int            // the place of that in keys, -1: none
	index    int            // current_phase_index, -1: unusable
}

func (c *check) read() {
	active := c.State.Get("active_workflow")
	if active.Present() && !active.IsObject() {
		c.report(Finding{Criterion: "IR-008", Severity: Error, Place: "active_workflow", Value: show(active), Against: "has to be an object or null",
			Remedy: "set it to null, and begin the workflow with handshake init"})
	}
	if !active.IsObject() {
		return
	}
	c.workflow, c.statuses, c.list = active, active.Get("phase_status"), active.Get("phases")
	for _, item := range c.list.Items() {
		c.keys = append(c.keys, item.Text())
	}
	c.now, c.at, c.index = active.Get("current_phase").Text(), -1, -1
	if c.now != "" {
		c.at = phase.Position(c.list, c.now)
	}
	if f, ok := active.Get("current_phase_index").Float(); ok && f == math.Trunc(f) && f >= 0 && f <= float64(len(c.keys)) {
		c.index = int(f)
	}
}

func (c *check) report(f Finding) { c.found = append(c.found, f) }

// status is what the two places say of a phase.
func (c *check) status(key string) (record, workflow *ordered.Value) {
	return c.record(key).Get("status"), phase.Lookup(c.statuses, key)
}

// agreed is the status of a phase that both places give it, else "".
func (c *check) agreed(key string) string {
	record, workflow := c.status(key)
	if record.Text() != workflow.Text() {
		return ""
	}
	return record.Text()
}

func (c *check) record(key string) *ordered.Value { return phase.Lookup(c.State.Get("phases"), key) }

// The places of a phase, under the keys that it has there.
func (c *check) recordPlace(key string) string {
	return "phases." + phase.Key(c.State.Get("phases"), key)
}

func (c *check) statusPlace(key string) string {
	return "active_workflow.phase_status." + phase.Key(c.statuses, key)
}

// setStatus writes the status of a phase to both places.
func (c *check) setStatus(key, status string) {
	statuses := c.workflow.Ensure("phase_status")
	statuses.Set(phase.Key(statuses, key), status)
	phases := c.State.Ensure("phases")
	phases.Ensure(phase.Key(phases, key)).Set("status", status)
}

// implied is the status that a phase has to have by where the workflow is, ""
// where that cannot be told.
func (c *check) implied(i int) string {
	switch {
	case c.index < 0 || c.at < 0 || c.index != c.at && c.index != c.at+1:
		return ""
	case i < c.index:
		return "completed"
	case i == c.index && i == c.at:
		return "in_progress"
	}
	return "pending"
}

// settled is the index that the statuses of all phases lead to, or -1 where they
// do not agree with each other and with the current phase.
func (c *check) settled() int {
	k := 0
	for k < len(c.keys) && c.agreed(c.keys[k]) == "completed" {
		k++
	}
	for i := k; i < len(c.keys); i++ {
		if s := c.agreed(c.keys[i]); s != "pending" && !(i == k && s == "in_progress") {
			return -1
		}
	}
	if c.at == k && c.agreed(c.keys[k]) == "in_progress" || c.at == k-1 && (k == len(c.keys) || c.agreed(c.keys[k]) == "pending") {
		return k
	}
	return -1
}

// show writes a value as JSON on one line, and not more of it than a line takes.
func show(v *ordered.Value) string {
	if v == nil {
		return "missing"
	}
	s := string(v.Compact())
	if cut := text.Cut(s, 80); cut != s {
		return cut + "…"
	}
	return s
}

// with names a place and its value.
func with(place string, v *ordered.Value) string { return fmt.Sprintf("%s = %s", place, show(v)) }

const activate = "isdlc-hooks handshake activate "
