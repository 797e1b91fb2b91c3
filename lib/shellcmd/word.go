package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An expander turns what is written into the words that a command gets.
type expander struct {
	w  *walker
	sc *scope

	words []Word

	// the word that is being built
	text   []byte
	kept   []byte // with the backslashes that text lost; nil where it lost none
	begun  bool   // something was written, if only quotes
	loose  bool   // it holds an unquoted part that is unknown
	glob   bool
	quotes bool
}

// words expands words as those of a simple command.
func (w *walker) words(list []*syntax.Word, sc *scope) []Word {
	e := &expander{w: w, sc: sc}
	for _, word := range list {
		for _, alternative := range braces(word) {
			if !w.step() {
				return e.words
			}
			e.parts(alternative.Parts)
			e.flush()
		}
	}
	return e.words
}

// value expands a word that stays one, as the value of an assignment or the
// target of a redirection.
func (w *walker) value(word *syntax.Word, sc *scope) Word {
	if word == nil || !w.step() {
		return Word{}
	}
	e := &expander{w: w, sc: sc, quotes: true}
	for i, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			e.literal(lit.Value, i == 0)
		} else {
			e.part(part)
		}
	}
	return e.word()
}

// flush ends the word that is being built.
func (e *expander) flush() {
	if e.begun {
		e.words = append(e.words, e.word())
	}
	*e = expander{w: e.w, sc: e.sc, words: e.words}
}

func (e *expander) word() Word {
	if e.w.produced += len(e.text); e.w.produced > maxValue {
		e.w.exhausted = true
	}
	text := string(e.text)
	return Word{Text: text, Loose: e.loose && text == unknown, Glob: e.glob, kept: string(e.kept)}
}

func (e *expander) write(s string) {
	e.begun = true
	if len(e.text)+len(s) > maxValue {
		e.w.exhausted = true
		return
	}
	e.text = append(e.text, s...)
	if e.kept != nil {
		e.kept = append(e.kept, s...)
	}
}

// unknowable writes a part that is not known. Where it is not quoted it may come
// to several words.
func (e *expander) unknowable() {
	e.write(unknown)
	e.loose = e.loose || !e.quotes
}

func (e *expander) parts(parts []syntax.WordPart) {
	for i, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok && !e.quotes {
			e.literal(lit.Value, i == 0 && !e.begun)
		} else {
			e.part(part)
		}
	}
}

func (e *expander) part(part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.Lit:
		e.write(unescapeQuoted(p.Value))
	case *syntax.SglQuoted:
		if p.Dollar {
			e.write(ansi(p.Value))
		} else {
			e.write(p.Value)
		}
	case *syntax.DblQuoted:
		before := e.quotes
		e.quotes, e.begun = true, e.begun || !e.nothing(p)
		e.parts(p.Parts)
		e.quotes = before
	case *syntax.ParamExp:
		e.param(p)
	case *syntax.CmdSubst:
		if out := e.w.statements(p.Stmts, e.sc.child(), nil); out != nil {
			e.split(strings.TrimRight(*out, "\n"))
		} else {
			e.unknowable()
		}
	case *syntax.ArithmExp:
		e.w.arithmetic(p.X, e.sc)
		e.unknowable()
	case *syntax.ProcSubst:
		e.w.statements(p.Stmts, e.sc.child(), nil)
		e.write(unknown)
	case *syntax.ExtGlob:
		e.write(unknown)
	default:
		e.write(unknown)
	}
}

// nothing tells whether a quoted part comes to no word at all, not even an empty
// one: "$@" without parameters.
func (e *expander) nothing(q *syntax.DblQuoted) bool {
	if len(q.Parts) != 1 || !e.sc.isArgs || len(e.sc.args) > 0 {
		return false
	}
	p, ok := q.Parts[0].(*syntax.ParamExp)
	return ok && p.Param != nil && p.Param.Value == "@" && p.Exp == nil
}

// literal writes text outside quotes: its backslashes go, a tilde in front
// becomes the home directory.
func (e *expander) literal(s string, first bool) {
	e.begun = true
	if first && strings.HasPrefix(s, "~") {
		user, rest, below := strings.Cut(s[1:], "/")
		if s = e.w.home; user != "" || s == "" {
			s = unknown
		}
		if below {
			s += "/" + rest
		}
	}
	if strings.ContainsAny(s, "*?[") {
		e.glob = true
	}
	if strings.Contains(s, unknown) && !e.quotes {
		e.loose = true
	}
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			e.write(s)
			return
		}
		e.write(s[:i])
		if e.kept == nil {
			e.kept = append(make([]byte, 0, len(e.text)+len(s)), e.text...)
		}
		e.kept = append(e.kept, '\\')
		e.write(s[i+1 : i+2])
		s = s[i+2:]
	}
}

// split writes the value of an expansion, which is split at blanks where it is
// not quoted.
func (e *expander) split(s string) {
	if e.quotes {
		e.write(s)
		return
	}
	if strings.ContainsAny(s, "*?[") {
		e.glob = true
	}
	for s != "" {
		i := strings.IndexAny(s, " \t\n")
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			e.write(s[:i])
			e.loose = e.loose || s[:i] == unknown
		}
		if s = s[i:]; s == "" {
			return
		}
		s = strings.TrimLeft(s, " \t\n")
		e.flush()
	}
}

// list writes the elements of an array or the positional parameters: each is a
// word of its own.
func (e *expander) list(values []string) {
	quotes := e.quotes
	for i, v := range values {
		if i > 0 && e.begun {
			e.flush()
			e.quotes = quotes
		}
		e.split(v)
		e.begun = e.begun || quotes
	}
}

// param writes the value of a variable.
func (e *expander) param(p *syntax.ParamExp) {
	e.w.insideParam(p, e.sc)
	word := "" // of ${name:-word}
	if p.Exp != nil {
		word = e.w.value(p.Exp.Word, e.sc).Text
	}
	if p.Param == nil || p.Excl || p.Length || p.Width || p.IsSet || p.Flags != nil ||
		p.Names != 0 || p.Slice != nil || p.Repl != nil || len(p.Modifiers) > 0 {
		e.unknowable()
		return
	}
	values, known := e.sc.lookup(p.Param.Value, e.w.home)
	if p.Index != nil && known {
		switch index := literalIndex(p.Index); {
		case index == "@" || index == "*":
		case index == "0" && len(values) > 0:
			values = values[:1]
		default:
			known = false
		}
	} else if known && len(values) > 1 && p.Param.Value != "@" && p.Param.Value != "*" {
		values = values[:1]
	}
	if p.Exp != nil {
		empty := known && strings.Join(values, "") == ""
		switch p.Exp.Op {
		case syntax.DefaultUnset, syntax.AssignUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull:
			// A variable that the script does not set is taken to be unset: the
			// word is what its author expects.
			if !known && !e.sc.assigned(p.Param.Value) || empty && p.Exp.Op != syntax.DefaultUnset && p.Exp.Op != syntax.AssignUnset {
				if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
					e.sc.set(p.Param.Value, variable{values: []string{word}})
				}
				e.split(word)
				return
			}
		case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			if known && !empty {
				e.split(word)
				return
			}
			known = known && len(values) == 0
		default:
			known = false
		}
	}
	if !known {
		e.unknowable()
		e.loose = e.loose || p.Param.Value == "@"
		return
	}
	e.list(values)
}

func literalIndex(x syntax.ArithmExpr) string {
	if word, ok := x.(*syntax.Word); ok {
		return word.Lit()
	}
	return ""
}

// unescapeQuoted resolves the backslashes between double quotes and in heredocs.
func unescapeQuoted(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0 {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}
