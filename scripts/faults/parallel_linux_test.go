package faults

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

// A writer is somebody who writes the state without asking for the lock, as an
// agent's tools do: it reads the file, sets its mark in it and writes it back.
type writer struct {
	t    *testing.T
	p    *hooktest.Project
	mark int

	overwritten map[string]bool // ids of updates of ours that it had not read before it wrote
	versions    int             // how many such updates
	undone      []string
}

// read gives the state as soon as it is whole: the writer itself may be the one
// who is in the middle of it.
func (w *writer) read() *ordered.Value {
	for {
		data, err := os.ReadFile(w.p.Path(state))
		if err == nil {
			if v, err := ordered.Parse(data); err == nil && v.IsObject() {
				return v
			}
		}
	}
}

// rename puts a file in the place of the state, and learns what was there.
func (w *writer) rename() {
	base := w.read()
	text := w.marked(base)
	temp := w.p.Path("agent.json")
	if err := os.WriteFile(temp, text, 0o644); err != nil {
		w.t.Error(err)
		return
	}
	if err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, w.p.Path(state), unix.RENAME_EXCHANGE); err != nil {
		w.t.Error(err)
		return
	}
	out := document(w.t, temp)
	known := ids(base)
	for id := range ids(out) {
		if !known[id] {
			w.overwritten[id] = true
		}
	}
	w.versions += version(w.t, out) - version(w.t, base)
}

// inPlace writes into the file that is there.
func (w *writer) inPlace() {
	if err := os.WriteFile(w.p.Path(state), w.marked(w.read()), 0o644); err != nil {
		w.t.Error(err)
	}
}

func (w *writer) marked(v *ordered.Value) []byte {
	w.mark++
	v.Get("external").Set("mark", w.mark)
	return v.Indent()
}

// look is whether the mark is in the state. A look may fall between the
// exchanges of a process that was stopped there, so it takes some patience.
func (w *writer) look() {
	var now float64
	for range 200 {
		if now, _ = w.read().Get("external", "mark").Float(); int(now) == w.mark {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.undone = append(w.undone, fmt.Sprintf("%d (%v is there)", w.mark, now))
}

// ids are those of the recorded uses.
func ids(v *ordered.Value) map[string]bool {
	set := map[string]bool{}
	for _, use := range v.Get("skill_usage_log").Items() {
		set[use.Get("description").Text()] = true
	}
	return set
}

// Processes of all hooks that write work on one state: none of their updates is
// lost, but for what somebody without the lock overwrote unread; and nothing of
// what that one wrote is ever undone.
func TestParallel(t *testing.T) {
	processes := 64
	rounds := times(64, 3)
	for _, test := range []struct {
		name  string
		write func(*writer)
	}{
		{"hooks alone", nil},
		{"with one who renames", (*writer).rename},
		{"with one who writes in place", (*writer).inPlace},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := prepare(t)
			w := &writer{t: t, p: p, overwritten: map[string]bool{}}
			var wait, writing sync.WaitGroup
			var done atomic.Bool
			if test.write != nil {
				writing.Go(func() {
					for !done.Load() {
						test.write(w)
						w.look()
						time.Sleep(20 * time.Millisecond)
						w.look()
					}
				})
			}
			var silent atomic.Int64
			start := time.Now()
			used := make([]int, processes) // ids by process
			for i := range processes {
				wait.Go(func() {
					for round := range rounds {
						a := changers[(i+round)%len(changers)]
						r := p.Run(a.program, a.as(fmt.Sprintf("p%d.%d", i, round)))
						if r.Exit != 0 || strings.Contains(r.Stderr, "panic") {
							t.Errorf("%s: exit %d, %s", a.program, r.Exit, r.Stderr)
						}
						if strings.Contains(a.event, "PreToolUse") && !strings.Contains(r.Stdout, `"deny"`) {
							silent.Add(1)
						}
						if strings.Contains(a.event, `"%ID%","prompt"`) {
							used[i]++
						}
					}
				})
			}
			wait.Wait()
			took := time.Since(start)
			done.Store(true)
			writing.Wait()

			final := document(t, p.Path(state))
			calls, failed := processes*rounds, len(log(t, p, "error"))
			t.Logf("%d processes in %.1f s; %d writes by another, %d of them undone; it overwrote %d updates; %d not written and told so; %d gates open; version %d",
				calls, took.Seconds(), w.mark, len(w.undone), w.versions, failed, silent.Load(), version(t, final))
			assert.Equal(t, len(w.undone), 0, "undone: %v", w.undone)
			assert.Equal(t, silent.Load(), int64(0), "a gate is shut whoever is writing")
			assert.Equal(t, final.Get("exact").Literal(), "1.0")
			assert.DeepEqual(t, names(t, p, ".isdlc"), slices.DeleteFunc([]string{"config", "hook-activity.log", "state.json"}, func(name string) bool {
				return name == "hook-activity.log" && len(log(t, p, "")) == 0
			}))
			if strings.Contains(test.name, "in place") {
				return // what it overwrote cannot be known
			}
			assert.Assert(t, failed == 0 || test.write != nil, "%v", log(t, p, "error"))
			found := version(t, final) - 1 + w.versions + failed
			assert.Assert(t, found == calls || test.write != nil && found < calls+w.mark && found >= calls-w.mark, "%d of %d updates", found, calls)
			want, seen := 0, map[string]bool{}
			for _, n := range used {
				want += n
			}
			for _, use := range final.Get("skill_usage_log").Items() {
				id := use.Get("description").Text()
				assert.Assert(t, !seen[id], "%s is there twice", id)
				seen[id] = true
			}
			for id := range w.overwritten {
				seen[id] = true
			}
			assert.Assert(t, len(seen)+failed >= want, "%d of %d uses are recorded or were overwritten", len(seen), want)
		})
	}
}
