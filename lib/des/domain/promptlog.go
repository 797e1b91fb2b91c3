package domain

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// logSections are the headings under which a prompt may quote an execution log.
var logSections = [...]string{
	"# EXECUTION_LOG_STATUS", "# EXECUTION_LOG_ISSUE", "# EXECUTION_LOG_PROBLEM",
	"# EXECUTION_LOG_ERRORS", "# EXECUTION_LOG_WITH_SKIP", "# EXECUTION_LOG_COMPLETE",
}

// listStatuses are the words before a list of phases, in the order in which they
// are looked for.
var listStatuses = [...]string{Executed, Skipped, InProgress, NotExecuted}

// A logEntry is one phase in an execution log that a prompt quotes.
type logEntry struct {
	phase, status      string
	outcome, blockedBy string // "" where they are not told
}

// checkLog judges the execution log that a prompt quotes; a prompt without one
// is fine (spec 60 §4.4 D).
func (v PromptValidator) checkLog(prompt string) (problems []string) {
	entries := logEntries(prompt)
	if len(entries) == 0 {
		return nil
	}
	if want := len(v.Schema.Phases); len(entries) != want {
		problems = append(problems, "INVALID: the execution log has "+strconv.Itoa(len(entries))+" entries; it must have "+strconv.Itoa(want))
	}
	absent := slices.DeleteFunc(slices.Sorted(slices.Values(v.Schema.Phases)), func(phase string) bool {
		return slices.ContainsFunc(entries, func(e logEntry) bool { return e.phase == phase })
	})
	if len(absent) > 0 {
		problems = append(problems, "INCOMPLETE: the execution log has no entry for "+strings.Join(absent, ", "))
	}
	for _, e := range entries {
		switch {
		case e.status == InProgress:
			problems = append(problems, "INCOMPLETE: the phase "+e.phase+" is still "+InProgress)
		case e.status == Executed && e.outcome == "":
			problems = append(problems, "ERROR: the phase "+e.phase+" is "+Executed+" but has no outcome")
		case e.status == Skipped && e.blockedBy == "":
			problems = append(problems, "ERROR: the phase "+e.phase+" is "+Skipped+" but has no blocked_by")
		case e.status == NotExecuted:
			problems = append(problems, "ERROR: the phase "+e.phase+" is "+NotExecuted)
		}
	}
	return problems
}

// logEntries collects the entries of all sections; of those with the same phase
// and status the first counts.
func logEntries(prompt string) (entries []logEntry) {
	for _, heading := range logSections {
		_, content, found := strings.Cut(prompt, heading)
		if !found {
			continue
		}
		content, _, _ = strings.Cut(content, "\n#")
		entries = append(entries, phraseEntries(content)...)
		for _, status := range listStatuses {
			entries = append(entries, listEntries(content, status)...)
		}
		entries = append(entries, fieldEntries(content)...)
	}
	type pair struct{ phase, status string }
	seen := make(map[pair]bool, len(entries))
	return slices.DeleteFunc(entries, func(e logEntry) bool {
		repeated := seen[pair{e.phase, e.status}]
		seen[pair{e.phase, e.status}] = true
		return repeated
	})
}

// phraseEntries reads lines such as "Phase GREEN status: EXECUTED".
func phraseEntries(s string) (entries []logEntry) {
	for {
		_, after, found := strings.Cut(s, "Phase")
		if !found {
			return entries
		}
		s = after
		name, rest, ok := spacedWord(after)
		if !ok {
			continue
		}
		if rest, ok = nextWord(rest, "status:"); !ok {
			continue
		}
		if status, rest, ok := spacedWord(rest); ok {
			entries = append(entries, logEntry{phase: name, status: status})
			s = rest
		}
	}
}

// spacedWord wants s to go on with white space and then a word.
func spacedWord(s string) (word, rest string, ok bool) {
	trimmed := trimStart(s)
	n := wordLen(trimmed)
	return trimmed[:n], trimmed[n:], n > 0 && len(trimmed) < len(s)
}

// listEntries reads lists such as "EXECUTED: PREPARE, RED_UNIT". The status need
// not stand alone: the list of NOT_EXECUTED is one of EXECUTED too.
func listEntries(s, status string) (entries []logEntry) {
	for {
		_, after, found := strings.Cut(s, status+":")
		if !found {
			return entries
		}
		s = after
		list := trimStart(after)
		if len(list) == len(after) {
			continue
		}
		n, ok := listLen(list)
		if !ok {
			continue
		}
		for item := range strings.SplitSeq(list[:n], ",") {
			if item = strings.TrimSpace(item); item != "" && strings.IndexFunc(item, notInName) < 0 {
				entries = append(entries, logEntry{phase: item, status: status})
			}
		}
		s = list[n:]
	}
}

// listLen is the length of the list that s begins with: the shortest run of what
// may stand in one that ends at a line break, at a status, or with the text.
func listLen(s string) (n int, ok bool) {
	for i, r := range s {
		if i > 0 && (r == '\n' || hasAnyPrefix(s[i:], listStatuses[:])) {
			return i, true
		}
		if r != ',' && notInName(r) && !unicode.IsSpace(r) {
			return 0, false
		}
	}
	return len(s), s != ""
}

func notInName(r rune) bool {
	return !('A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
}

// fieldEntries reads lines such as "Phase GREEN: status=EXECUTED, outcome=PASS".
func fieldEntries(s string) (entries []logEntry) {
	for {
		_, after, found := strings.Cut(s, "Phase")
		if !found {
			return entries
		}
		s = after
		name, rest, ok := spacedWord(after)
		if !ok {
			continue
		}
		if rest, ok = strings.CutPrefix(rest, ":"); !ok {
			continue
		}
		if rest, ok = nextWord(rest, "status="); !ok {
			continue
		}
		n := wordLen(rest)
		if n == 0 {
			continue
		}
		e := logEntry{phase: name, status: rest[:n]}
		rest = rest[n:]
		if value, ok := field(rest, "outcome="); ok {
			if n := wordLen(value); n > 0 {
				e.outcome, rest = value[:n], value[n:]
			}
		}
		if strings.EqualFold(e.outcome, "null") {
			e.outcome = ""
		}
		if value, ok := field(rest, "blocked_by="); ok {
			n := strings.IndexAny(value, ",\n")
			if n < 0 {
				n = len(value)
			}
			e.blockedBy, rest = strings.TrimSpace(value[:n]), value[n:]
		}
		if len(e.blockedBy) >= len("null") && strings.EqualFold(e.blockedBy[:len("null")], "null") {
			e.blockedBy = ""
		}
		entries = append(entries, e)
		s = rest
	}
}

// field wants s to go on with a comma, white space and name, and gives the rest.
func field(s, name string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, ","); !ok {
		return s, false
	}
	return nextWord(rest, name)
}
