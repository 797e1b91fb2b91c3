package hook_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
)

// The test program runs itself as a hook: testHook says which.
const testHook = "ISDLC_TEST_HOOK"

func TestMain(m *testing.M) {
	if name := os.Getenv(testHook); name != "" {
		runHook(name)
		return
	}
	os.Exit(m.Run())
}

// hooks are the rules that the tests run as processes of their own.
var hooks = map[string]func(*hook.Context) hook.Decision{
	// counts itself in the state
	"count": func(c *hook.Context) hook.Decision {
		st := c.State()
		if st == nil {
			return hook.Allow()
		}
		n, _ := st.Get("count").Float()
		st.Object.Set("count", n+1)
		st.Object.EnsureArray("seen").Append(c.Getenv("ISDLC_TEST_ID"))
		c.Log("count", "", "", c.Getenv("ISDLC_TEST_ID"))
		return hook.Allow()
	},
	// the file is written by somebody else while the rule runs, the first time
	"interrupted": func(c *hook.Context) hook.Decision {
		c.State().Object.Set("rule", "done")
		mark := c.Project().Path("mark")
		if _, err := os.Stat(mark); err != nil {
			os.WriteFile(mark, nil, 0o644)
			os.WriteFile(c.Project().State(), []byte(`{"state_version":41,"foreign":1.0}`), 0o644)
		}
		c.Log("allow", "", "", "done")
		c.Tell("told once")
		c.Recall("question", func() any { note(c, "asked "); return nil })
		c.After(func() error { note(c, "acted "); return nil })
		c.After(func() error { return errors.New("the second effect failed") })
		c.After(func() error { panic("the third effect failed") })
		return hook.Allow()
	},
	// the file is written by somebody else whenever the rule runs
	"hopeless": func(c *hook.Context) hook.Decision {
		c.State().Object.Set("rule", "done")
		os.WriteFile(c.Project().State(), []byte(`{"at":"`+strconv.FormatInt(time.Now().UnixNano(), 10)+`"}`), 0o644)
		return hook.Block("stop all the same")
	},
	"block": func(c *hook.Context) hook.Decision {
		c.Warn("a notice")
		return hook.Block("because <of> this & that")
	},
	"tell": func(c *hook.Context) hook.Decision { c.Tell("first"); c.Tell("second"); return hook.Allow() },
	"legacy": func(c *hook.Context) hook.Decision {
		c.Message("today")
		c.Legacy(ordered.NewObject("continue", true, "a", 1))
		return hook.Allow()
	},
	"touch": func(c *hook.Context) hook.Decision { c.State().Touch(); return hook.Allow() },
	"panic": func(c *hook.Context) hook.Decision {
		c.State().Object.Set("half", "way")
		c.Log("allow", "", "", "half way")
		var list []int
		_ = list[len(c.Getenv("ISDLC_TEST_ID"))]
		return hook.Block("never")
	},
	"fail": func(c *hook.Context) hook.Decision {
		c.State().Object.Set("half", "way")
		return hook.Fail(errors.New("it went wrong"))
	},
}

// note adds to what happened outside the state.
func note(c *hook.Context, what string) {
	path := c.Project().Path("outside")
	before, _ := os.ReadFile(path)
	state, _ := os.ReadFile(c.Project().State())
	if strings.Contains(string(state), `"rule"`) {
		what = "after the commit: " + what
	}
	os.WriteFile(path, append(before, what...), 0o644)
}

func asHook(name string) *hook.Hook {
	h := &hook.Hook{Name: name, Events: []claude.EventName{claude.PreToolUse}, Tools: []claude.Tool{claude.Task}, Run: hooks[name]}
	if name == "tell" {
		h.Events = []claude.EventName{claude.PostToolUse, claude.PostToolUseFailure}
	}
	return h
}

