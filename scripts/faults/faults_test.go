//go:build unix

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(measureVariable); path != "" {
		measure(path)
	}
	hooktest.Main(m)
}

// times is how often something is done: all of it in a full run.
func times(full, short int) int {
	if os.Getenv("ISDLC_FAULTS") == "full" {
		return full
	}
	return short
}

// An action is a call after or before which a program changes the state.
type action struct{ program, event string }

// changers are actions that all change the state that prepare lays down, each
// time, in a place of its own. %ID% makes a call tell itself from the others.
var changers = []action{
	{"log-skill-usage", `{"hook_event_name":"PostToolUse","tool_name":"Agent","tool_input":{"subagent_type":"qa-engineer","description":"%ID%","prompt":"work"},"tool_response":{"status":"completed","content":[{"type":"text","text":"done"}]}}`},
	{"menu-tracker", `{"hook_event_name":"PostToolUse","tool_name":"Agent","tool_input":{"subagent_type":"x","prompt":"p"},"tool_response":{"status":"completed","content":[{"type":"text","text":"[A] Adjust [R] Refine [C] Continue"}]}}`},
	{"test-watcher", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"npm test -- %ID%"},"tool_response":{"stdout":"Tests: 3 passed, 3 total","stderr":"","interrupted":false}}`},
	{"iteration-corridor", `{"hook_event_name":"PreToolUse","tool_name":"Skill","tool_input":{"skill":"isdlc","args":"advance"}}`},
	{"gate-blocker", `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"Advance now"}}`},
	{"post-bash-dispatcher", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"npm test -- %ID%"},"tool_response":{"stdout":"Tests: 3 passed, 3 total","stderr":"","interrupted":false}}`},
	{"post-task-dispatcher", `{"hook_event_name":"PostToolUse","tool_name":"Agent","tool_input":{"subagent_type":"qa-engineer","description":"%ID%","prompt":"work"},"tool_response":{"status":"completed","content":[{"type":"text","text":"done"}]}}`},
}

func (a action) as(id string) string { return strings.ReplaceAll(a.event, "%ID%", id) }

// prepare makes a project in a phase in which every one of the changers has
// something to write.
func prepare(t testing.TB) *hooktest.Project {
	t.Helper()
	p := hooktest.NewProject(t)
	p.Configs()
	p.Write(".claude/hooks/config/iteration-requirements.json", `{"version":"2.0.0","phase_requirements":{"01-requirements":{
		"test_iteration":{"enabled":true,"max_iterations":1000000,"circuit_breaker_threshold":1000000},
		"constitutional_validation":{"enabled":true,"articles":["I"],"max_iterations":5},
		"interactive_elicitation":{"enabled":true,"min_menu_interactions":1000000}}}}`)
	p.Write(state, `{
  "state_version": 1,
  "exact": 1.0,
  "active_workflow": {"type": "feature", "phases": ["01-requirements"], "current_phase": "01-requirements", "current_phase_index": 0},
  "skill_enforcement": {"enabled": true, "mode": "observe"},
  "phases": {"01-requirements": {"status": "in_progress", "constitutional_validation": {"completed": false, "status": "iterating"},
    "iteration_requirements": {"test_iteration": {"completed": true, "current_iteration": 0, "max_iterations": 1000000, "history": []}}}},
  "external": {"mark": 0}
}`)
	return p
}

const (
	state    = ".isdlc/state.json"
	activity = ".isdlc/hook-activity.log"
)

// version is state_version of a document.
func version(t testing.TB, v *ordered.Value) int {
	t.Helper()
	f, ok := v.Get("state_version").Float()
	assert.Assert(t, ok, "no version in %.200s", v.Compact())
	return int(f)
}

// document reads a state, which must be whole.
func document(t testing.TB, path string) *ordered.Value {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	v, err := ordered.Parse(data)
	assert.NilError(t, err, "%s is broken: %.200q", path, data)
	assert.Assert(t, v.IsObject())
	return v
}

// log gives the entries of the activity log with this event, "" for all.
func log(t testing.TB, p *hooktest.Project, event string) (entries []string) {
	t.Helper()
	data, err := os.ReadFile(p.Path(activity))
	if os.IsNotExist(err) || len(data) == 0 {
		return nil
	}
	assert.NilError(t, err)
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		assert.Assert(t, json.Valid([]byte(line)), "a broken line in the log: %q", line)
		if event == "" || strings.Contains(line, `"event":"`+event+`"`) {
			entries = append(entries, line)
		}
	}
	return entries
}

// names lists the files of a folder of the project.
func names(t testing.TB, p *hooktest.Project, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(p.Path(folder))
	assert.NilError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// A run is what a process left behind that was started by start.
type run struct {
	stdout, stderr string
	exit           int
	timedOut       bool
	duration       time.Duration
	rss            int64 // bytes, at most
}

// A call is a process to be started: for the tests that need more hold of it than
// hooktest gives.
type call struct {
	program, stdin string
	env            []string
	as             *syscall.SysProcAttr
	limit          time.Duration // 60 s where it is 0
	wrap           []string      // a command that runs it
}

// do runs a call in a project and waits for its end.
func do(t testing.TB, p *hooktest.Project, c call) run {
	t.Helper()
	if c.limit == 0 {
		c.limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	cmd := command(ctx, t, p, c)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("starting %s: %v", c.program, err)
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return run{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), ctx.Err() != nil, time.Since(start), peak(usage)}
}

func command(ctx context.Context, t testing.TB, p *hooktest.Project, c call) *exec.Cmd {
	t.Helper()
	words := append(c.wrap[:len(c.wrap):len(c.wrap)], hooktest.Program(t, c.program))
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = p.Dir
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.Home, "TZ=UTC", "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + p.Dir,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	}, c.env...)
	cmd.Stdin = strings.NewReader(c.stdin)
	cmd.SysProcAttr = c.as
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// doFrom is do in another working directory.
func doFrom(t testing.TB, p *hooktest.Project, dir string, c call) run {
	t.Helper()
	cmd := command(context.Background(), t, p, c)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return run{stdout: stdout.String(), stderr: stderr.String(), exit: cmd.ProcessState.ExitCode()}
}
