// Package activitylog reads the activity log of a project (spec 00 §5): as it
// is, and as it grows.
package activitylog

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

// An Entry is one line of the log.
type Entry struct {
	Time                              time.Time // zero where ts is no time
	Hook, Event, Phase, Agent, Reason string
	Raw                               []byte // the line, without its end
}

// Parse reads a line; not ok where it is no JSON object.
func Parse(line []byte) (e Entry, ok bool) {
	v, err := ordered.Parse(line)
	if err != nil || !v.IsObject() {
		return Entry{}, false
	}
	e = Entry{
		Hook: v.Get("hook").Text(), Event: v.Get("event").Text(), Phase: v.Get("phase").Text(),
		Agent: v.Get("agent").Text(), Reason: v.Get("reason").Text(), Raw: line,
	}
	e.Time, _ = state.Time(v.Get("ts"))
	return e, true
}

// Read reads a whole log: the entries, and how many lines are none. A log that
// does not exist is empty.
func Read(path string) (entries []Entry, broken int, err error) {
	data, err := disk.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	entries, broken = parseAll(lines(data))
	return entries, broken, nil
}

func parseAll(lines [][]byte) (entries []Entry, broken int) {
	for _, line := range lines {
		if e, ok := Parse(line); ok {
			entries = append(entries, e)
		} else {
			broken++
		}
	}
	return entries, broken
}

// lines are the lines that are not blank.
func lines(data []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			all = append(all, line)
		}
	}
	return all
}

// A Filter chooses entries. What is empty in it chooses all.
type Filter struct {
	Hooks, Events, Phases []string
	Since                 time.Time
}

// Match tells whether an entry is chosen. Phases are compared under all their
// names. An entry without a time is never since anything.
func (f Filter) Match(e Entry) bool {
	return (len(f.Hooks) == 0 || slices.Contains(f.Hooks, e.Hook)) &&
		(len(f.Events) == 0 || slices.Contains(f.Events, e.Event)) &&
		(len(f.Phases) == 0 || slices.ContainsFunc(f.Phases, func(p string) bool { return e.Phase != "" && phase.Same(p, e.Phase) })) &&
		(f.Since.IsZero() || !e.Time.IsZero() && !e.Time.Before(f.Since))
}

// A Count is how many entries a hook has made of one event.
type Count struct {
	Hook  string    `json:"hook"`
	Event string    `json:"event"`
	Count int       `json:"count"`
	Last  time.Time `json:"last"`
}

// Tally counts entries by hook and event, the most frequent first.
func Tally(entries []Entry) []Count {
	var counts []Count
	for _, e := range entries {
		i := slices.IndexFunc(counts, func(c Count) bool { return c.Hook == e.Hook && c.Event == e.Event })
		if i < 0 {
			i = len(counts)
			counts = append(counts, Count{Hook: e.Hook, Event: e.Event})
		}
		counts[i].Count++
		if e.Time.After(counts[i].Last) {
			counts[i].Last = e.Time
		}
	}
	slices.SortStableFunc(counts, func(a, b Count) int { return b.Count - a.Count })
	return counts
}
