//go:build unix

package taskie

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/poll"

	"isdlc-hooks/lib/hooktest"
)

// The tests use this test binary as the reviewer: with this variable set it does
// what it says.
const reviewerVariable = "TASKIE_TEST_REVIEWER"

// beReviewer notes the processes of a review in the file PIDS, does harm to the
// hook, and goes on working.
func beReviewer() bool {
	role := os.Getenv(reviewerVariable)
	if role == "" {
		return false
	}
	if role == "work" {
		time.Sleep(time.Hour)
	}
	helper := exec.Command(os.Args[0]) // as claude starts its tools
	helper.Env = []string{reviewerVariable + "=work"}
	helper.Stdout, helper.Stderr = os.Stdout, os.Stderr
	if err := helper.Start(); err != nil {
		panic(err)
	}
	pids := fmt.Sprintf("%d %d %d", os.Getpid(), helper.Process.Pid, syscall.Getpgrp())
	if err := os.WriteFile(os.Getenv("PIDS"), []byte(pids), 0o644); err != nil {
		panic(err)
	}
	victim, signal := os.Getppid(), syscall.SIGKILL
	switch role {
	case "terminate the hook":
		signal = syscall.SIGTERM
	case "kill the shell of the hook":
		victim, _ = strconv.Atoi(os.Getenv("SHELL_PID"))
	case "leave the helper":
		if err := os.WriteFile(os.Getenv("REVIEW"), nil, 0o644); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "work too long":
		time.Sleep(time.Hour)
	}
	if err := syscall.Kill(victim, signal); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour)
	return true
}

const (
	planDir   = ".taskie/plans/billing-rewrite/"
	stopEvent = `{"session_id": "s1", "hook_event_name": "Stop", "cwd": %q, "stop_hook_active": %t}`
)

// A session plays the client and the agent.
type session struct {
	*hooktest.Project
	t      *testing.T
	active bool // stop_hook_active of the next stop
}

func newSession(t *testing.T) *session {
	s := &session{Project: hooktest.NewProject(t), t: t}
	s.Write(planDir+"plan.md", "# Billing rewrite\n\n## Overview\n\nMove invoicing to the new ledger.\n")
	s.Write(planDir+"state.json", due)
	return s
}

func (s *session) state() map[string]any {
	s.t.Helper()
	var doc map[string]any
	assert.NilError(s.t, json.Unmarshal([]byte(read(s.t, s.Path(planDir+"state.json"))), &doc))
	return doc
}

func (s *session) set(phase, next string) {
	doc := s.state()
	doc["phase"], doc["next_phase"] = phase, next
	text, err := json.Marshal(doc)
	assert.NilError(s.t, err)
	s.Write(planDir+"state.json", string(text))
}

// stop is the end of a turn: it gives the reason of a block, or the message of
// an approval.
func (s *session) stop(o hooktest.Options) (reason, message string) {
	s.t.Helper()
	r := s.RunWith("taskie-stop-hook", fmt.Sprintf(stopEvent, s.Dir, s.active), o)
	assert.Equal(s.t, r.Exit, 0, r.Stderr)
	assert.Equal(s.t, r.Stderr, "")
	var answer struct{ Decision, Reason, SystemMessage string }
	assert.NilError(s.t, json.Unmarshal([]byte(r.Stdout), &answer), r.Stdout)
	assert.Equal(s.t, answer.Decision == "block", answer.Reason != "")
	s.active = answer.Reason != ""
	return answer.Reason, answer.SystemMessage
}

