package state

import (
	"time"

	"isdlc-hooks/lib/ordered"
)

// timeLayouts are the forms in which times are written: RFC 3339 and its
// shorter relatives. The fraction of a second is accepted in all that have
// seconds.
var timeLayouts = []struct {
	layout string
	local  bool
}{
	{time.RFC3339, false},
	{"2006-01-02T15:04Z07:00", false},
	{"2006-01-02 15:04:05Z07:00", false},
	{"2006-01-02T15:04:05", true},
	{"2006-01-02T15:04", true},
	{"2006-01-02", false},
}

// Time reads a time that a document holds as text; what is none is ok false
// (spec 00 §6).
func Time(v *ordered.Value) (t time.Time, ok bool) {
	s := v.Text()
	if s == "" {
		return time.Time{}, false
	}
	for _, l := range timeLayouts {
		zone := time.UTC
		if l.local {
			zone = time.Local
		}
		if t, err := time.ParseInLocation(l.layout, s, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
