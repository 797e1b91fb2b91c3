package testrun

import (
	"strconv"
	"strings"
)

// Status tells what the exit code of a whole command says about the tests in
// it, for which isTest asks of a simple command. A pipe, a following command, ||
// or & hides it: then the result is the unknown Exit. A failure behind || is
// still one.
func Status(command string, code int, isTest func(simple string) bool) Exit {
	seen, hides := false, false
	certain := false // a code other than 0 is that of a test
	piped := strings.Contains(command, "pipefail") || strings.Contains(command, "PIPESTATUS")
	parts := split(command)
	for i, p := range parts {
		if !isTest(p.text) {
			continue
		}
		seen = true
		if at := strings.IndexAny(p.text, "$`"); at >= 0 && p.substitutes && !isTest(p.text[:at]) {
			hides = true // it runs inside of the substitution
			continue
		}
		zero, bad := fate(parts[i:], piped)
		hides = hides || !zero
		certain = certain || bad
	}
	switch {
	case !seen, code == 0 && !hides, code != 0 && certain:
		return Exit{true, strconv.Itoa(code)}
	}
	return Exit{}
}

// fate follows the status of the first of parts to the end of the command: what
// it says if it is 0, and if it is not.
func fate(parts []simple, piped bool) (zero, bad bool) {
	zero, bad = true, true
	if parts[0].tested || inner(parts[0].text) && !piped {
		return false, false
	}
	for i, p := range parts {
		if i+1 == len(parts) || onlyCloses(parts[i+1:]) {
			return zero && p.op != "&", bad && p.op != "&"
		}
		switch p.op {
		case "&&":
		case "||":
			zero = false
		case "|", "|&":
			if !piped {
				return false, false
			}
		default: // ; & and line ends
			if piped && strings.Contains(parts[len(parts)-1].text, "PIPESTATUS") {
				return zero, bad
			}
			return false, false
		}
	}
	return zero, bad
}

// inner tells whether a simple command hands several to another shell, so that
// what hides the status may be in there.
func inner(simple string) bool {
	return strings.Contains(simple, " -c ") && strings.ContainsAny(simple, "|;&\n")
}

// loops tells whether the command runs something once for each of several
// things. A loop that is left when it has succeeded tries one thing again.
func loops(command string) bool {
	loop := false
	for _, p := range split(command) {
		word, _, _ := strings.Cut(p.text, " ")
		if word == "break" {
			return false
		}
		loop = loop || word == "for" || p.loop
	}
	return loop
}

// onlyCloses tells whether nothing is left but words that end a compound.
func onlyCloses(parts []simple) bool {
	for _, p := range parts {
		switch strings.TrimSpace(p.text) {
		case "", "fi", "done", "esac", "}":
		default:
			return false
		}
	}
	return true
}

// A simple is a piece of a command between operators.
type simple struct {
	text   string
	op     string // that follows
	tested bool   // its status is a condition, or goes nowhere
	loop   bool   // it is the condition of a loop

	substitutes bool // it holds $( or a backquote
}

// split cuts a command at its operators, outside of quotes. It is no parser:
// what it does not understand stays in one piece.
func split(command string) []simple {
	var parts []simple
	var quote byte
	begin, tested, substitutes := 0, false, false
	depth := 0 // of $( and backquotes, whose status goes nowhere
	cut := func(end int, op string) {
		text := strings.TrimSpace(command[begin:end])
		trimmed := strings.TrimLeft(text, "({ \t!")
		word, rest, _ := strings.Cut(trimmed, " ")
		condition := tested || depth > 0 || strings.Contains(text[:len(text)-len(trimmed)], "!")
		switch word {
		case "if", "while", "until", "elif":
			condition, trimmed = true, rest
			tested = true // up to then or do
		case "then", "do", "else":
			condition, trimmed = depth > 0, rest
			tested = false
		}
		parts = append(parts, simple{strings.TrimRight(trimmed, " )}"), op, condition, word == "while" || word == "until", substitutes})
		substitutes = false
		begin = end + len(op)
	}
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == '\'' && c == '\'', quote == '"' && c == '"':
			quote = 0
		case quote == '\'':
		case c == '\\':
			i++
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case c == '`':
			depth ^= 1
			substitutes = true
		case c == '$' && strings.HasPrefix(command[i:], "$("):
			depth++
			substitutes = true
			i++
		case c == ')' && depth > 0:
			depth--
		case c == '>' && strings.HasPrefix(command[i:], ">&"), c == '&' && strings.HasPrefix(command[i:], "&>"):
			i++
		default:
			if op := operator(command[i:]); op != "" {
				cut(i, op)
				i += len(op) - 1
			}
		}
	}
	cut(len(command), "")
	return parts
}

func operator(s string) string {
	for _, op := range [...]string{"&&", "||", "|&", "|", "&", ";", "\n"} {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}
