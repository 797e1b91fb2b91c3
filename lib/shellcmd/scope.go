package shellcmd

// A scope is what a shell remembers: variables, directories, parameters. What
// runs in a shell of its own has a child, whose changes are lost.
type scope struct {
	parent *scope
	vars   map[string]variable
	dir    string   // the working directory
	before string   // the one before it, "" if there was none
	stack  []string // of pushd
	args   []string // $1, $2, …
	isArgs bool     // args are known
	dead   bool     // the rest is not reached: exit, return
}

// A variable has one value, or the elements of an array.
type variable struct {
	values   []string
	exported bool
}

func (s *scope) child() *scope {
	return &scope{parent: s, dir: s.dir, before: s.before, stack: s.stack, args: s.args, isArgs: s.isArgs}
}

func (s *scope) get(name string) (variable, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return variable{}, false
}

func (s *scope) assigned(name string) bool {
	_, ok := s.get(name)
	return ok
}

func (s *scope) set(name string, v variable) {
	if old, ok := s.get(name); ok && old.exported {
		v.exported = true
	}
	if s.vars == nil {
		s.vars = map[string]variable{}
	}
	s.vars[name] = v
}

func (s *scope) forget(name string) { s.set(name, variable{values: []string{unknown}}) }

// lookup gives the values of a parameter: one, or those of an array or of $@.
func (s *scope) lookup(name, home string) (values []string, known bool) {
	switch {
	case name == "@" || name == "*":
		return s.args, s.isArgs
	case len(name) == 1 && '1' <= name[0] && name[0] <= '9':
		if i := int(name[0] - '1'); s.isArgs && i < len(s.args) {
			return s.args[i : i+1], true
		}
		return nil, s.isArgs
	case name == "PWD":
		return []string{s.dir}, s.dir != ""
	case name == "OLDPWD":
		return []string{s.before}, s.before != ""
	}
	v, ok := s.get(name)
	if !ok && name == "HOME" && home != "" {
		return []string{home}, true
	}
	if !ok || len(v.values) == 1 && v.values[0] == unknown {
		return nil, false
	}
	return v.values, true
}

func (s *scope) chdir(dir string) {
	if s.before = s.dir; s.before == "" {
		s.before = "."
	}
	s.dir = dir
}

// join takes over what branches leave behind, of which exactly one was run.
// Where they differ, what they changed is unknown.
func (w *walker) join(s *scope, branches ...*scope) {
	var live []*scope
	for _, b := range branches {
		if w.steps += len(b.vars); !b.dead {
			live = append(live, b)
		}
	}
	switch len(live) {
	case 0:
		s.dead = true
		return
	case 1:
		s.adopt(live[0])
		return
	}
	for _, b := range live {
		for name := range b.vars {
			s.forget(name)
		}
	}
	dir := live[0].dir
	for _, b := range live[1:] {
		if b.dir != dir {
			dir = unknown
		}
	}
	if dir != s.dir {
		s.chdir(dir)
	}
}

func (s *scope) adopt(b *scope) {
	for name, v := range b.vars {
		s.set(name, v)
	}
	s.dir, s.before, s.stack, s.dead = b.dir, b.before, b.stack, b.dead
}
