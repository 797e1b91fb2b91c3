package activity

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

	"isdlc-hooks/lib/ordered"
)

const writer = "ISDLC_TEST_LOG"

func TestMain(m *testing.M) {
	if path := os.Getenv(writer); path != "" {
		for i := range 100 {
			e := entry
			e.Reason = fmt.Sprintf("%s %d %s", os.Getenv("ISDLC_TEST_ID"), i, strings.Repeat("x", 300))
			if err := Append(path, e); err != nil {
				fmt.Println(err)
			}
		}
		return
	}
	os.Exit(m.Run())
}

var entry = Entry{Time: time.Date(2026, 2, 20, 9, 22, 22, 123456789, time.FixedZone("", 3600)), Hook: "a-hook", Event: "block"}

func TestALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "hook-activity.log")
	e := entry
	assert.NilError(t, Append(path, e))
	e.Phase, e.Agent, e.Reason = "06-implementation", "qa", "a <b> & \"c\" \u2028é"
	assert.NilError(t, Append(path, e, e))
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	assert.Equal(t, string(data),
		`{"ts":"2026-02-20T08:22:22.123Z","hook":"a-hook","event":"block","phase":null,"agent":null,"reason":null}`+"\n"+
			strings.Repeat(`{"ts":"2026-02-20T08:22:22.123Z","hook":"a-hook","event":"block","phase":"06-implementation","agent":"qa","reason":"a <b> & \"c\" `+"\u2028é\"}\n", 2))
}

func TestTheNewestLinesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook-activity.log")
	line := `{"n":%d,"fill":"` + strings.Repeat("x", 1000) + `"}` + "\n\n"
	var old strings.Builder
	n := 0
	for ; old.Len() < MaxSize; n++ {
		fmt.Fprintf(&old, line, n)
	}
	assert.NilError(t, os.WriteFile(path, []byte(old.String()), 0o600))
	assert.NilError(t, Append(path, entry))
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	assert.Equal(t, len(lines), KeepLines, "blank lines do not count and do not stay")
	assert.Assert(t, strings.HasPrefix(lines[0], fmt.Sprintf(`{"n":%d,`, n-KeepLines+1)))
	assert.Assert(t, strings.Contains(lines[KeepLines-1], "a-hook"))
	info, err := os.Stat(path)
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), os.FileMode(0o600))
}

// Processes that write while the log is cut again and again lose no line that is
// among the newest, and mix none.
func TestProcessesInParallel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook-activity.log")
	const processes = 16
	assert.NilError(t, os.WriteFile(path, []byte(strings.Repeat(strings.Repeat("-", 2000)+"\n", 300)), 0o644))
	var wait sync.WaitGroup
	for i := range processes {
		wait.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), writer+"="+path, fmt.Sprintf("ISDLC_TEST_ID=p%d", i))
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("process %d: %v %s", i, err, out)
			}
		})
	}
	wait.Wait()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	last := map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "---") {
			continue
		}
		v, err := ordered.Parse([]byte(line))
		assert.NilError(t, err, "%q", line)
		var id string
		var n int
		_, err = fmt.Sscanf(v.Get("reason").Text(), "%s %d", &id, &n)
		assert.NilError(t, err)
		if before, seen := last[id]; seen {
			assert.Equal(t, n, before+1, "a line of %s was lost", id)
		}
		last[id] = n
	}
	assert.Assert(t, len(last) > 0)
	for id, n := range last {
		assert.Equal(t, n, 99, "the last line of %s was lost", id)
	}
}

func TestAFolderInItsPlace(t *testing.T) {
	dir := t.TempDir()
	assert.NilError(t, os.Mkdir(filepath.Join(dir, "hook-activity.log"), 0o755))
	assert.ErrorContains(t, Append(filepath.Join(dir, "hook-activity.log"), entry), "append to the activity log")
}
