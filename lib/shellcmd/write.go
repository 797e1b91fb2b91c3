package shellcmd

import (
	"path"
	"slices"
	"strings"
)

// StateWrites gives the paths of the state files that a script writes, in order
// (spec 05 D.6): by a redirection, by a program that writes the files it is
// given, or by a script in its arguments. Of a text that cannot be read the path
// is the one that stands in it.
func (s *Script) StateWrites() []string {
	var found []string
	add := func(path string) {
		if !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.Text != "" {
			if path := textWrite(c.Text); path != "" {
				add(path)
			}
			continue
		}
		for _, target := range c.Targets {
			if path, ok := stateFile(c.Dir, target); ok {
				add(path)
			}
		}
		dir, words := c.written()
		for _, w := range words {
			if path, ok := stateFile(dir, w); ok {
				add(path)
			}
		}
		if path := c.inlineWrite(); path != "" {
			add(path)
		}
	}
	return found
}

// stateFile tells whether a word is the path of a state file, seen from dir, and
// gives the path. A word with wildcards is one if they match it. The backslashes
// of a Windows path, which a shell drops, count too.
func stateFile(dir string, w Word) (string, bool) {
	for _, text := range [...]string{w.Text, w.kept} {
		if text == "" {
			continue
		}
		p := Join(dir, strings.ReplaceAll(text, `\`, "/"))
		if w.Glob {
			if ok, err := path.Match(base(p), stateName); ok && err == nil {
				p = strings.TrimSuffix(p, base(p)) + stateName
			}
		}
		if IsState(p) {
			return p, true
		}
	}
	return "", false
}

const stateName = "state.json"

// IsState tells whether a path with its . and .. resolved is that of a state
// file, of a project or of one in a monorepo (spec 40 §4.1).
func IsState(p string) bool {
	dir, ok := strings.CutSuffix(p, "/"+stateName)
	if !ok {
		return false
	}
	if strings.HasSuffix(dir, ".isdlc") {
		return true
	}
	i := strings.LastIndexByte(dir, '/')
	if i < 0 || i+1 == len(dir) || strings.ContainsAny(dir[i:], " \t\n\v\f\r\"'") {
		return false
	}
	return strings.HasSuffix(dir[:i], ".isdlc/projects")
}

// written gives the words that name files which the program of c writes, and the
// directory that they are seen from.
func (c *Command) written() (dir string, words []Word) {
	name := c.Program()
	if name == "" {
		return "", nil
	}
	args := c.Words[1:]
	switch name {
	case "tee", "sponge", "truncate", "rm", "unlink", "shred", "patch", "chmod", "chown":
	case "dd":
		args = valuesOf(args, "of=")
	case "cp", "mv", "install", "ln", "rsync", "scp":
		args = destinations(name, args)
	case "sed", "gsed":
		if !hasOption(args, 'i', "nErsuzb", "--in-place") {
			return "", nil
		}
	case "perl":
		if !hasOption(args, 'i', "pnalwWTtUucsSfX0123456789", "") {
			return "", nil
		}
	case "awk", "gawk":
		if !inplace(args) {
			return "", nil
		}
	case "git":
		return c.gitWrites()
	default:
		return "", nil
	}
	return c.Dir, args
}

func valuesOf(args []Word, prefix string) []Word {
	var list []Word
	for _, a := range args {
		if value, ok := strings.CutPrefix(a.Text, prefix); ok {
			a.Text = value
			list = append(list, a)
		}
	}
	return list
}

// hasOption tells whether a letter is among the options. letters are those that
// take no value: another one ends its row. With long, the long option counts
// too.
func hasOption(args []Word, letter byte, letters, long string) bool {
	for _, a := range args {
		if a.Text == "--" {
			return false
		}
		if long != "" && (a.Text == long || strings.HasPrefix(a.Text, long+"=")) {
			return true
		}
		if len(a.Text) < 2 || a.Text[0] != '-' || a.Text[1] == '-' {
			continue
		}
		for i := 1; i < len(a.Text); i++ {
			if a.Text[i] == letter {
				return true
			}
			if strings.IndexByte(letters, a.Text[i]) < 0 {
				break
			}
		}
	}
	return false
}

// inplace tells whether the options of awk load the library that writes files in
// place.
func inplace(args []Word) bool {
	for i, a := range args {
		switch a.Text {
		case "-iinplace", "--include=inplace":
			return true
		case "-i", "--include":
			if i+1 < len(args) && args[i+1].Text == "inplace" {
				return true
			}
		}
	}
	return false
}

// destinations gives what cp and the like write: their last operand, or what
// they put into that directory or the one of -t. mv takes its sources away.
func destinations(name string, args []Word) []Word {
	var operands []Word
	var target *Word
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.Text == "--":
			operands = append(operands, args[i+1:]...)
			i = len(args)
		case (a.Text == "-t" || a.Text == "--target-directory") && name != "rsync" && name != "scp":
			if i++; i < len(args) {
				target = &args[i]
			}
		case strings.HasPrefix(a.Text, "--target-directory="):
			target = &Word{Text: a.Text[len("--target-directory="):]}
		case strings.HasPrefix(a.Text, "-t") && len(a.Text) > 2 && (name == "cp" || name == "mv" || name == "ln" || name == "install"):
			target = &Word{Text: a.Text[2:]}
		case len(a.Text) > 1 && a.Text[0] == '-':
			if takesValue(name, a.Text) {
				i++
			}
		default:
			operands = append(operands, a)
		}
	}
	sources := operands
	if target == nil {
		if len(operands) == 0 {
			return nil
		}
		target = &operands[len(operands)-1]
		sources = operands[:len(operands)-1]
	}
	if host, _, ok := strings.Cut(target.Text, ":"); ok && (name == "scp" || name == "rsync") && len(host) > 1 && !strings.Contains(host, "/") {
		return nil // on another machine
	}
	list := []Word{*target}
	for _, s := range sources {
		s.Text = target.Text + "/" + base(s.Text)
		list = append(list, s)
	}
	if name == "mv" {
		list = append(list, sources...)
	}
	return list
}

// takesValue tells whether an option has its value in the next word.
func takesValue(program, option string) bool {
	letters := ""
	switch program {
	case "cp", "mv", "ln":
		letters = "S"
	case "install":
		letters = "gmoS"
	case "scp":
		letters = "cDFiJloPSX"
	case "rsync":
		letters = "efBTM"
	}
	return option[1] != '-' && strings.IndexByte(letters, option[len(option)-1]) >= 0
}

// gitWrites gives the paths that a git command takes away or brings back, and
// the directory that they are seen from.
func (c *Command) gitWrites() (dir string, words []Word) {
	g, ok := parseGit(c)
	if !ok {
		return "", nil
	}
	has := func(options ...string) bool {
		return slices.ContainsFunc(g.args, func(w Word) bool { return slices.Contains(options, w.Text) })
	}
	switch g.sub.Text {
	case "checkout":
	case "restore":
		if has("--staged", "-S") && !has("--worktree", "-W") { // only the index
			return "", nil
		}
	case "rm":
		if has("--cached") {
			return "", nil
		}
	case "mv":
		return g.Dir, append(slices.Clone(g.args), destinations("mv", g.args)...)
	default:
		return "", nil
	}
	return g.Dir, g.args
}
