//go:build unix

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// Programs are killed at random instants between their start and a little after
// their end. The state is whole every time, with the update or without it; what
// is left beside it does not grow, and nothing stands in the way of the next.
func TestKilled(t *testing.T) {
	kills := times(2000, 150)
	p := prepare(t)
	text := string(document(t, p.Path(state)).Indent())
	filler := `,"filler":["` + strings.Repeat(strings.Repeat("x", 60)+`","`, 3000) + `"]}`
	p.Write(state, strings.TrimSuffix(text, "\n}")+filler) // a write that takes its time

	normal := make([]time.Duration, len(changers))
	for i, a := range changers {
		normal[i] = time.Hour
		for range 3 {
			normal[i] = min(normal[i], p.Run(a.program, a.as("warm")).Duration)
		}
	}
	size := len(text) + len(filler)
	last := version(t, document(t, p.Path(state)))
	start := last
	killed, debris, most := 0, 0, 0
	for i := range kills {
		a := changers[i%len(changers)]
		cmd := command(context.Background(), t, p, call{program: a.program, stdin: a.as(fmt.Sprint("k", i))})
		assert.NilError(t, cmd.Start())
		time.Sleep(time.Duration(rand.Int64N(int64(normal[i%len(changers)]) * 5 / 4)))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		after := document(t, p.Path(state))
		now := version(t, after)
		assert.Assert(t, now == last || now == last+1, "kill %d, %s: version %d after %d", i, a.program, now, last)
		assert.Equal(t, len(after.Get("filler").Items()), 3001)
		assert.Equal(t, after.Get("exact").Literal(), "1.0")
		last = now
		left := 0
		for _, name := range names(t, p, ".isdlc") {
			if strings.HasSuffix(name, ".tmp") {
				left++
			}
		}
		most = max(most, left)
		if left > 0 {
			debris++
		}
	}
	t.Logf("%d of %d killed before their end, %d updates; %d left a file behind, never more than %d", killed, kills, last-start, debris, most)
	assert.Assert(t, killed > kills/10 && killed < kills, "the kills must hit before and after the end: %d", killed)
	assert.Assert(t, last > start)
	assert.Assert(t, most <= 2, "what killed processes leave behind adds up to %d files", most)

	began := time.Now()
	assert.Equal(t, p.Run(changers[0].program, changers[0].as("after")).Exit, 0)
	assert.Assert(t, time.Since(began) < time.Second, "a dead process holds no lock")
	assert.Equal(t, version(t, document(t, p.Path(state))), last+1)
	for _, name := range names(t, p, ".isdlc") {
		assert.Assert(t, !strings.HasSuffix(name, ".tmp") && !strings.HasSuffix(name, ".lock"), "%s is left", name)
	}
	for _, line := range log(t, p, "") { // whole lines, whenever a writer died
		assert.Assert(t, !strings.Contains(line, `"event":"error"`), line)
	}
	info, err := os.Stat(p.Path(state))
	assert.NilError(t, err)
	assert.Assert(t, info.Size() > int64(size))
}
