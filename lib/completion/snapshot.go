package completion

import (
	"math"
	"time"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

const (
	MaxSummary = 150              // UTF-16 code units of a summary
	afterword  = 60 * time.Second // how long after the end of a phase its agent may still have reported
)

// snapshotsOf says how each phase went that the state has a record of, under its
// key or an alias (spec 50 §4.3).
func snapshotsOf(doc *ordered.Value, keys []string) []*ordered.Value {
	list := []*ordered.Value{}
	for _, key := range keys {
		if record := phase.Lookup(doc.Get("phases"), key); record.Present() {
			list = append(list, snapshot(key, record, doc.Get("history")))
		}
	}
	return list
}

func snapshot(key string, record, history *ordered.Value) *ordered.Value {
	s := ordered.NewObject("key", key, "status", orElse(record.Get("status"), "pending"))
	for _, field := range []string{"started", "completed", "gate_passed"} {
		s.Set(field, orElse(record.Get(field), nil))
	}
	s.Set("duration_minutes", Minutes(record.Get("started"), record.Get("completed")))
	s.Set("summary", summary(key, record, history))
	if artifacts := record.Get("artifacts"); len(artifacts.Items()) > 0 {
		s.Set("artifacts", artifacts)
	}
	if tests := testIterations(record.Get("iteration_requirements", "test_iteration")); tests != nil {
		s.Set("test_iterations", tests)
	}
	if timing := record.Get("timing"); timing.IsObject() || timing.IsArray() {
		s.Set("timing", timing)
	}
	return s
}

// orElse is v, or other where v says nothing.
func orElse(v *ordered.Value, other any) any {
	if v.Present() {
		return v
	}
	return other
}

// Minutes is the time from one moment to another in whole minutes, halves up;
// nil where one cannot be read or they are in the wrong order.
func Minutes(from, to *ordered.Value) any {
	start, ok := Time(from)
	end, alsoOK := Time(to)
	if !ok || !alsoOK || end.UnixMilli() < start.UnixMilli() {
		return nil
	}
	return int(round(float64(end.UnixMilli()-start.UnixMilli()) / 60_000))
}

// round rounds to a whole number, halves towards plus infinity.
func round(f float64) float64 { return math.Floor(f + 0.5) }

// summary is what the record of a phase says of it, else what its agent reported
// last in the time of the phase; nil for nothing.
func summary(key string, record, history *ordered.Value) any {
	if s := record.Get("summary").Text(); s != "" {
		return text.Cut(s, MaxSummary)
	}
	agent := phase.AgentOf(key)
	if agent == "" {
		return nil
	}
	ended := record.Get("completed")
	if !ended.Present() {
		ended = record.Get("gate_passed")
	}
	start, hasStart := Time(record.Get("started"))
	end, hasEnd := Time(ended)
	items := history.Items()
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Get("agent").Text() != agent {
			continue
		}
		if hasStart && hasEnd {
			t, ok := Time(items[i].Get("timestamp"))
			if !ok || t.Before(start) || t.After(end.Add(afterword)) {
				continue
			}
		}
		if action := items[i].Get("action").Text(); action != "" {
			return text.Cut(action, MaxSummary)
		}
		return nil
	}
	return nil
}

// testIterations tells how often the tests of a phase ran and what came of it;
// nil where nothing did.
func testIterations(tests *ordered.Value) *ordered.Value {
	count := tests.Get("current_iteration")
	if count.Kind() != ordered.Number {
		count = tests.Get("current")
	}
	if count.Kind() != ordered.Number {
		count = ordered.Of(0)
	}
	if !count.Present() && !tests.Get("completed").Present() && !tests.Get("escalated").Present() {
		return nil
	}
	result, escalated := "unknown", tests.Get("escalated").IsTrue()
	switch {
	case tests.Get("completed").IsTrue():
		result = "passed"
	case escalated:
		result = "escalated"
	}
	return ordered.NewObject("count", count, "result", result, "escalated", escalated)
}
