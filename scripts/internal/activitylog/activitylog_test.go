package activitylog

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/activity"
)

const writer = "ISDLC_TEST_LOG"

func TestMain(m *testing.M) {
	if path := os.Getenv(writer); path != "" {
		for i := range 150 {
			if err := activity.Append(path, entry(fmt.Sprintf("%s %d", os.Getenv("ISDLC_TEST_ID"), i), 2000)); err != nil {
				fmt.Println(err)
			}
		}
		return
	}
	os.Exit(m.Run())
}

var start = time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)

func entry(reason string, fill int) activity.Entry {
	return activity.Entry{Time: start, Hook: "a-hook", Event: "block", Reason: reason + strings.Repeat(" ", fill)}
}

func reasons(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, strings.TrimSpace(e.Reason))
	}
	return all
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook-activity.log")
	entries, broken, err := Read(path)
	assert.NilError(t, err)
	assert.Check(t, is.Len(entries, 0))
	assert.Check(t, is.Equal(broken, 0))

	assert.NilError(t, os.WriteFile(path, []byte(`{"ts":"2026-02-20T08:22:22.123Z","hook":"h","event":"block","phase":"06-implementation","agent":"a","reason":"r"}
{"ts":"yesterday","hook":"h"}

{"ts":"2026-02
["no object"]
{"hook":7}`), 0o644))
	entries, broken, err = Read(path)
	assert.NilError(t, err)
	assert.Check(t, is.Equal(broken, 2))
	assert.Check(t, is.Len(entries, 3))
	assert.Check(t, is.Equal(entries[0].Time, time.Date(2026, 2, 20, 8, 22, 22, 123e6, time.UTC)))
	assert.Check(t, entries[1].Time.IsZero() && entries[2].Hook == "")

	_, _, err = Read(t.TempDir())
	assert.ErrorContains(t, err, "not a regular file")
}

func TestFilter(t *testing.T) {
	e := Entry{Time: start, Hook: "gate-blocker", Event: "block", Phase: "07-implementation"}
	for _, c := range []struct {
		name string
		f    Filter
		want bool
	}{
		{"nothing asked for", Filter{}, true},
		{"one of the hooks", Filter{Hooks: []string{"x", "gate-blocker"}}, true},
		{"another hook", Filter{Hooks: []string{"gate"}}, false},
		{"another event", Filter{Hooks: []string{"gate-blocker"}, Events: []string{"error"}}, false},
		{"phase", Filter{Phases: []string{"07-implementation"}}, true},
		{"another phase", Filter{Phases: []string{"07-testing"}}, false},
		{"from that moment on", Filter{Since: start}, true},
		{"later", Filter{Since: start.Add(time.Millisecond)}, false},
	} {
		assert.Check(t, is.Equal(c.f.Match(e), c.want), c.name)
	}
	assert.Check(t, !Filter{Since: start}.Match(Entry{}), "no time")
	assert.Check(t, !Filter{Phases: []string{""}}.Match(Entry{}), "no phase")
}

func TestTally(t *testing.T) {
	counts := Tally([]Entry{{Hook: "a", Event: "x", Time: start}, {Hook: "b", Event: "x"}, {Hook: "b", Event: "x"}, {Hook: "a", Event: "y"}})
	assert.DeepEqual(t, counts, []Count{{"b", "x", 2, time.Time{}}, {"a", "x", 1, start}, {"a", "y", 1, time.Time{}}})
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook-activity.log")
	f := Follower{Path: path}
	poll := func(want ...string) {
		t.Helper()
		entries, broken, err := f.Poll()
		assert.NilError(t, err)
		assert.Equal(t, broken, 0)
		assert.DeepEqual(t, reasons(entries), want)
	}
	add := func(text string) {
		t.Helper()
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
		assert.NilError(t, err)
		_, err = file.WriteString(text)
		assert.NilError(t, err)
		assert.NilError(t, file.Close())
	}
	line := func(reason string) string { return fmt.Sprintf(`{"reason":%q}`+"\n", reason) }
	poll()
	add(line("1") + line("2") + line("2"))
	poll("1", "2", "2")
	poll()
	add(`{"reason":`)
	poll()
	add(`"3"}` + "\n" + line("4"))
	poll("3", "4")

	// Rotated: the last lines stand in a new file, with one more.
	assert.NilError(t, os.WriteFile(path+".new", []byte(line("2")+line("3")+line("4")+line("5")), 0o644))
	assert.NilError(t, os.Rename(path+".new", path))
	poll("5")
	// Emptied by hand, in place.
	assert.NilError(t, os.Truncate(path, 0))
	add(line("6"))
	poll("6")
	assert.NilError(t, os.Remove(path))
	poll()
	add(line("6") + line("7"))
	poll("7")
	add("broken\n")
	_, broken, err := f.Poll()
	assert.NilError(t, err)
	assert.Equal(t, broken, 1)
}

// Four processes write, and rotate again and again; the follower sees every
// line once, in the order of each process.
func TestFollowProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook-activity.log")
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), writer+"="+path, fmt.Sprintf("ISDLC_TEST_ID=p%d", i))
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("process %d: %v %s", i, err, out)
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	f := Follower{Path: path}
	next := map[string]int{}
	for last := false; ; {
		entries, broken, err := f.Poll()
		assert.NilError(t, err)
		assert.Equal(t, broken, 0)
		for _, e := range entries {
			var id string
			var n int
			_, err := fmt.Sscanf(e.Reason, "%s %d", &id, &n)
			assert.NilError(t, err)
			assert.Equal(t, n, next[id], "of %s", id)
			next[id]++
		}
		if last {
			break
		}
		select {
		case <-done:
			last = true
		default:
		}
	}
	assert.DeepEqual(t, next, map[string]int{"p0": 150, "p1": 150, "p2": 150, "p3": 150})
}
