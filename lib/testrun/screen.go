package testrun

import "strings"

// plain is s without the escape sequences of a terminal. A carriage return or a
// move to the first column inside a line begins the line anew, as on a screen.
func plain(s string) string {
	if !strings.ContainsAny(s, "\x1b\r\b") {
		return s
	}
	out := make([]byte, 0, len(s))
	line := 0     // where the current line begins in out
	blank := true // there is nothing on it yet
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == 0x1b:
			n, home := escape(s[i:])
			if home && !blank {
				out, blank = out[:line], true
			}
			i += n
			continue
		case c == '\r' && i+1 < len(s) && s[i+1] != '\n' && s[i+1] != '\r':
			out, blank = out[:line], true
		case c == '\r':
		case c == '\b':
		case c == '\n':
			out = append(out, c)
			line, blank = len(out), true
		default:
			out = append(out, c)
			blank = blank && (c == ' ' || c == '\t')
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

// prefixed splits a line of turbo ("web:test: ", "web:test:unit: ") or of pnpm -r
// ("packages/a test: ").
func prefixed(l string) (unit, body string, ok bool) {
	end := strings.Index(l, ": ")
	if end < 0 {
		end = len(strings.TrimSuffix(l, ":"))
	}
	unit = l[:end]
	if end > 80 || end == len(l) || strings.ContainsAny(unit, "\t\"'()>") {
		return "", "", false
	}
	name, task, spaced := strings.Cut(unit, " ")
	if !spaced {
		name, task, _ = strings.Cut(unit, ":")
	}
	if name == "" || spaced && !strings.Contains(name, "/") || task != "test" && !strings.HasPrefix(task, "test:") || strings.Contains(task, " ") {
		return "", "", false
	}
	return unit, strings.TrimPrefix(l[end+1:], " "), true
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
