package ordered

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// A model is a JSON value as simple as can be.
type model struct {
	scalar string // "" for an object or array
	object bool
	names  []string // of an object; they may repeat
	parts  []*model
}

var scalars = []string{"0", "-7", "true", "null", `""`, `"\\"`, `"a\",\n]"`, `" }"`, `"é\\\""`}

func randomModel(r *rand.Rand, depth int) *model {
	kind := r.IntN(4)
	if depth == 0 || kind == 0 {
		return &model{scalar: scalars[r.IntN(len(scalars))]}
	}
	m := &model{object: kind == 1}
	for range r.IntN(4) {
		if m.object {
			m.names = append(m.names, randomName(r))
		}
		m.parts = append(m.parts, randomModel(r, depth-1))
	}
	return m
}

func randomName(r *rand.Rand) string { return "abcd"[r.IntN(4):][:1] }

func (m *model) clone() *model {
	c := *m
	c.names, c.parts = slices.Clone(m.names), nil
	for _, part := range m.parts {
		c.parts = append(c.parts, part.clone())
	}
	return &c
}

// remove takes out the members called name from an index on.
func (m *model) remove(name string, from int) {
	for i := len(m.names) - 1; i >= from; i-- {
		if m.names[i] == name {
			m.names, m.parts = slices.Delete(m.names, i, i+1), slices.Delete(m.parts, i, i+1)
		}
	}
}

// text writes m with the blanks that line gives for a level.
func (m *model) text(line func(level int) string, colon string, level int) string {
	if m.scalar != "" {
		return m.scalar
	}
	var b strings.Builder
	for i, part := range m.parts {
		b.WriteString(","[:min(i, 1)] + line(level+1))
		if m.object {
			b.WriteString(`"` + m.names[i] + `"` + colon)
		}
		b.WriteString(part.text(line, colon, level+1))
	}
	if len(m.parts) > 0 {
		b.WriteString(line(level))
	}
	if m.object {
		return "{" + b.String() + "}"
	}
	return "[" + b.String() + "]"
}

func (m *model) indented() string {
	return m.text(func(level int) string { return "\n" + strings.Repeat("  ", level) }, ": ", 0)
}

func (m *model) compact() string { return m.text(func(int) string { return "" }, ":", 0) }

// TestEveryOrderOfEdits edits values and models of them alike, at random, in texts
// with and without layout.
func TestEveryOrderOfEdits(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := &model{object: true, names: []string{"a", "b"}, parts: []*model{randomModel(r, 4), randomModel(r, 4)}}
		text := []string{
			m.indented(), m.compact(),
			m.text(func(int) string { return strings.Repeat(" ", r.IntN(3)) + "\n\t\r "[:r.IntN(4)] }, " :\n", 0),
		}[r.IntN(3)]
		v := parse(t, text)
		var done []string
		for range r.IntN(12) + 1 {
			done = append(done, edit(t, r, &v, &m))
			if r.IntN(4) == 0 { // now and then only: what is written may change what comes next
				assert.Equal(t, string(v.Compact()), m.compact(), "seed %d: %q, then %q", seed, text, done)
			}
		}
		assert.Equal(t, string(v.Indent()), m.indented(), "seed %d: %q, then %q", seed, text, done)
	}
}

// edit does one thing to both, and tells what.
func edit(t *testing.T, r *rand.Rand, root **Value, rootModel **model) string {
	v, m := *root, *rootModel
	path := "at"
	for len(m.parts) > 0 && r.IntN(4) > 0 { // go down
		i := r.IntN(len(m.parts))
		path += fmt.Sprint(" ", i)
		if m.object {
			for j, name := range m.names {
				if name == m.names[i] {
					i = j
				}
			}
			v = v.Get(m.names[i])
		} else {
			v = v.Items()[i]
		}
		m = m.parts[i]
	}
	part, name := randomModel(r, 2), randomName(r)
	switch op := r.IntN(8); {
	case op == 0:
		*root, *rootModel = (*root).Clone(), (*rootModel).clone()
		return "copy all"
	case op == 1:
		*root = parse(t, string((*root).Indent()))
		return "write and read all"
	case m.scalar != "":
		return "nothing"
	case m.object && op < 5:
		v.Set(name, parse(t, part.compact()))
		if first := slices.Index(m.names, name); first >= 0 {
			m.parts[first] = part
			m.remove(name, first+1)
		} else {
			m.names, m.parts = append(m.names, name), append(m.parts, part)
		}
		return path + " set " + name
	case m.object:
		v.Delete(name)
		m.remove(name, 0)
		return path + " delete " + name
	case op < 4 && len(m.parts) > 0:
		i := r.IntN(len(m.parts))
		v.Append(v.Items()[i])
		m.parts = append(m.parts, m.parts[i].clone())
		return path + fmt.Sprint(" append its own ", i)
	case op < 7:
		v.Append(parse(t, part.compact()))
		m.parts = append(m.parts, part)
		return path + " append"
	default:
		n := r.IntN(4)
		v.KeepLast(n)
		m.parts = m.parts[max(0, len(m.parts)-n):]
		return path + fmt.Sprint(" keep last ", n)
	}
}
