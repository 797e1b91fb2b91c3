package testrun

import "strings"

// plain is s without the escape sequences of a terminal. A carriage return or a
// move to the first column inside a line begins the line anew, as on a screen.
func plain(s string) string {
	if !strings.ContainsAny(s, "\x1b\r\b") {
		return s
	}
	out := make([]byte, 0, len(s))
	line := 0 // where the current line begins in out
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == 0x1b:
			n, home := escape(s[i:])
			if home && strings.TrimSpace(string(out[line:])) != "" {
				out = out[:line]
			}
			i += n
			continue
		case c == '\r' && i+1 < len(s) && s[i+1] != '\n' && s[i+1] != '\r':
			out = out[:line]
		case c == '\r':
		case c == '\b':
		case c == '\n':
			out = append(out, c)
			line = len(out)
		default:
			out = append(out, c)
		}
		i++
	}
	return string(out)
}

// escape is the length of the escape sequence at the beginning of s, and whether
// it moves to the first column.
func escape(s string) (n int, home bool) {
	if len(s) < 2 {
		return len(s), false
	}
	switch s[1] {
	case '[': // parameters, intermediates, one final byte
		n = 2
		for n < len(s) && 0x20 <= s[n] && s[n] <= 0x3f {
			n++
		}
		if n == len(s) {
			return n, false
		}
		return n + 1, s[n] == 'G' && (s[2:n] == "" || s[2:n] == "1")
	case ']', 'P', '_', '^': // a string, ended by BEL or ESC \
		for n = 2; n < len(s); n++ {
			switch s[n] {
			case 0x07:
				return n + 1, false
			case 0x1b:
				return min(n+2, len(s)), false
			case '\n': // never ended: it was no string
				return 2, false
			}
		}
		return 2, false
	case '(', ')', '*', '+', '#', '%', ' ':
		return min(3, len(s)), false
	}
	return 2, false
}

// A sheet is the output of a run in lines.
type sheet struct {
	run   Run
	text  string
	lines []string
	unit  []string // for each line, the package or script that it belongs to
	cut   bool     // lines may be missing: the output went through a filter
	open  bool     // lines may be missing at the end, or in between

	recursive bool // the tests of several packages are run, each with a summary
}

func newSheet(run Run) *sheet {
	s := &sheet{run: run, text: plain(run.Output)}
	s.lines = strings.Split(s.text, "\n")
	for i, l := range s.lines {
		s.lines[i] = strings.TrimRight(l, " \t\r")
	}
	s.cut, s.open = filtered(run.Command, strings.Count(strings.TrimSuffix(s.text, "\n"), "\n")+1)
	s.unwrap()
	s.divide()
	return s
}

// at is line i, "" beyond the ends.
func (s *sheet) at(i int) string {
	if i < 0 || i >= len(s.lines) {
		return ""
	}
	return s.lines[i]
}

// after is the first line after i that is not blank, within the next few.
func (s *sheet) after(i int) (string, int) {
	for n := 1; n <= 4; n++ {
		if l := strings.TrimSpace(s.at(i + n)); l != "" {
			return l, i + n
		}
	}
	return "", -1
}

// unwrap takes away what monorepo tools put before each line ("web:test: ",
// "packages/a test: "), and puts the lines of each package together.
func (s *sheet) unwrap() {
	var order []string
	bodies := map[string][]string{}
	var rest []string
	for _, l := range s.lines {
		unit, body, ok := prefixed(l)
		if !ok {
			rest = append(rest, l)
			continue
		}
		if _, seen := bodies[unit]; !seen {
			order = append(order, unit)
		}
		bodies[unit] = append(bodies[unit], body)
	}
	if len(order) == 0 {
		return
	}
	s.lines = nil
	for _, unit := range order {
		for _, body := range bodies[unit] {
			s.lines = append(s.lines, body)
			s.unit = append(s.unit, unit)
		}
	}
	for _, l := range rest {
		s.lines = append(s.lines, l)
		s.unit = append(s.unit, "")
	}
}

// prefixed splits a line of turbo ("web:test: ") or of pnpm -r ("a test: ").
func prefixed(l string) (unit, body string, ok bool) {
	i := strings.Index(l, "test")
	if i < 2 || i > 60 || l[i-1] != ':' && l[i-1] != ' ' || strings.ContainsAny(l[:i-1], " \t\"'()>") {
		return "", "", false
	}
	end := strings.IndexByte(l[i:], ':')
	for end >= 0 && i+end+1 < len(l) && l[i+end+1] != ' ' { // test:unit
		next := strings.IndexByte(l[i+end+1:], ':')
		if next < 0 {
			return "", "", false
		}
		end += 1 + next
	}
	if end < 0 || strings.ContainsAny(l[i:i+end], " \t/") {
		return "", "", false
	}
	return l[:i+end], strings.TrimPrefix(l[i+end+1:], " "), true
}

// divide notes which package each line belongs to, where tools head the output
// of each.
func (s *sheet) divide() {
	if s.unit == nil {
		s.unit = make([]string, len(s.lines))
	}
	current := ""
	s.recursive = recursive(s.run.Command)
	for i, l := range s.lines {
		if h := heading(l); h != "" {
			current = h
		}
		s.recursive = s.recursive || strings.HasPrefix(l, "> ") && recursive(l)
		if s.unit[i] == "" {
			s.unit[i] = current
		}
	}
}

// heading is the name of the package or script that a line heads, "" for other
// lines.
func heading(l string) string {
	switch {
	case strings.HasPrefix(l, "> "): // npm: "> name@version script"
		name, script, ok := strings.Cut(l[2:], " ")
		if ok && strings.LastIndexByte(name, '@') > 0 {
			return name + " " + script
		}
	case strings.HasPrefix(l, "cd "): // a recipe that make echoes
		if dir, _, ok := strings.Cut(l, " && "); ok {
			return dir
		}
	case strings.HasPrefix(l, "make") && strings.Contains(l, ": Entering directory "):
		return l
	case strings.HasPrefix(l, "lerna info run Ran "), strings.HasPrefix(l, "nox > Session "), strings.HasPrefix(l, "> nx run "):
		return l
	case strings.Contains(l, ": commands[") || strings.Contains(l, " run-test: commands["): // tox
		return l
	case strings.HasPrefix(strings.TrimLeft(l, " │"), "Running:  "): // cypress
		return l
	}
	return ""
}
