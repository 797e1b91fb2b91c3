//go:build unix

package faults

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
)

// gate is a call that is blocked by what the state holds; the refusal is also
// written into it.
var gate = changers[4]

// An outcome is what is to come of the gate call.
type outcome struct {
	blocks  bool
	changed []string // files of the project
	log     string   // in the one error entry of the log; "" for no entry
}

// What is at the place of the state, and what the caller sees of it.
func TestOddStates(t *testing.T) {
	const wrote = state
	for _, test := range []struct {
		name    string
		arrange func(*hooktest.Project)
		want    outcome
	}{
		{"a file", func(*hooktest.Project) {}, outcome{blocks: true, changed: []string{wrote}}},
		{"nothing", func(p *hooktest.Project) { p.Remove(state) }, outcome{}},
		{"an empty file", func(p *hooktest.Project) { p.Write(state, "") }, outcome{}},
		{"half a file", func(p *hooktest.Project) { p.Write(state, `{"active_workflow":{`) }, outcome{}},
		{"a folder", func(p *hooktest.Project) { p.Remove(state); p.Write(state+"/x", "") }, outcome{}},
		{"a pipe", func(p *hooktest.Project) { p.Remove(state); check(syscall.Mkfifo(p.Path(state), 0o644)) }, outcome{}},
		{"a device", func(p *hooktest.Project) { p.Remove(state); check(os.Symlink("/dev/zero", p.Path(state))) }, outcome{}},
		{"a loop of links", func(p *hooktest.Project) {
			p.Remove(state)
			check(os.Symlink("loop.json", p.Path(state)))
			check(os.Symlink("state.json", p.Path(".isdlc/loop.json")))
		}, outcome{changed: []string{activity}, log: "too many levels of symbolic links"}},
		{"a link to nothing", func(p *hooktest.Project) { p.Remove(state); check(os.Symlink("none.json", p.Path(state))) }, outcome{}},
		{"a link to a file", func(p *hooktest.Project) {
			check(os.Rename(p.Path(state), p.Path("real.json")))
			check(os.Symlink("../real.json", p.Path(state)))
		}, outcome{blocks: true, changed: []string{"real.json"}}},
		{"a file of another with a second name", func(p *hooktest.Project) { check(os.Link(p.Path(state), p.Path("second.json"))) },
			outcome{blocks: true, changed: []string{wrote}}},
		{"a folder where a writer's file was", func(p *hooktest.Project) { p.Write(".isdlc/.state.json.tmp/x", "") },
			outcome{blocks: true, changed: []string{wrote}}},
		{"a folder where the log is", func(p *hooktest.Project) { p.Write(activity+"/x", "") },
			outcome{blocks: true, changed: []string{wrote}}},
		{"the folder .isdlc is a file", func(p *hooktest.Project) { p.Remove(".isdlc"); p.Write(".isdlc", "x") }, outcome{}},
		{"the project is not there", func(p *hooktest.Project) { p.Remove(".") }, outcome{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := prepare(t)
			test.arrange(p)
			before := p.Files
			var first hooktest.Files
			if _, err := os.Stat(p.Dir); err == nil {
				first = before()
			}
			r := run{}
			if first == nil {
				r = doFrom(t, p, "/", call{program: gate.program, stdin: gate.event, limit: 10 * time.Second})
				assert.Equal(t, r.stdout+r.stderr, "")
				assert.Equal(t, r.exit, 0)
				return
			}
			r = do(t, p, call{program: gate.program, stdin: gate.event, limit: 10 * time.Second})
			assertOutcome(t, p, first, r, test.want)
		})
	}
}

