package settings

import (
	"regexp"
	"slices"
	"strings"
)

// Some events have a matcher that is compared with the tool. For Stop the
// client ignores it; for SubagentStop it is compared with the agent.
var toolEvents = []string{"PreToolUse", "PostToolUse", "PostToolUseFailure"}

// Matches tells whether a group with this matcher runs for a tool, as the
// client decides it: nothing or a star is every tool, a list of names is a
// list, all else is a regular expression that is not anchored.
func Matches(matcher, tool string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if names, ok := matcherNames(matcher); ok {
		return slices.Contains(names, tool)
	}
	re, err := regexp.Compile(matcher)
	return err == nil && re.MatchString(tool)
}

// matcherNames splits a matcher that is a list of names.
func matcherNames(matcher string) ([]string, bool) {
	names := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' })
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		for _, r := range names[i] {
			if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
				return nil, false
			}
		}
	}
	return names, true
}

// withAgent gives a list of names that has Task, but not Agent, the second
// name of the sub-agent tool.
func withAgent(matcher string) string {
	names, ok := matcherNames(matcher)
	if !ok || slices.Contains(names, "Agent") {
		return matcher
	}
	i := slices.Index(names, "Task")
	if i < 0 {
		return matcher
	}
	return strings.Join(slices.Insert(names, i+1, "Agent"), "|")
}

// overlap tells whether a group with this matcher runs for one of the tools
// that an entry is for.
func overlap(event, matcher string, entry Entry) bool {
	if entry.Event != event {
		return false
	}
	if !slices.Contains(toolEvents, event) {
		return true
	}
	return slices.ContainsFunc(entry.tools(), func(tool string) bool { return Matches(withAgent(matcher), tool) })
}