func runHook(names string) {
	var steps []hook.Step
	for _, name := range strings.Split(names, ",") {
		steps = append(steps, hook.Step{Hook: asHook(name)})
	}
	if len(steps) == 1 {
		hook.Main(steps[0].Hook)
		return
	}
	hook.Dispatch(&hook.Dispatcher{Name: "several", Events: []claude.EventName{claude.PreToolUse}, Steps: steps})
}

const event = `{"tool_name":"Agent","tool_input":{}}`

// command is a hook process in the project at dir.
func command(dir, name, id, stdin string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0", "CLAUDE_PROJECT_DIR=" + dir, testHook + "=" + name, "ISDLC_TEST_ID=" + id}, env...)
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

type result struct{ stdout, stderr string }

func run(t *testing.T, dir, name, stdin string, env ...string) result {
	t.Helper()
	cmd := command(dir, name, "", stdin, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	assert.NilError(t, cmd.Run(), "a hook always ends with exit code 0: %s", &stderr)
	return result{stdout.String(), stderr.String()}
}

// project makes a project with this state, "" for none.
func project(t *testing.T, state string) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, ".isdlc", "state.json")
	assert.NilError(t, os.Mkdir(filepath.Dir(path), 0o755))
	if state != "" {
		assert.NilError(t, os.WriteFile(path, []byte(state), 0o644))
	}
	return dir, path
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}

func TestNoUpdateOfParallelProcessesIsLost(t *testing.T) {
	const processes = 64
	dir, path := project(t, `{"state_version":7,"count":0,"exact":1.0}`)
	var wait sync.WaitGroup
	for i := range processes {
		wait.Go(func() {
			if out, err := command(dir, "count", fmt.Sprint("p", i), event).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("process %d: %v %s", i, err, out)
			}
		})
	}
	wait.Wait()

	state, err := ordered.Parse([]byte(read(t, path)))
	assert.NilError(t, err)
	assert.Equal(t, state.Get("count").Literal(), "64")
	assert.Equal(t, state.Get("state_version").Literal(), "71")
	assert.Equal(t, state.Get("exact").Literal(), "1.0")
	seen := map[string]bool{}
	for _, id := range state.Get("seen").Items() {
		seen[id.Text()] = true
	}
	assert.Equal(t, len(seen), processes)
	log := read(t, filepath.Join(dir, ".isdlc", "hook-activity.log"))
	assert.Equal(t, strings.Count(log, "\n"), processes)
	assert.Assert(t, !strings.Contains(log, `"error"`), log)
}

// A process that is killed leaves the old document or the new one, whole, and
// the next one works as if nothing had been.
func TestKilledAtAnyInstant(t *testing.T) {
	const kills = 500
	var filler strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&filler, `"k%d":"%s",`, i, strings.Repeat("x", 60))
	}
	dir, path := project(t, "{"+filler.String()+`"count":0}`)
	start := time.Now()
	assert.NilError(t, command(dir, "count", "warm", event).Run())
	normal := time.Since(start) + time.Millisecond

	killed, last := 0, 1.0
	for i := range kills {
		cmd := command(dir, "count", strconv.Itoa(i), event)
		assert.NilError(t, cmd.Start())
		time.Sleep(time.Duration(rand.Int64N(int64(normal) * 5 / 4)))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		state, err := ordered.Parse([]byte(read(t, path)))
		assert.NilError(t, err, "kill %d left a broken file", i)
		assert.Equal(t, state.Get("k2999").Text(), strings.Repeat("x", 60))
		count, _ := state.Get("count").Float()
		assert.Assert(t, count == last || count == last+1, "count %v after %v", count, last)
		assert.Equal(t, float64(len(state.Get("seen").Items())), count)
		last = count
	}
	t.Logf("%d of %d processes were killed before their end; %v counted", killed, kills, last)
	assert.Assert(t, killed > kills/10 && killed < kills, "the kills must hit before and after the end: %d", killed)

	run(t, dir, "count", event)
	entries, err := os.ReadDir(filepath.Dir(path))
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 2, "state and log alone are left: %v", entries)
}