func assertOutcome(t *testing.T, p *hooktest.Project, before hooktest.Files, r run, want outcome) {
	t.Helper()
	assert.Assert(t, !r.timedOut)
	assert.Equal(t, r.exit, 0)
	assert.Equal(t, r.stderr, "")
	assert.Equal(t, strings.Contains(r.stdout, `"permissionDecision":"deny"`), want.blocks, "%q", r.stdout)
	assert.Assert(t, want.blocks || r.stdout == "", r.stdout)
	changed := before.Changed(p.Files())
	if len(want.changed) == 0 {
		assert.Equal(t, len(changed), 0, "%v", changed)
	} else {
		assert.DeepEqual(t, changed, want.changed)
	}
	if want.log == "" {
		return
	}
	entries := log(t, p, "error")
	assert.Equal(t, len(entries), 1, "%v", entries)
	assert.Assert(t, cmp.Contains(entries[0], want.log))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A folder that may not be written, a file that may not be read: the answer
// stands, nothing is changed, and the log says why as far as it can be written.
func TestPermissions(t *testing.T) {
	nobody := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 {
		nobody.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	for _, test := range []struct {
		name    string
		arrange func(*hooktest.Project)
		want    outcome
	}{
		{"the folder is read-only", func(p *hooktest.Project) { p.Chmod(".isdlc", 0o555) }, outcome{blocks: true}},
		{"the folder is read-only, the log is there", func(p *hooktest.Project) {
			p.Write(activity, "")
			p.Chmod(activity, 0o666)
			p.Chmod(".isdlc", 0o555)
		}, outcome{blocks: true, changed: []string{activity}, log: "permission denied"}},
		{"the file may not be read", func(p *hooktest.Project) { p.Chmod(state, 0); p.Chmod(".isdlc", 0o777) },
			outcome{changed: []string{activity}, log: "permission denied"}},
		{"the folder may not be entered", func(p *hooktest.Project) { p.Chmod(".isdlc", 0) }, outcome{}},
		{"the folder may be written, but not listed", func(p *hooktest.Project) { p.Chmod(".isdlc", 0o333) },
			outcome{blocks: true, changed: []string{activity, activity + ".lock", state + ".lock"}, log: "permission denied"}},
		{"the configuration may not be read", func(p *hooktest.Project) { p.Chmod(".claude/hooks/config/iteration-requirements.json", 0) }, outcome{}},
		{"the file is another's, the folder is not", func(p *hooktest.Project) { p.Chmod(".isdlc", 0o777) }, outcome{blocks: true, changed: []string{state}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := prepare(t)
			test.arrange(p)
			before := p.Files()
			r := do(t, p, call{program: gate.program, stdin: gate.event, as: nobody, wrap: reachable(t, p, nobody)})
			p.Chmod(".isdlc", 0o755)
			assertOutcome(t, p, before, r, test.want)
		})
	}
}

// reachable lets another user start the programs, which are in a folder of ours.
func reachable(t *testing.T, p *hooktest.Project, as *syscall.SysProcAttr) []string {
	if as.Credential == nil {
		return nil
	}
	program := hooktest.Program(t, gate.program)
	dir := program[:strings.LastIndexByte(program, '/')]
	assert.NilError(t, os.Chmod(dir, 0o755))
	if out, err := exec.Command("ls", "-ld", dir).CombinedOutput(); err != nil {
		t.Skipf("the programs cannot be reached: %s", out)
	}
	return nil
}

// A disk that is full: the file keeps what it held, nothing is left beside it,
// and the answer stands.
func TestDiskFull(t *testing.T) {
	shell, err := exec.LookPath("sh")
	assert.NilError(t, err)
	p := prepare(t)
	text := string(document(t, p.Path(state)).Indent())
	p.Write(state, strings.TrimSuffix(text, "\n}")+`,"filler":"`+strings.Repeat("x", 200_000)+`"}`)
	before := p.Files()
	// Files beyond 64 blocks of 512 or 1024 bytes cannot be written.
	r := do(t, p, call{program: gate.program, stdin: gate.event, wrap: []string{shell, "-c", `trap "" XFSZ; ulimit -f 64; exec "$0"`}})
	assertOutcome(t, p, before, r, outcome{blocks: true, changed: []string{activity}, log: "file too large"})

	// Not even an entry in the log.
	before = p.Files()
	r = do(t, p, call{program: gate.program, stdin: gate.event, wrap: []string{shell, "-c", `trap "" XFSZ; ulimit -f 0; exec "$0"`}})
	assertOutcome(t, p, before, r, outcome{blocks: true})
}

// The same on a file system without room.
func TestFileSystemFull(t *testing.T) {
	p := prepare(t)
	mount := p.Path("small")
	assert.NilError(t, os.Mkdir(mount, 0o755))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", mount).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %s", out)
	}
	t.Cleanup(func() { check(exec.Command("umount", mount).Run()) })
	small := *p
	small.Dir = mount
	copyInto(t, p, &small)
	fill, err := os.Create(small.Path("fill"))
	assert.NilError(t, err)
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.NilError(t, fill.Close())
	before := small.Files()
	r := do(t, &small, call{program: gate.program, stdin: gate.event})
	assertOutcome(t, &small, before, r, outcome{blocks: true, changed: []string{activity}})
	assert.Equal(t, len(log(t, &small, "")), 0, "the log could be made, and nothing written to it")
	assert.DeepEqual(t, names(t, &small, ".isdlc"), []string{"config", "hook-activity.log", "state.json"})

	assert.NilError(t, os.Remove(small.Path("fill")))
	before = small.Files()
	r = do(t, &small, call{program: gate.program, stdin: gate.event})
	assertOutcome(t, &small, before, r, outcome{blocks: true, changed: []string{state}})
}

func copyInto(t *testing.T, from, to *hooktest.Project) {
	t.Helper()
	for name, file := range from.Files() {
		if !strings.HasPrefix(name, "small/") && file.Mode.IsRegular() && !strings.Contains(name, "skills-manifest") {
			to.Write(name, file.Data)
		}
	}
}

