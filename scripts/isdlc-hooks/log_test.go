package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fatih/color"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/activity"
)

// outputs runs a command line and gives what it printed on either output.
func outputs(args ...string) (out, notes string, code int) {
	var stdout, stderr bytes.Buffer
	cmd := root()
	cmd.SetArgs(args)
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	code = execute(cmd, &stderr)
	return stdout.String(), stderr.String(), code
}

func logged(t *testing.T) (dir string) {
	t.Helper()
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	dir = t.TempDir()
	assert.NilError(t, os.Mkdir(filepath.Join(dir, ".isdlc"), 0o755))
	at := time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)
	path := filepath.Join(dir, ".isdlc", "hook-activity.log")
	assert.NilError(t, activity.Append(path,
		activity.Entry{Time: at, Hook: "gate-blocker", Event: "block", Phase: "06-implementation", Agent: "qa", Reason: "two\nlines\x1b[31m"},
		activity.Entry{Time: at.Add(time.Hour), Hook: "test-watcher", Event: "warn", Phase: "06-implementation"},
		activity.Entry{Time: at.Add(2 * time.Hour), Hook: "gate-blocker", Event: "block"},
		activity.Entry{Time: at.Add(3 * time.Hour), Hook: "gate-blocker", Event: "error", Reason: "oops"},
	))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	assert.NilError(t, err)
	_, err = file.WriteString("broken\n")
	assert.NilError(t, err)
	assert.NilError(t, file.Close())
	return dir
}

func TestLog(t *testing.T) {
	dir := logged(t)
	for _, c := range []struct {
		name  string
		args  []string
		hours []string
	}{
		{"all", nil, []string{"08:00", "09:00", "10:00", "11:00"}},
		{"hook", []string{"--hook", "test-watcher,x"}, []string{"09:00"}},
		{"event", []string{"--event", "block", "--event", "error"}, []string{"08:00", "10:00", "11:00"}},
		{"phase", []string{"--phase", "06-implementation"}, []string{"08:00", "09:00"}},
		{"since a time", []string{"--since", "2026-02-20T09:00:00Z"}, []string{"09:00", "10:00", "11:00"}},
		{"since long ago", []string{"--since", "300000d"}, []string{"08:00", "09:00", "10:00", "11:00"}},
		{"last", []string{"--event", "block", "--last", "1"}, []string{"10:00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, notes, code := outputs(append([]string{"log", "--project", dir}, c.args...)...)
			assert.Equal(t, code, 0)
			assert.Equal(t, notes, "1 line in the log could not be read.\n")
			lines := strings.Split(strings.TrimSpace(out), "\n")
			assert.Check(t, strings.HasPrefix(lines[0], "TIME "), lines[0])
			var hours []string
			for _, line := range lines[1:] {
				hours = append(hours, strings.Fields(line)[1][:5])
			}
			assert.DeepEqual(t, hours, c.hours)
		})
	}
	out, _, _ := outputs("log", "--project", dir, "--last", "4")
	assert.Check(t, is.Contains(out, "06-implementation  qa     two lines [31m\n"), "a reason is one line and no order to the terminal")

	out, _, code := outputs("log", "--project", dir, "--json", "--event", "error")
	assert.Equal(t, code, 0)
	assert.Equal(t, out, `{"ts":"2026-02-20T11:00:00.000Z","hook":"gate-blocker","event":"error","phase":null,"agent":null,"reason":"oops"}`+"\n")

	out, _, _ = outputs("log", "--project", dir, "--count")
	assert.Equal(t, out, `COUNT  HOOK          EVENT  LAST
2      gate-blocker  block  2026-02-20 10:00:00
1      test-watcher  warn   2026-02-20 09:00:00
1      gate-blocker  error  2026-02-20 11:00:00
4      in all               
`)
	out, _, _ = outputs("log", "--project", dir, "--count", "--json", "--hook", "none")
	assert.Equal(t, out, "{\n  \"entries\": 0,\n  \"broken_lines\": 1,\n  \"counts\": []\n}\n")
	_, notes, code := outputs("log", "--project", dir, "--hook", "none")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(notes, "None of 4 entries is like that."))
	_, notes, code = outputs("log", "--project", t.TempDir())
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(notes, "The hooks have written nothing"))
}

