package client

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"isdlc-hooks/scripts/internal/settings"

	"mvdan.cc/sh/v3/syntax"
)

// A Target is what the command of a hook runs.
type Target struct {
	// Path is the program, or the script where the program is an interpreter of
	// one; absolute where the command says so. It is empty where that is not to
	// be known before the command runs.
	Path string
	Args []string // the words behind it
	// Alone: the command is that one call and nothing else.
	Alone bool
	// Lookup: Path is a name that is looked for in PATH.
	Lookup bool
	// Relative: Path is relative to the folder in which the session is just then.
	Relative bool
	// Unquoted is a variable that stands for a path and is not quoted, so that a
	// blank in the path takes the command apart.
	Unquoted string
	// Unset is a variable of the client that nothing fills in there.
	Unset string
	// Broken is why the text is no command.
	Broken string
}

// interpreters run the script that is their first word.
var interpreters = []string{"node", "nodejs", "bun", "deno", "sh", "bash", "dash", "zsh", "python", "python3", "ruby", "perl"}

// Find makes out what the command of a hook runs, in a session of the given
// project and, where the hook is that of a plugin, plugin folder.
func Find(h settings.Hook, project, plugin string, getenv func(string) string) Target {
	vars := func(name string) (string, bool) {
		switch name {
		case projectVariable:
			return project, true
		case pluginVariable:
			return plugin, true
		case "HOME":
			return getenv(name), getenv(name) != ""
		}
		return "", false
	}
	var t Target
	var words []word
	if h.Exec {
		t.Alone = true
		for _, text := range append([]string{h.Command}, h.Args...) {
			words = append(words, t.exec(text, vars))
		}
	} else {
		words = t.parse(h.Command, vars)
	}
	t.take(words)
	return t
}

// A word is one word of a command; ok tells whether its text is known.
type word struct {
	text string
	ok   bool
}

// exec fills in the variables of the exec form: the client does it for those in
// braces alone.
func (t *Target) exec(text string, vars func(string) (string, bool)) word {
	for _, name := range []string{projectVariable, pluginVariable} {
		value, _ := vars(name)
		filled := strings.ReplaceAll(text, "${"+name+"}", value)
		if strings.Contains(filled, "$"+name) || value == "" && filled != text {
			t.Unset = name
		}
		text = strings.ReplaceAll(filled, "$"+name, value)
	}
	return word{text, true}
}

func (t *Target) parse(command string, vars func(string) (string, bool)) []word {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(command), "")
	if err != nil {
		t.Broken = strings.TrimPrefix(err.Error(), "1:")
		return nil
	}
	var calls []*syntax.CallExpr
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			calls = append(calls, call)
		}
		return true
	})
	for _, call := range calls {
		for _, w := range call.Args {
			t.unquoted(w, vars)
		}
	}
	if len(calls) == 0 {
		return nil
	}
	t.Alone = len(calls) == 1 && len(file.Stmts) == 1 && file.Stmts[0].Cmd == syntax.Command(calls[0]) &&
		len(file.Stmts[0].Redirs) == 0 && !file.Stmts[0].Background && !file.Stmts[0].Negated
	// Of several calls, that which names a program of the project is the one
	// that counts: cd and its like come before it.
	for _, call := range calls {
		for _, w := range call.Args {
			if text, ok := literal(w.Parts, vars); ok && strings.Contains(text, "/.claude/hooks/") {
				return t.words(call, vars)
			}
		}
	}
	return t.words(calls[0], vars)
}

func (t *Target) words(call *syntax.CallExpr, vars func(string) (string, bool)) []word {
	var words []word
	for _, w := range call.Args {
		text, ok := literal(w.Parts, vars)
		words = append(words, word{text, ok})
	}
	return words
}

func (t *Target) unquoted(w *syntax.Word, vars func(string) (string, bool)) {
	for _, part := range w.Parts {
		if param, ok := part.(*syntax.ParamExp); ok && slices.Contains([]string{projectVariable, pluginVariable, "HOME", "PWD"}, param.Param.Value) {
			t.Unquoted = param.Param.Value
		}
	}
	if plugin, _ := vars(pluginVariable); plugin == "" {
		syntax.Walk(w, func(n syntax.Node) bool {
			if param, ok := n.(*syntax.ParamExp); ok && param.Param.Value == pluginVariable && param.Exp == nil {
				t.Unset = pluginVariable
			}
			return true
		})
	}
}

// literal is the text of a word whose variables are all known.
func literal(parts []syntax.WordPart, vars func(string) (string, bool)) (text string, ok bool) {
	var b strings.Builder
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			value := unescape(p.Value)
			if home, known := vars("HOME"); i == 0 && known && (value == "~" || strings.HasPrefix(value, "~/")) {
				value = home + value[1:]
			}
			b.WriteString(value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			inner, ok := literal(p.Parts, vars)
			if !ok {
				return "", false
			}
			b.WriteString(inner)
		case *syntax.ParamExp:
			value, known := vars(p.Param.Value)
			if !known || p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Length || p.Index != nil {
				return "", false
			}
			b.WriteString(value)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape drops the backslashes that quote a character.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// take finds the program among the words of a call.
func (t *Target) take(words []word) {
	if len(words) == 0 || !words[0].ok || words[0].text == "" {
		return
	}
	i := 0
	if slices.Contains(interpreters, strings.TrimSuffix(filepath.Base(filepath.FromSlash(words[0].text)), ".exe")) {
		for i = 1; i < len(words) && words[i].ok && strings.HasPrefix(words[i].text, "-"); i++ {
		}
		if i == len(words) || !words[i].ok || slices.ContainsFunc(words[1:i], func(w word) bool { return w.text == "-c" || w.text == "-e" }) {
			t.Path, t.Lookup = words[0].text, !strings.ContainsAny(words[0].text, `/\`)
			t.Alone = false
			return
		}
		t.Alone = false
	}
	t.Path = filepath.FromSlash(words[i].text)
	for _, w := range words[i+1:] {
		t.Args = append(t.Args, w.text)
		t.Alone = t.Alone && w.ok
	}
	switch {
	case filepath.IsAbs(t.Path):
	case i == 0 && !strings.ContainsAny(t.Path, `/\`):
		t.Lookup = true
	default:
		t.Relative = true
	}
}

// Name is the program's own name: without folder and without the ending that
// Windows wants.
func (t Target) Name() string {
	if t.Path == "" {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(t.Path), ".exe")
}

// File is where the program lies, in a session whose folder is dir. The ending
// that Windows wants is added where only that file is there.
func (t Target) File(dir string) string {
	file := t.Path
	if t.Relative {
		file = filepath.Join(dir, file)
	}
	if _, err := os.Stat(file); err != nil {
		if _, err := os.Stat(file + ".exe"); err == nil {
			return file + ".exe"
		}
	}
	return file
}
