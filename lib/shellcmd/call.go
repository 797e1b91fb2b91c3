package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A call is a simple command on its way through its wrappers.
type call struct {
	words   []Word
	env     []Variable
	targets []Word
	in      *string // what stands on standard input, nil: unknown
	dir     string
	outside bool // run by a program: it is no builtin of the shell
}

// simple walks through a simple command. It gives what the command writes, if
// that is known.
func (w *walker) simple(cmd *syntax.CallExpr, c call, sc *scope) *string {
	c.dir = sc.dir
	if len(cmd.Args) == 0 {
		for _, a := range cmd.Assigns {
			w.assign(a, sc)
		}
		if len(c.targets) > 0 {
			w.emit(Command{Targets: c.targets, Dir: c.dir})
		}
		return nil
	}
	c.words = w.words(cmd.Args, sc)
	if v, ok := sc.get("GIT_DIR"); ok && v.exported && len(v.values) == 1 {
		c.env = append(c.env, Variable{"GIT_DIR", v.values[0]})
	}
	if len(cmd.Assigns) > 0 {
		own := sc.child()
		for _, a := range cmd.Assigns {
			if a.Name != nil {
				c.env = append(c.env, Variable{a.Name.Value, w.assign(a, own)})
			}
		}
	}
	return w.run(c, sc)
}

const maxWrappers = 32 // around one command

// run looks through the wrappers of a command, follows what shells do
// themselves, and collects the rest.
func (w *walker) run(c call, sc *scope) *string {
	if !w.enter() {
		return nil
	}
	defer w.leave()
	for n := 0; len(c.words) > 0 && n < maxWrappers; n++ {
		if c.words[0].Loose { // a prefix that may be empty, like $SUDO
			c.words = c.words[1:]
			continue
		}
		if !w.unwrap(&c) {
			break
		}
	}
	if len(c.words) == 0 {
		if len(c.targets) > 0 {
			w.emit(Command{Targets: c.targets, Dir: c.dir})
		}
		return nil
	}
	name := programName(c.words[0])
	args := c.words[1:]
	if body, ok := w.funcs[c.words[0].Text]; ok && !c.outside {
		w.inline(body, args, c, sc)
		return nil
	}
	in := ""
	if c.in != nil {
		in = *c.in
	}
	w.emit(Command{Words: c.words, Env: c.env, Targets: c.targets, Input: in, Dir: c.dir})
	if isShell(name) {
		return w.shell(args, c, sc)
	}
	if c.outside {
		return nil
	}
	switch name {
	case "eval":
		return w.text(join(args), sc)
	case "cd", "pushd", "popd":
		w.chdir(name, args, sc)
	case "exit", "return":
		sc.dead = true
	case "read", "mapfile", "readarray", "getopts", "unset":
		for _, a := range args {
			if syntax.ValidName(a.Text) {
				sc.forget(a.Text)
			}
		}
	case "set":
		if i := indexWord(args, "--"); i >= 0 {
			sc.args, sc.isArgs = texts(args[i+1:]), known(args[i+1:])
		}
	case "shift":
		sc.isArgs = false
	}
	return output(name, args, c)
}

// inline walks through the body of a function that is called.
func (w *walker) inline(body *syntax.Stmt, args []Word, c call, sc *scope) {
	if len(c.targets) > 0 {
		w.emit(Command{Targets: c.targets, Dir: c.dir})
	}
	before, isBefore := sc.args, sc.isArgs
	sc.args, sc.isArgs = texts(args), known(args)
	w.statement(body, sc, c.in)
	sc.args, sc.isArgs, sc.dead = before, isBefore, false
}

// chdir follows cd, pushd and popd. An unknown directory stays one.
func (w *walker) chdir(name string, args []Word, sc *scope) {
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		args = args[1:]
	}
	to := unknown
	switch {
	case name == "popd" || name == "pushd" && len(args) == 0:
		if n := len(sc.stack); n > 0 {
			to = sc.stack[n-1]
			sc.stack = sc.stack[:n-1]
		}
	case len(args) == 0:
		if to = w.home; to == "" {
			to = unknown
		}
	case args[0].Text == "-":
		if sc.before != "" {
			to = sc.before
		}
	case args[0].Text == "":
		to = sc.dir
	default:
		to = Join(sc.dir, args[0].Text)
		if to == "" {
			to = "."
		}
	}
	if name == "pushd" {
		sc.stack = append(sc.stack[:len(sc.stack):len(sc.stack)], sc.dir)
	}
	sc.chdir(to)
}

func isShell(name string) bool {
	switch name {
	case "bash", "sh", "zsh", "dash", "ash", "ksh":
		return true
	}
	return false
}

// shell walks through what an inner shell is told to do, by -c or on its
// standard input.
func (w *walker) shell(args []Word, c call, sc *scope) *string {
	inner := sc.child()
	inner.dir = c.dir
	for _, v := range c.env {
		inner.set(v.Name, variable{values: []string{v.Value}, exported: true})
	}
	command, fromInput := false, false
	for len(args) > 0 {
		a := args[0].Text
		if a == "--" {
			args = args[1:]
			break
		}
		if len(a) < 2 || a[0] != '-' && a[0] != '+' {
			if a == "-" {
				args = args[1:]
			}
			break
		}
		args = args[1:]
		if strings.HasPrefix(a, "--") {
			if (a == "--rcfile" || a == "--init-file") && len(args) > 0 {
				args = args[1:]
			}
			continue
		}
		command = command || strings.Contains(a, "c")
		fromInput = fromInput || strings.Contains(a, "s")
		if n := strings.Count(a, "o") + strings.Count(a, "O"); n > 0 {
			args = args[min(n, len(args)):]
		}
	}
	switch {
	case command && len(args) > 0:
		if len(args) > 1 {
			inner.args, inner.isArgs = texts(args[2:]), known(args[2:])
		}
		return w.text(args[0].Text, inner)
	case !command && c.in != nil && (len(args) == 0 || fromInput):
		inner.args, inner.isArgs = texts(args), known(args)
		return w.text(*c.in, inner)
	}
	return nil
}

// output gives what a few simple programs write: as far as scripts are made of
// it. None of them resolves escapes here, so that what it gives stands in the
// script as it is (see [Mentions]).
func output(name string, args []Word, c call) *string {
	if len(c.targets) > 0 || !known(args) {
		return nil
	}
	out := ""
	switch name {
	case "echo":
		end := "\n"
		if len(args) > 0 && args[0].Text == "-n" {
			args, end = args[1:], ""
		}
		out = join(args) + end
	case "printf":
		switch {
		case len(args) == 1 && !strings.ContainsAny(strings.TrimSuffix(args[0].Text, `\n`), `%\`):
			out = strings.TrimSuffix(args[0].Text, `\n`)
		case len(args) == 2 && (args[0].Text == "%s" || args[0].Text == `%s\n`):
			out = args[1].Text
		default:
			return nil
		}
	case "cat":
		if c.in == nil || len(args) > 0 && args[0].Text != "-" {
			return nil
		}
		out = *c.in
	case "pwd":
		if out = c.dir; out == "" {
			return nil
		}
	case "which", "command":
		if len(args) == 0 || name == "command" && len(args) == 1 {
			return nil
		}
		out = args[len(args)-1].Text
	default:
		return nil
	}
	return &out
}

func texts(words []Word) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w.Text
	}
	return list
}

func join(words []Word) string { return strings.Join(texts(words), " ") }

func indexWord(words []Word, text string) int {
	for i, w := range words {
		if w.Text == text {
			return i
		}
	}
	return -1
}
