//go:build unix

package faults

import (
	"testing"

	"gotest.tools/v3/assert"
)

// The other tests rest on this: every one of the changers writes the state, each
// time it is called.
func TestChangers(t *testing.T) {
	p := prepare(t)
	for round := range 2 {
		for i, a := range changers {
			before := version(t, document(t, p.Path(state)))
			r := p.Run(a.program, a.as("x"))
			assert.Equal(t, r.Exit, 0)
			assert.Equal(t, version(t, document(t, p.Path(state))), before+1, "%s, round %d, %d: %s%s", a.program, round, i, r.Stdout, r.Stderr)
		}
	}
	assert.Equal(t, len(log(t, p, "error")), 0)
	t.Log(string(document(t, p.Path(state)).Indent()))
}
