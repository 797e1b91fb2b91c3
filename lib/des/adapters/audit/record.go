package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
	"isdlc-hooks/lib/ordered"
)

// recordKeys are the keys of a record in their order (spec 60 §6.3).
var recordKeys = [...]string{"decision", "details", "event", "feature_name", "hook_type", "reason", "step_id", "timestamp"}

// line is the record of an event, with the line break behind it.
func line(e app.AuditEvent) ([]byte, error) {
	details := ordered.NewObject()
	for name, detail := range e.Details {
		v, err := value(detail)
		if err != nil {
			return nil, fmt.Errorf("record %s: %s: %w", e.Event, name, err)
		}
		details.Set(name, v)
	}
	record := ordered.NewObject(
		"timestamp", activity.Timestamp(e.Time),
		"event", e.Event,
		"hook_type", e.Hook,
		"feature_name", orNull(e.FeatureName),
		"step_id", orNull(e.StepID),
		"decision", string(e.Decision),
		"reason", orNull(e.Reason),
		"details", details,
	)
	return append(appendSorted(nil, record), '\n'), nil
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// value makes JSON of a detail.
func value(detail any) (*ordered.Value, error) {
	given, ok := detail.(domain.Value)
	switch {
	case !ok:
		return ordered.Of(detail), nil
	case given.Kind == domain.Absent:
		return ordered.Of(nil), nil
	}
	return ordered.Parse([]byte(given.JSON))
}

// appendSorted writes v without white space, the keys of all objects in
// ascending order, and numbers as they were given: a record must not round.
func appendSorted(dst []byte, v *ordered.Value) []byte {
	switch v.Kind() {
	case ordered.Object:
		members := v.Members()
		slices.SortFunc(members, func(a, b ordered.Member) int { return strings.Compare(a.Name, b.Name) })
		dst = append(dst, '{')
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, ordered.Of(m.Name).Compact()...)
			dst = append(dst, ':')
			dst = appendSorted(dst, m.Value)
		}
		return append(dst, '}')
	case ordered.Array:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendSorted(dst, item)
		}
		return append(dst, ']')
	case ordered.Number:
		return append(dst, v.Literal()...)
	}
	return append(dst, v.Compact()...)
}

// day is the part of the name of a file that tells its day.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
