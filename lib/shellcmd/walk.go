package shellcmd

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// A walker goes through a script in the order of execution and collects its
// simple commands.
type walker struct {
	out   []Command
	home  string
	funcs map[string]*syntax.Stmt

	steps, depth     int
	parsed, produced int // bytes
	marks            int
	exhausted        bool // a limit was reached: what was collected is not all
}

func (w *walker) emit(c Command) { w.out = append(w.out, c) }

// step counts a piece of work, and tells whether there is to be any more.
func (w *walker) step() bool {
	if w.steps++; w.steps > maxSteps {
		w.exhausted = true
	}
	return !w.exhausted
}

func (w *walker) enter() bool {
	if w.depth++; w.depth > maxDepth {
		w.exhausted = true
	}
	return w.step()
}

func (w *walker) leave() { w.depth-- }

// statements walks through a list. It gives what the list writes, if that is
// known, which is tried for single statements only.
func (w *walker) statements(list []*syntax.Stmt, sc *scope, in *string) (out *string) {
	for _, st := range list {
		out = w.statement(st, sc, in)
	}
	if len(list) != 1 {
		return nil
	}
	return out
}

func (w *walker) statement(st *syntax.Stmt, sc *scope, in *string) *string {
	if !w.enter() {
		return nil
	}
	defer w.leave()
	if st.Background || st.Coprocess || st.Disown {
		sc = sc.child()
	}
	if _, ok := st.Cmd.(*syntax.BinaryCmd); ok && len(st.Redirs) == 0 {
		w.list(st, sc, in)
		return nil
	}
	c := call{in: in}
	w.redirections(st.Redirs, sc, &c)
	switch cmd := st.Cmd.(type) {
	case *syntax.CallExpr:
		return w.simple(cmd, c, sc)
	case *syntax.Block:
		defer w.targets(c, sc)()
		return w.statements(cmd.Stmts, sc, c.in)
	case *syntax.Subshell:
		defer w.targets(c, sc)()
		return w.statements(cmd.Stmts, sc.child(), c.in)
	}
	w.targets(c, sc)()
	w.compound(st.Cmd, sc)
	return nil
}

// targets gives a function that emits redirections of a compound command, which
// are seen from the directory where it starts.
func (w *walker) targets(c call, sc *scope) func() {
	dir := sc.dir
	return func() {
		if len(c.targets) > 0 {
			w.emit(Command{Targets: c.targets, Dir: dir})
		}
	}
}

func (w *walker) compound(cmd syntax.Command, sc *scope) {
	switch cmd := cmd.(type) {
	case *syntax.IfClause:
		w.ifClause(cmd, sc)
	case *syntax.WhileClause:
		w.statements(cmd.Cond, sc, nil)
		body := sc.child()
		w.statements(cmd.Do, body, nil)
		w.join(sc, body, sc.child())
	case *syntax.ForClause:
		w.forClause(cmd, sc)
	case *syntax.CaseClause:
		w.words([]*syntax.Word{cmd.Word}, sc)
		branches := []*scope{sc.child()}
		for _, item := range cmd.Items {
			w.words(item.Patterns, sc)
			branch := sc.child()
			w.statements(item.Stmts, branch, nil)
			branches = append(branches, branch)
		}
		w.join(sc, branches...)
	case *syntax.FuncDecl:
		if cmd.Name != nil {
			if w.funcs == nil {
				w.funcs = map[string]*syntax.Stmt{}
			}
			w.funcs[cmd.Name.Value] = cmd.Body
		}
		body := sc.child()
		body.isArgs = false
		w.statement(cmd.Body, body, nil)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.statement(cmd.Stmt, sc, nil)
		}
	case *syntax.CoprocClause:
		w.statement(cmd.Stmt, sc.child(), nil)
	case *syntax.DeclClause:
		w.declare(cmd, sc)
	case *syntax.ArithmCmd:
		w.arithmetic(cmd.X, sc)
	case *syntax.LetClause:
		for _, x := range cmd.Exprs {
			w.arithmetic(x, sc)
		}
	case *syntax.TestClause:
		w.test(cmd.X, sc)
	}
}

// list walks through a chain of && and ||, or through a pipeline. What follows
// && sees what came before it; what follows || is run when that failed.
func (w *walker) list(st *syntax.Stmt, sc *scope, in *string) {
	var links []*syntax.BinaryCmd
	for {
		b, ok := st.Cmd.(*syntax.BinaryCmd)
		if !ok || isPipe(b) {
			break
		}
		links = append(links, b)
		st = b.X
	}
	if len(links) == 0 {
		w.pipeline(st, sc, in)
		return
	}
	start := sc.dir
	w.statement(st, sc, in)
	for i, b := range slices.Backward(links) {
		if b.Op == syntax.AndStmt {
			w.statement(b.Y, sc, nil)
			continue
		}
		other := sc.child()
		if other.dir != start { // it is not known which of the earlier ones failed
			if other.dir = start; i < len(links)-1 {
				other.dir = unknown
			}
		}
		from := other.dir
		w.statement(b.Y, other, nil)
		if other.dead {
			continue
		}
		w.steps += len(other.vars)
		for name := range other.vars {
			sc.forget(name)
		}
		if other.dir != from && other.dir != sc.dir {
			sc.chdir(unknown)
		}
	}
}

func isPipe(b *syntax.BinaryCmd) bool { return b.Op == syntax.Pipe || b.Op == syntax.PipeAll }

// pipeline walks through commands that run in shells of their own; each may know
// what the one before it writes.
func (w *walker) pipeline(st *syntax.Stmt, sc *scope, in *string) {
	var rest []*syntax.Stmt
	for {
		b, ok := st.Cmd.(*syntax.BinaryCmd)
		if !ok || !isPipe(b) {
			break
		}
		rest = append(rest, b.Y)
		st = b.X
	}
	in = w.statement(st, sc.child(), in)
	for _, st := range slices.Backward(rest) {
		in = w.statement(st, sc.child(), in)
	}
}

func (w *walker) ifClause(c *syntax.IfClause, sc *scope) {
	if !w.enter() {
		return
	}
	defer w.leave()
	w.statements(c.Cond, sc, nil)
	then, other := sc.child(), sc.child()
	w.statements(c.Then, then, nil)
	switch {
	case c.Else == nil:
	case len(c.Else.Cond) == 0:
		w.statements(c.Else.Then, other, nil)
	default:
		w.ifClause(c.Else, other)
	}
	w.join(sc, then, other)
}

const maxRounds = 16 // of a loop over words that are known

func (w *walker) forClause(c *syntax.ForClause, sc *scope) {
	name := ""
	switch loop := c.Loop.(type) {
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			w.arithmetic(x, sc)
		}
	case *syntax.WordIter:
		name = loop.Name.Value
		items := w.words(loop.Items, sc)
		if known(items) && len(items) > 0 && len(items) <= maxRounds && !c.Select {
			for _, item := range items {
				sc.set(name, variable{values: []string{item.Text}})
				w.statements(c.Do, sc, nil)
			}
			return
		}
	}
	body := sc.child()
	if name != "" {
		body.forget(name)
	}
	w.statements(c.Do, body, nil)
	w.join(sc, body, sc.child())
}

// known tells whether all words are known, also in number.
func known(words []Word) bool {
	return !slices.ContainsFunc(words, func(w Word) bool { return w.Glob || !w.Known() })
}
