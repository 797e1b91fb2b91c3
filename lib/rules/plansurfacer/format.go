package plansurfacer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"isdlc-hooks/lib/text"
)

// findings judges the text of a plan in the format v2.0 (spec 10 §5.1). Plans in
// other formats have none.
func findings(plan string) []string {
	lines := strings.Split(plan, "\n")
	if !isV2(plan) {
		return nil
	}
	section, ok := implementationSection(lines)
	if !ok {
		return []string{"there is no section \"## Phase 06: Implementation\""}
	}
	var found []string
	if !annotated(section) {
		found = append(found, "no task of the implementation has a files: line")
	}
	if slices.ContainsFunc(section, isTask) && !strings.Contains(strings.Join(section, "\n"), "| traces:") {
		found = append(found, "no task of the implementation is traced to a requirement (| traces:)")
	}
	if strings.Contains(plan, "## Dependency Graph") {
		if stuck := cycle(lines); len(stuck) > 0 {
			found = append(found, "the tasks wait for each other in a cycle: "+strings.Join(stuck, ", "))
		}
	}
	return found
}

// isV2 tells whether a line begins with "Format:", white space (a line end is
// some) and v2.0.
func isV2(plan string) bool {
	const label = "Format:"
	for rest := plan; ; {
		if after, ok := strings.CutPrefix(rest, label); ok && strings.HasPrefix(after[text.SpaceLen(after):], "v2.0") {
			return true
		}
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			return false
		}
		rest = rest[end+1:]
	}
}

// implementationSection gives the lines from the heading of the implementation
// to the next heading of its level.
func implementationSection(lines []string) ([]string, bool) {
	start := slices.IndexFunc(lines, isImplementationHeading)
	if start < 0 {
		return nil, false
	}
	section := lines[start:]
	if end := slices.IndexFunc(section[1:], func(l string) bool { return strings.HasPrefix(l, "## ") }); end >= 0 {
		section = section[:end+1]
	}
	return section, true
}

// isImplementationHeading tells whether a line begins with "## Phase", a number
// and a colon, and says Implementation after it.
func isImplementationHeading(line string) bool {
	rest, ok := strings.CutPrefix(line, "## Phase ")
	if !ok {
		return false
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	if n == 0 || !strings.HasPrefix(rest[n:], ":") {
		return false
	}
	title := rest[n+1:]
	if end := strings.IndexAny(title, "\r\u2028\u2029"); end >= 0 {
		title = title[:end]
	}
	return strings.Contains(title, "Implementation")
}

// annotated tells whether somewhere at the beginning of a line exactly two
// characters of white space stand before "files:". The second may be a line end.
func annotated(section []string) bool {
	whole := strings.Join(section, "\n")
	for rest := whole; ; {
		if after, ok := skipTwoSpaces(rest); ok && strings.HasPrefix(after, "files:") {
			return true
		}
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			return false
		}
		rest = rest[end+1:]
	}
}

func skipTwoSpaces(s string) (rest string, ok bool) {
	for range 2 {
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || !text.IsSpace(r) {
			return s, false
		}
		s = s[size:]
	}
	return s, true
}

// isTask tells whether a line is a task: "- [ ] T0001", with what stands in the
// box.
func isTask(line string) bool { return taskID(line) != "" }

// taskID is the id of the task that a line is about, "" for other lines.
func taskID(line string) string {
	rest, ok := strings.CutPrefix(line, "- [")
	if !ok {
		return ""
	}
	box := 0
	for box < len(rest) && strings.IndexByte(" XBLOCKED", rest[box]) >= 0 {
		box++
	}
	rest, ok = strings.CutPrefix(rest[box:], "] ")
	if !ok {
		return ""
	}
	return id(rest)
}

// id is the task id at the beginning of s: T and four digits.
func id(s string) string {
	const length = len("T0000")
	if len(s) < length || s[0] != 'T' {
		return ""
	}
	for i := 1; i < length; i++ {
		if s[i] < '0' || '9' < s[i] {
			return ""
		}
	}
	return s[:length]
}

// cycle gives the tasks that can never begin, because they wait for each other
// or for such a task, in the order of the plan.
func cycle(lines []string) []string {
	var order []string
	waits := map[string][]string{}
	for i, line := range lines {
		task := taskID(line)
		if task == "" {
			continue
		}
		if _, known := waits[task]; !known {
			order = append(order, task)
			waits[task] = nil
		}
		if blockers := blockedBy(lines[i+1:]); blockers != nil {
			waits[task] = blockers
		}
	}
	for before := -1; len(order) != before; {
		before = len(order)
		order = slices.DeleteFunc(order, func(task string) bool {
			for _, blocker := range waits[task] {
				if _, waiting := waits[blocker]; waiting {
					return false
				}
			}
			delete(waits, task)
			return true
		})
	}
	return order
}

// blockedBy reads the ids of the first blocked_by line among those that belong
// to a task: the indented ones right after it.
func blockedBy(lines []string) []string {
	for _, line := range lines {
		if !strings.HasPrefix(line, "  ") || len(line) < 3 || strings.HasSuffix(line, "\r") {
			return nil
		}
		after, ok := skipTwoSpaces(line)
		if !ok {
			continue
		}
		after, ok = strings.CutPrefix(after, "blocked_by:")
		if !ok {
			continue
		}
		after, ok = strings.CutPrefix(after[text.SpaceLen(after):], "[")
		end := strings.IndexByte(after, ']')
		if !ok || end < 1 {
			continue
		}
		ids := []string{}
		for _, part := range strings.Split(after[:end], ",") {
			ids = append(ids, text.Trim(part))
		}
		return ids
	}
	return nil
}
