package shellcmd

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare walks through export, local and the like.
func (w *walker) declare(c *syntax.DeclClause, sc *scope) {
	export := c.Variant.Value == "export"
	for _, a := range c.Args {
		if a.Name == nil {
			option := w.value(a.Value, sc).Text
			export = export || strings.HasPrefix(option, "-") && strings.Contains(option, "x")
			continue
		}
		if !a.Naked {
			w.assign(a, sc)
		}
		if v, ok := sc.get(a.Name.Value); ok && export {
			v.exported = true
			sc.set(a.Name.Value, v)
		}
	}
}

// assign sets a variable, and gives its value.
func (w *walker) assign(a *syntax.Assign, sc *scope) string {
	if a.Name == nil {
		return ""
	}
	name := a.Name.Value
	w.arithmetic(a.Index, sc)
	var v variable
	if a.Array != nil {
		for _, elem := range a.Array.Elems {
			w.arithmetic(elem.Index, sc)
			if elem.Value != nil {
				for _, word := range w.words([]*syntax.Word{elem.Value}, sc) {
					v.values = append(v.values, word.Text)
				}
			}
		}
	} else {
		v.values = []string{w.value(a.Value, sc).Text}
	}
	if a.Append {
		old, known := sc.lookup(name, w.home)
		switch {
		case !known:
			old = []string{unknown}
			fallthrough
		case a.Array == nil:
			head := ""
			if len(old) > 0 {
				head = old[0]
			}
			if w.produced += len(head); w.produced > maxValue {
				w.exhausted = true
				return ""
			}
			v.values = []string{head + strings.Join(v.values, "")}
		default:
			v.values = slices.Concat(old, v.values)
		}
	}
	if a.Index != nil {
		v = variable{values: []string{unknown}}
	}
	sc.set(name, v)
	if len(v.values) != 1 {
		return unknown
	}
	return v.values[0]
}

// redirections expands those of a statement into c.
func (w *walker) redirections(list []*syntax.Redirect, sc *scope, c *call) {
	for _, r := range list {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			c.in = w.heredoc(r, sc)
		case syntax.WordHdoc:
			text := w.value(r.Word, sc).Text + "\n"
			c.in = &text
		case syntax.RdrIn, syntax.DplIn:
			w.value(r.Word, sc)
			c.in = nil
		case syntax.DplOut:
			if target := w.value(r.Word, sc); strings.Trim(target.Text, "0123456789-") != "" {
				c.targets = append(c.targets, target)
			}
		default:
			c.targets = append(c.targets, w.value(r.Word, sc))
		}
	}
}

func (w *walker) heredoc(r *syntax.Redirect, sc *scope) *string {
	if r.Hdoc == nil {
		return nil
	}
	e := &expander{w: w, sc: sc, quotes: true}
	for _, part := range r.Hdoc.Parts {
		if lit, ok := part.(*syntax.Lit); ok && quoted(r.Word) {
			e.write(lit.Value)
		} else {
			e.part(part)
		}
	}
	text := e.word().Text
	return &text
}

func quoted(word *syntax.Word) bool {
	return slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return !ok || strings.Contains(lit.Value, `\`)
	})
}