func TestLogFails(t *testing.T) {
	dir := t.TempDir()
	assert.NilError(t, os.MkdirAll(filepath.Join(dir, ".isdlc", "hook-activity.log"), 0o755))
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--project", dir}, 1, "reading the activity log"},
		{[]string{"--project", dir, "--follow"}, 1, "following the activity log"},
		{[]string{"--project", filepath.Join(dir, "none")}, 2, "does not exist"},
		{[]string{"--since", "soon"}, 2, `--since "soon" is neither a time nor a duration`},
		{[]string{"--since", "-3h"}, 2, "is neither a time"},
		{[]string{"--follow", "--count"}, 2, "do not go together"},
		{[]string{"--last", "-1"}, 2, "negative"},
		{[]string{"--last", "many"}, 2, "invalid argument"},
		{[]string{"more"}, 2, "unknown command"},
	} {
		_, notes, code := outputs(append([]string{"log"}, c.args...)...)
		assert.Check(t, is.Equal(code, c.code), "%v", c.args)
		assert.Check(t, is.Contains(notes, c.says), "%v", c.args)
	}
}

func TestLogFollow(t *testing.T) {
	dir := logged(t)
	path := filepath.Join(dir, ".isdlc", "hook-activity.log")
	ctx, stop := context.WithCancel(context.Background())
	ticks := make(chan time.Time)
	var out, notes bytes.Buffer
	done := make(chan error)
	go func() {
		o := logOptions{json: true, last: 1, follow: true}
		o.filter.Hooks = []string{"gate-blocker"}
		done <- o.watch(ctx, ticks, path, &out, &notes)
	}()
	ticks <- time.Time{} // it has read what there was
	assert.NilError(t, activity.Append(path, activity.Entry{Hook: "gate-blocker", Event: "new"}, activity.Entry{Hook: "other", Event: "new"}))
	ticks <- time.Time{}
	ticks <- time.Time{}
	stop()
	assert.NilError(t, <-done)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Equal(t, len(lines), 2, out.String())
	assert.Check(t, is.Contains(lines[0], `"event":"error"`))
	assert.Check(t, is.Contains(lines[1], `"event":"new"`))
	assert.Equal(t, notes.String(), "1 line in the log could not be read.\n")
}

func TestColour(t *testing.T) {
	before := color.NoColor
	defer func() { color.NoColor = before }()
	dir := logged(t)
	color.NoColor = true
	plain, _, _ := outputs("log", "--project", dir)
	color.NoColor = false
	colourful, _, _ := outputs("log", "--project", dir)
	assert.Check(t, !strings.Contains(plain, "\x1b"))
	assert.Check(t, is.Contains(colourful, "\x1b[31mblock"))
	var stripped []string
	for _, line := range strings.Split(colourful, "\n") {
		line = strings.ReplaceAll(line, "\x1b[0m", "")
		for _, code := range []string{"00", "31", "32", "33"} {
			line = strings.ReplaceAll(line, "\x1b["+code+"m", "")
		}
		stripped = append(stripped, line)
	}
	assert.Equal(t, strings.Join(stripped, "\n"), plain, "colours leave the columns where they are")
}

func TestCompletion(t *testing.T) {
	out, _, code := outputs("__complete", "log", "--hook", "gate-blocker,test-w")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(out, "gate-blocker,test-watcher\n"))
	assert.Check(t, !strings.Contains(out, "gate-blocker,gate-blocker"))
	out, _, code = outputs("completion", "bash")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(out, "isdlc-hooks"))
}
