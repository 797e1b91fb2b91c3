package conformance

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
)

// What is checked here is not in the vectors, which compare values, but in spec
// 00-core: how a state file and the activity log are written, and that a program
// leaves nothing else behind.

func (o *outcome) checkStrictly(report reporter) {
	if o.result.TimedOut {
		report("the program did not end in time")
	}
	if o.result.Lingering {
		report("a child of the program outlived it and keeps its output open")
	}
	for name, before := range o.before {
		if after, there := o.after[name]; there && after.Mode != before.Mode {
			report("%s: the mode was %v and is %v", name, before.Mode, after.Mode)
		}
	}
	if registrations[o.Program].other {
		return
	}
	for name := range o.home {
		report("%s was written in the home", name)
	}
	for _, name := range o.before.Changed(o.after) {
		after, there := o.after[name]
		switch {
		case !there:
		case strings.HasPrefix(name, ".isdlc/") && path.Base(name) == "state.json":
			checkState(name, o.before[name].Data, after.Data, report)
		case name == ".isdlc/hook-activity.log":
			checkLog(name, o.before[name].Data, after.Data, report)
		}
	}
}

// checkOrder: keys that were there keep their order, new ones come after them. Only
// where keys went, as in an object that was replaced whole, new ones may stand
// anywhere.
func checkOrder(name, before, after string, report reporter) {
	was, err := parse([]byte(before))
	if err != nil {
		return // there was no order
	}
	is, err := parse([]byte(after))
	if err != nil {
		return // reported with the content
	}
	walk(was, is, "", func(at string, was, is *value) {
		var kept, added, got []string
		for _, m := range was.members {
			if is.get(m.name) != nil {
				kept = append(kept, m.name)
			}
		}
		replaced := len(kept) < len(was.members)
		for _, m := range is.members {
			isNew := was.get(m.name) == nil
			if isNew && replaced {
				continue
			}
			got = append(got, m.name)
			if isNew {
				added = append(added, m.name)
			}
		}
		want := append(kept, added...)
		if !slices.Equal(want, got) {
			report("%s: order of keys at %q:\nwant %q\ngot  %q", name, at, want, got)
		}
	})
}

// checkState: the layout of JSON.stringify(v, null, 2) without a line end, no
// needless escapes, and the literals of numbers that were not edited.
func checkState(name, before, after string, report reporter) {
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, bytes.TrimSpace([]byte(after)), "", "  "); err != nil {
		report("%s: %v", name, err)
		return
	}
	if laidOut.String() != after {
		report("%s: is not laid out as JSON.stringify(v, null, 2) does\n%s", name, difference(laidOut.String(), after))
	}
	for _, escape := range []string{`\u003c`, `\u003e`, `\u0026`, `\u2028`, `\u2029`, `\u003C`, `\u003E`} {
		if strings.Contains(after, escape) && !strings.Contains(before, escape) {
			report("%s: holds the escape %s", name, escape)
		}
	}
	was, err := parse([]byte(before))
	if err != nil {
		return
	}
	is, err := parse([]byte(after))
	if err != nil {
		return // json.Indent would have found it
	}
	walk(was, is, "", func(at string, was, is *value) {
		if was.kind == number && is.kind == number && was.literal != is.literal && was.double() == is.double() {
			report("%s: the number %s at %q was rewritten as %s", name, was.literal, at, is.literal)
		}
	})
}

// walk calls visit for each pair of values that stand at the same place in both
// documents. Lists that became shorter are left out: their elements have moved.
func walk(was, is *value, at string, visit func(at string, was, is *value)) {
	visit(at, was, is)
	for _, m := range was.members {
		if now := is.get(m.name); now != nil {
			walk(m.value, now, at+"/"+m.name, visit)
		}
	}
	if len(was.items) <= len(is.items) {
		for i, item := range was.items {
			walk(item, is.items[i], at+"/-", visit)
		}
	}
}

// checkLog: new lines of the activity log are compact objects with these keys in
// this order, and a time in the form that all programs write.
func checkLog(name, before, after string, report reporter) {
	keys := []string{"ts", "hook", "event", "phase", "agent", "reason"}
	for line := range strings.Lines(strings.TrimPrefix(after, before)) {
		v, err := parse([]byte(line))
		if err != nil {
			report("%s: %v in %s", name, err, line)
			continue
		}
		var got []string
		for _, m := range v.members {
			got = append(got, m.name)
		}
		if !slices.Equal(got, keys) {
			report("%s: want the keys %q, got %q", name, keys, got)
		}
		if ts := textOf(v.get("ts")); !isTimestamp(ts) {
			report("%s: the time %q is not in UTC with milliseconds", name, ts)
		}
		if compact := v.compact() + "\n"; compact != line {
			report("%s: a line is not written compactly:\nwant %sgot  %s", name, compact, line)
		}
	}
}

func isTimestamp(s string) bool {
	at, err := time.Parse(timestamp, s)
	return err == nil && at.Format(timestamp) == s
}
