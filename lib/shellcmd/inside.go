package shellcmd

import "mvdan.cc/sh/v3/syntax"

// Commands also stand inside expressions, as substitutions. The functions here
// walk through those; what the expressions come to is never known.

func (w *walker) arithmetic(x syntax.ArithmExpr, sc *scope) {
	if x == nil || !w.enter() {
		return
	}
	defer w.leave()
	for w.step() {
		switch e := x.(type) {
		case *syntax.BinaryArithm: // a long sum leans to the left
			w.arithmetic(e.Y, sc)
			x = e.X
		case *syntax.UnaryArithm:
			x = e.X
		case *syntax.ParenArithm:
			x = e.X
		case *syntax.FlagsArithm:
			x = e.X
		case *syntax.Word:
			w.value(e, sc)
			return
		default:
			return
		}
	}
}

func (w *walker) test(x syntax.TestExpr, sc *scope) {
	if x == nil || !w.enter() {
		return
	}
	defer w.leave()
	for w.step() {
		switch e := x.(type) {
		case *syntax.BinaryTest:
			w.test(e.X, sc)
			x = e.Y
		case *syntax.UnaryTest:
			x = e.X
		case *syntax.ParenTest:
			x = e.X
		case *syntax.Word:
			w.value(e, sc)
			return
		default:
			return
		}
	}
}

// insideParam walks through the parts of ${…} that are not the word of an
// operator.
func (w *walker) insideParam(p *syntax.ParamExp, sc *scope) {
	w.arithmetic(p.Index, sc)
	if p.Slice != nil {
		w.arithmetic(p.Slice.Offset, sc)
		w.arithmetic(p.Slice.Length, sc)
	}
	if p.Repl != nil {
		w.value(p.Repl.Orig, sc)
		w.value(p.Repl.With, sc)
	}
	if p.NestedParam != nil {
		w.value(&syntax.Word{Parts: []syntax.WordPart{p.NestedParam}}, sc)
	}
}