// TestSession: a plan is made, reviewed three times and handed to the person,
// without anybody doing anything in between but what the hook asks for.
func TestSession(t *testing.T) {
	s := newSession(t)
	s.Executable("claude", `#!/bin/sh
n=$(($(cat calls 2>/dev/null | wc -l) + 1))
echo "$3 $TASKIE_HOOK_SKIP" >>calls
echo '# Review' >.taskie/plans/billing-rewrite/plan-review-$n.md
case $n in 1) v=FAIL ;; *) v=PASS ;; esac
echo '{"type":"result","result":"","structured_output":{"verdict":"'$v'"}}'
`)
	for n, want := range []struct {
		active bool // as the client sends it
		next   string
		model  string
		clean  float64
	}{
		{false, "post-plan-review", "sonnet", 0},
		{true, "post-plan-review", "opus", 1},
		{true, "create-tasks", "sonnet", 2},
	} {
		assert.Equal(t, s.active, want.active)
		reason, message := s.stop(hooktest.Options{})
		assert.DeepEqual(t, s.state(), map[string]any{
			"max_reviews": 8.0, "current_task": nil, "tdd": false,
			"phase": "plan-review", "next_phase": want.next,
			"phase_iteration": float64(n + 1), "review_model": want.model, "consecutive_clean": want.clean,
		})
		if want.next == "create-tasks" {
			assert.Equal(t, reason, "")
			assert.Assert(t, strings.Contains(message, "create-tasks") && strings.Contains(message, "continue-plan"), message)
			break
		}
		review := fmt.Sprintf("%splan-review-%d.md", planDir, n+1)
		post := fmt.Sprintf("%splan-post-review-%d.md", planDir, n+1)
		assert.Assert(t, strings.Contains(reason, review) && strings.Contains(reason, post), reason)
		s.Write(post, "# What was done\n")
		s.set("post-plan-review", "plan-review")
	}
	assert.Equal(t, read(t, s.Path("calls")), "opus true\nsonnet true\nopus true\n")

	_, message := s.stop(hooktest.Options{}) // after the next prompt of the person
	assert.Assert(t, strings.Contains(message, "validated"), message)
	assert.Equal(t, s.state()["next_phase"], "create-tasks")
	for name := range s.Files() {
		assert.Assert(t, !strings.HasPrefix(filepath.Base(name), "."), "%s is left", name)
	}
}

// An agent that stops without the work that was asked for is let go: the loop
// cannot run on its own.
func TestSessionEndsWhenTheAgentGivesUp(t *testing.T) {
	s := newSession(t)
	s.Executable("claude", "#!/bin/sh\necho >.taskie/plans/billing-rewrite/plan-review-1.md\n")
	reason, _ := s.stop(hooktest.Options{})
	assert.Assert(t, reason != "")
	before := s.Files()
	reason, message := s.stop(hooktest.Options{})
	assert.Equal(t, reason+message, "")
	assert.DeepEqual(t, before.Changed(s.Files()), []string(nil))
}

// reviewed is a session with a reviewer that is this binary in a role.
func reviewed(t *testing.T, role string) (*session, hooktest.Options) {
	s := newSession(t)
	program, err := os.Executable()
	assert.NilError(t, err)
	s.Executable("claude", "#!/bin/sh\nexec '"+program+"'\n")
	return s, hooktest.Options{Env: map[string]string{
		reviewerVariable: role,
		"PIDS":           filepath.Join(s.Home, "pids"),
		"REVIEW":         s.Path(planDir + "plan-review-1.md"),
	}}
}

// assertGone waits until no process of the review is left: the reviewer, what it
// has started, and the leader of their group.
func (s *session) assertGone() {
	s.t.Helper()
	pids := strings.Fields(read(s.t, filepath.Join(s.Home, "pids")))
	assert.Equal(s.t, len(pids), 3)
	s.t.Cleanup(func() {
		if group, err := strconv.Atoi(pids[2]); err == nil && s.t.Failed() {
			_ = syscall.Kill(-group, syscall.SIGKILL) // of what this test has started
		}
	})
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		assert.NilError(s.t, err)
		poll.WaitOn(s.t, func(poll.LogT) poll.Result {
			if running(pid) {
				return poll.Continue("process %d of %v still runs", pid, pids)
			}
			return poll.Success()
		}, poll.WithDelay(5*time.Millisecond), poll.WithTimeout(20*time.Second))
	}
}

// running is false also for a process that nobody has taken notice of since it
// ended.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	if runtime.GOOS != "linux" {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, fields, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(fields, "Z")
}

// assertUntouched: the state is as it was, and beside the log of the review
// there is nothing new.
func (s *session) assertUntouched(before hooktest.Files) {
	s.t.Helper()
	assert.DeepEqual(s.t, before.Changed(s.Files()), []string{planDir + ".review-1.log"})
}

