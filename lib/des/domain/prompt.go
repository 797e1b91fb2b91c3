package domain

import (
	"slices"
	"strings"
)

// mandatorySections are the headings that the prompt of a DES task must have.
var mandatorySections = [...]string{
	"DES_METADATA", "AGENT_IDENTITY", "TASK_CONTEXT", "TDD_7_PHASES",
	"QUALITY_GATES", "OUTCOME_RECORDING", "BOUNDARY_RULES", "TIMEOUT_INSTRUCTION",
}

// PromptValidator tells whether the prompt of a DES task says all that the agent
// must know (spec 60 §4.4).
type PromptValidator struct {
	Schema Schema
}

// Validate lists what is wrong with prompt: the marker, the sections, the
// phases, the execution log in it, in this order. It is empty for a good one.
func (v PromptValidator) Validate(prompt string) []string {
	return slices.Concat(
		checkMarker(prompt),
		checkSections(prompt),
		v.checkPhases(prompt),
		v.checkLog(prompt),
	)
}

// checkMarker wants the first validation marker to be the one that makes a DES
// task, so that the two readings of a prompt with several agree.
func checkMarker(prompt string) []string {
	found, ok := findMarker(prompt, Validation, word)
	if !ok || found == required {
		return nil
	}
	return []string{"INVALID_MARKER: the first " + Validation + " marker says " + found + "; it must say " + required}
}

func checkSections(prompt string) (problems []string) {
	for _, name := range mandatorySections {
		if !strings.Contains(prompt, "# "+name) {
			problems = append(problems, "MISSING: the prompt has no section # "+name)
		}
	}
	return problems
}

// checkPhases wants each phase to be mentioned in a line that does not negate it.
func (v PromptValidator) checkPhases(prompt string) (problems []string) {
	if saysAllPhases(prompt) {
		return nil
	}
	lines := strings.Split(prompt, "\n")
	for _, phase := range v.Schema.Phases {
		if !slices.ContainsFunc(lines, func(line string) bool { return mentions(line, phase) }) {
			problems = append(problems, "INCOMPLETE: the prompt does not mention the phase "+phase)
		}
	}
	return problems
}

// saysAllPhases finds the short form that stands for the list of phases, such as
// "all 7 phases listed".
func saysAllPhases(prompt string) bool {
	s := lowerASCII(prompt)
	for {
		_, after, found := strings.Cut(s, "all")
		if !found {
			return false
		}
		s = after
		rest, ok := nextWord(after, "7")
		if !ok {
			continue
		}
		if rest, ok = nextWord(rest, "phase"); !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, "s")
		for _, verb := range [...]string{"listed", "mentioned", "included", "present"} {
			if _, ok := nextWord(rest, verb); ok {
				return true
			}
		}
	}
}

// nextWord wants s to go on with white space and then word, and gives the rest.
func nextWord(s, word string) (rest string, ok bool) {
	trimmed := trimStart(s)
	if len(trimmed) == len(s) {
		return s, false
	}
	return strings.CutPrefix(trimmed, word)
}

func mentions(line, phase string) bool {
	return strings.Contains(line, phase) && !inParentheses(line, phase) && !negated(line, phase) && !toldMissing(line, phase)
}

func inParentheses(line, phase string) bool {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 {
		return false
	}
	at := wholeWord(line, phase, open+1)
	return at >= 0 && at+len(phase) <= end
}

// negated finds the phase right after one of the words that take it away.
func negated(line, phase string) bool {
	line, phase = lowerASCII(line), lowerASCII(phase)
	for _, no := range [...]string{"without", "missing", "no"} {
		for at := wholeWord(line, no, 0); at >= 0; at = wholeWord(line, no, at+1) {
			after := line[at+len(no):]
			trimmed := trimStart(after)
			if rest, ok := strings.CutPrefix(trimmed, phase); ok && len(trimmed) < len(after) && wordLen(rest) == 0 {
				return true
			}
		}
	}
	return false
}

func toldMissing(line, phase string) bool {
	for {
		_, after, found := strings.Cut(line, "# MISSING:")
		if !found {
			return false
		}
		if strings.HasPrefix(trimStart(after), phase) {
			return true
		}
		line = after
	}
}

// lowerASCII lowers A to Z and leaves the length as it is.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