// A state of 200 MB takes time and memory in proportion, and one above what is
// read into memory is told.
func TestHugeState(t *testing.T) {
	size := times(200<<20, 20<<20)
	p := prepare(t)
	text := string(document(t, p.Path(state)).Indent())
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(text, "\n}") + `,` + "\n  \"filler\": [\n    0")
	for i := 0; b.Len() < size; i++ {
		b.WriteString(",\n    {\n      \"id\": " + strconv.Itoa(i) + `,
      "text": "some text with \"quotes\" and ünïcode",
      "list": [
        1,
        2.50,
        null,
        true
      ]
    }`)
	}
	b.WriteString("\n  ]\n}")
	p.Write(state, b.String())
	r := measured(t, p, call{program: gate.program, stdin: gate.event})
	t.Logf("%d MB: %.2f s, %d MB of memory", size>>20, r.duration.Seconds(), r.rss>>20)
	assert.Assert(t, strings.Contains(r.stdout, `"deny"`), r.stdout)
	assert.Equal(t, r.exit, 0)
	assert.Equal(t, version(t, document(t, p.Path(state))), 2)
	assert.Assert(t, r.rss < 4*int64(size)+(64<<20), "%d MB of memory for %d", r.rss>>20, size>>20)

	// Without its layout it is half as long; laid out again it may be too long.
	laidOut := document(t, p.Path(state))
	compact := string(laidOut.Compact())
	p.Write(state, compact)
	p.Write(activity, "")
	r = measured(t, p, call{program: gate.program, stdin: gate.event})
	t.Logf("%d MB, compact: %.2f s, %d MB of memory", len(compact)>>20, r.duration.Seconds(), r.rss>>20)
	assert.Assert(t, strings.Contains(r.stdout, `"deny"`), r.stdout)
	assert.Equal(t, version(t, document(t, p.Path(state))), 3)
	assert.Assert(t, r.rss < 5*int64(len(compact))+(64<<20), "%d MB of memory", r.rss>>20)

	// Thousands of levels would be laid out as 600 MB of blanks: they are not.
	deep := text[:len(text)-len("\n}")] + `,"deep":` + strings.Repeat("[", 9900) + strings.Repeat("0,", 20_000) + "0" + strings.Repeat("]", 9900) + "}"
	p.Write(state, deep)
	p.Write(activity, "")
	r = measured(t, p, call{program: gate.program, stdin: gate.event})
	assert.Assert(t, strings.Contains(r.stdout, `"deny"`), r.stdout)
	assert.Equal(t, version(t, document(t, p.Path(state))), 2)
	after, err := os.ReadFile(p.Path(state))
	assert.NilError(t, err)
	assert.Assert(t, len(after) < 2*len(deep) && bytes.Contains(after, []byte("[0,0,0")), "%d bytes for %d", len(after), len(deep))
	assert.Assert(t, r.rss < 64<<20, "%d MB of memory", r.rss>>20)

	p.Write(activity, "")
	assert.NilError(t, os.Truncate(p.Path(state), 300<<20))
	r = measured(t, p, call{program: gate.program, stdin: gate.event})
	assert.Equal(t, r.exit, 0)
	assert.Equal(t, r.stdout+r.stderr, "")
	assert.Assert(t, r.rss < 64<<20, "%d MB", r.rss>>20)
	assert.Assert(t, cmp.Contains(log(t, p, "error")[0], "too large"))
}

// The clock jumps back: files and entries are then from the future.
func TestClockJumpsBack(t *testing.T) {
	future := time.Now().Add(1000 * time.Hour)
	stamp := future.UTC().Format("2006-01-02T15:04:05.000Z")
	p := prepare(t)
	doc := document(t, p.Path(state))
	doc.Get("active_workflow").Set("started_at", stamp)
	doc.Get("phases", "01-requirements").Set("started_at", stamp)
	p.Write(state, string(doc.Indent()))
	p.Write(activity, `{"ts":"`+stamp+`","hook":"x","event":"allow","phase":null,"agent":null,"reason":null}`+"\n")
	for name := range p.Files() {
		assert.NilError(t, os.Chtimes(p.Path(name), future, future))
	}
	for i, a := range changers {
		before := version(t, document(t, p.Path(state)))
		r := p.Run(a.program, a.as("x"))
		assert.Equal(t, r.Exit, 0)
		assert.Equal(t, version(t, document(t, p.Path(state))), before+1, "%d, %s: %s", i, a.program, r.Stderr)
		assert.Equal(t, strings.Contains(r.Stdout, `"deny"`), strings.Contains(a.event, "PreToolUse"), r.Stdout)
		assert.NilError(t, os.Chtimes(p.Path(state), future, future))
	}
	assert.Equal(t, len(log(t, p, "error")), 0)
	assert.Equal(t, document(t, p.Path(state)).Get("active_workflow", "started_at").Text(), stamp)

	// An escalation from the future counts as one of just now (spec 10 §1.7): the
	// call is blocked all the same.
	doc = document(t, p.Path(state))
	for _, e := range doc.Get("pending_escalations").Items() {
		e.Set("timestamp", stamp)
	}
	n := len(doc.Get("pending_escalations").Items())
	p.Write(state, string(doc.Indent()))
	r := p.Run(gate.program, gate.event)
	assert.Assert(t, strings.Contains(r.Stdout, `"deny"`), r.Stdout)
	assert.Equal(t, len(document(t, p.Path(state)).Get("pending_escalations").Items()), n)
}