func TestKilledDuringAReview(t *testing.T) {
	s, o := reviewed(t, "kill the hook")
	before := s.Files()
	r := s.RunWith("taskie-stop-hook", fmt.Sprintf(stopEvent, s.Dir, false), o)
	assert.Equal(t, r.Exit, -1)
	assert.Assert(t, !r.TimedOut)
	s.assertGone()
	s.assertUntouched(before)
}

// The client ends a hook with SIGTERM when its time is up.
func TestTerminatedDuringAReview(t *testing.T) {
	s, o := reviewed(t, "terminate the hook")
	before := s.Files()
	r := s.RunWith("taskie-stop-hook", fmt.Sprintf(stopEvent, s.Dir, false), o)
	assert.Equal(t, r.Exit, 0)
	assert.Assert(t, !r.Lingering)
	assert.Assert(t, strings.Contains(r.Stdout, "systemMessage") && strings.Contains(r.Stderr, "warning"), "%+v", r)
	s.assertGone()
	s.assertUntouched(before)
}

// A shell between the client and the hook may be ended without a word to the
// hook.
func TestShellKilledDuringAReview(t *testing.T) {
	s, o := reviewed(t, "kill the shell of the hook")
	s.Executable("client-shell", "#!/bin/sh\nexport SHELL_PID=$$\n'"+hooktest.Program(t, "taskie-stop-hook")+"'\nexit $?\n")
	before := s.Files()
	r := s.RunWith(filepath.Join(filepath.Dir(s.Dir), "bin", "client-shell"), fmt.Sprintf(stopEvent, s.Dir, false), o)
	assert.Equal(t, r.Exit, -1)
	s.assertGone()
	s.assertUntouched(before)
}

func TestTimedOutReview(t *testing.T) {
	s, o := reviewed(t, "work too long")
	o.Env["TASKIE_REVIEW_TIMEOUT"] = "1.5"
	before := s.Files()
	r := s.RunWith("taskie-stop-hook", fmt.Sprintf(stopEvent, s.Dir, false), o)
	assert.Equal(t, r.Exit, 0)
	assert.Assert(t, strings.Contains(r.Stderr, "timed out after 1.5s"), r.Stderr)
	s.assertGone()
	s.assertUntouched(before)
}

// What a reviewer leaves running ends with it, and nobody waits for it.
func TestReviewerLeavesAHelper(t *testing.T) {
	s, o := reviewed(t, "leave the helper")
	r := s.RunWith("taskie-stop-hook", fmt.Sprintf(stopEvent, s.Dir, false), o)
	assert.Equal(t, r.Exit, 0)
	assert.Assert(t, strings.Contains(r.Stdout, `"decision":"block"`) && !r.Lingering, "%+v", r)
	s.assertGone()
}

// Without variables the root is the folder above the program's, if the ground
// rules are there.
func TestRootBesideTheProgram(t *testing.T) {
	s := newSession(t)
	s.Executable("claude", "#!/bin/sh\nfor prompt; do :; done\nprintf %s \"$prompt\" >prompt\nexit 1\n")
	program, err := os.ReadFile(hooktest.Program(t, "taskie-stop-hook"))
	assert.NilError(t, err)
	plugin := t.TempDir()
	assert.NilError(t, os.Mkdir(filepath.Join(plugin, "hooks"), 0o755))
	copied := filepath.Join(plugin, "hooks", "taskie-stop-hook")
	syscall.ForkLock.RLock() // no child of another test may inherit the open file
	err = os.WriteFile(copied, program, 0o755)
	syscall.ForkLock.RUnlock()
	assert.NilError(t, err)

	ask := func() string {
		r := s.Run(copied, fmt.Sprintf(stopEvent, s.Dir, false))
		assert.Assert(t, strings.Contains(r.Stderr, "exit status 1"), r.Stderr)
		return read(t, s.Path("prompt"))
	}
	assert.Assert(t, strings.Contains(ask(), "if the project has it"))
	assert.NilError(t, os.WriteFile(filepath.Join(plugin, "ground-rules.md"), nil, 0o644))
	assert.Assert(t, strings.Contains(ask(), plugin+"/ground-rules.md"))
}
