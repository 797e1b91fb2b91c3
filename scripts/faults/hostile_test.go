//go:build unix

package faults

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

const (
	perLaying = 25               // events on one project, its state changed for each
	maxTime   = 15 * time.Second // git is given up to 5 s, a server of models as much
	maxMemory = 400 << 20
)

// secrets are in the environment of every process, and may come out of none.
var secrets = []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "GITHUB_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "AWS_SECRET_ACCESS_KEY", "NPM_TOKEN", "MY_PASSWORD"}

const canary = "s3cr3t-c4n4ry"

func withSecrets(env []string) []string {
	for _, name := range secrets {
		env = append(env, name+"="+canary+"-"+name)
	}
	return env
}

// Mutated events, states and configurations at all programs: the exit code and
// stdout keep the contract, nothing panics, nothing of the environment comes out,
// nothing outside the project is touched, time and memory are bounded.
func TestMutatedEvents(t *testing.T) {
	total := times(100_000, 1500)
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("ISDLC_FAULTS_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		assert.NilError(t, err)
	}
	t.Logf("ISDLC_FAULTS_SEED=%d", seed)
	programs := hooktest.Programs(t)
	_, err := hooktest.Build(t, programs...)
	assert.NilError(t, err)
	corpus := map[string][]sample{}
	for _, name := range programs {
		corpus[name] = samples(t, name)
	}
	path := safePath(t)

	var count, failures atomic.Int64
	var longest, largest, blocks atomic.Int64
	start := time.Now()
	var wait sync.WaitGroup
	for worker := range 2 * runtime.NumCPU() {
		wait.Go(func() {
			for lay := uint64(0); count.Load() < int64(total) && failures.Load() < 20; lay++ {
				m := mutator{rand.New(rand.NewPCG(seed+uint64(worker), lay))}
				program := pick(m, programs)
				s := pick(m, corpus[program])
				if m.IntN(10) == 0 {
					s = pick(m, corpus[pick(m, programs)])
				}
				p := hooktest.NewProject(t)
				p.Configs()
				s.lay(p)
				for i := range perLaying {
					count.Add(1)
					c, texts := mutate(t, m, p, program, s)
					c.env = append(c.env, "PATH="+path)
					r := do(t, p, c)
					if r.rss > maxMemory { // or this process itself has grown
						r.rss = measured(t, p, c).rss
					}
					longest.Store(max(longest.Load(), int64(r.duration)))
					largest.Store(max(largest.Load(), r.rss))
					if strings.Contains(r.stdout, `"deny"`) || strings.Contains(r.stdout, `"block"`) {
						blocks.Add(1)
					}
					if problem := judge(p, c, r); problem != "" {
						failures.Add(1)
						t.Errorf("%s, worker %d, laying %d, event %d: %s\nstdin %.2000q\nfiles %.3000q\nstdout %.500q\nstderr %.3000q",
							program, worker, lay, i, problem, c.stdin, texts, r.stdout, r.stderr)
					}
				}
				check(os.RemoveAll(filepath.Dir(p.Dir)))
			}
		})
	}
	wait.Wait()
	took := time.Since(start)
	t.Logf("%d processes in %.0f s, %.0f a second; %d blocks; the longest took %d ms, the largest %d MB",
		count.Load(), took.Seconds(), float64(count.Load())/took.Seconds(), blocks.Load(), longest.Load()/1e6, largest.Load()>>20)
	assert.Assert(t, blocks.Load() > count.Load()/100, "what is thrown must also come through")
}

// safePath is a PATH with git alone, and a claude that does nothing.
func safePath(t *testing.T) string {
	dir := t.TempDir()
	git, err := exec.LookPath("git")
	assert.NilError(t, err)
	assert.NilError(t, os.Symlink(git, filepath.Join(dir, "git")))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "claude"), []byte("#!/bin/false\n"), 0o755))
	return dir
}

// mutate makes a call of a sample, with something changed in its event, its
// files, or both.
func mutate(t *testing.T, m mutator, p *hooktest.Project, program string, s sample) (call, map[string]string) {
	change := func(text string) string {
		if m.IntN(3) == 0 {
			return m.bytes(text)
		}
		return m.document(text)
	}
	stdin := s.in(p, s.stdin)
	what := m.IntN(4)
	if what != 0 {
		stdin = change(stdin)
	}
	laid := map[string]string{}
	if names := slices.Sorted(maps.Keys(s.files)); what != 1 && len(names) > 0 {
		for range 1 + m.IntN(2) {
			name := pick(m, names)
			laid[name] = change(s.in(p, s.files[name]))
		}
	}
	if m.IntN(8) == 0 {
		name := pick(m, []string{".claude/hooks/config/iteration-requirements.json", ".claude/hooks/config/skills-manifest.json", ".isdlc/config/workflows.json", ".claude/hooks/config/artifact-paths.json"})
		laid[name] = change(hooktest.Config(t, filepath.Base(name)))
	}
	for name, text := range laid {
		p.Write(name, text)
	}
	env := withSecrets(slices.Clone(s.env))
	if m.IntN(2) == 0 {
		env = append(env, "SKILL_VALIDATOR_DEBUG=true")
	}
	if m.IntN(8) == 0 {
		env = append(env, "ISDLC_BLOCK_FORMAT=legacy")
	}
	return call{program: program, stdin: stdin, env: env, limit: 2 * maxTime}, laid
}

// judge tells what is wrong with a run, "" for nothing.
func judge(p *hooktest.Project, c call, r run) string {
	legacy := slices.Contains(c.env, "ISDLC_BLOCK_FORMAT=legacy")
	logged, _ := os.ReadFile(p.Path(activity))
	switch {
	case r.timedOut || r.duration > maxTime:
		return fmt.Sprintf("it took %v", r.duration)
	case r.rss > maxMemory:
		return fmt.Sprintf("it took %d MB", r.rss>>20)
	case strings.Contains(r.stderr, "goroutine ") || strings.Contains(r.stderr, "panic:") || strings.Contains(string(logged), `"panic: `):
		return "panic: " + string(logged)
	case strings.Contains(r.stdout, canary) && !(legacy && c.program == "model-provider-router"),
		strings.Contains(r.stderr, canary), strings.Contains(string(logged), canary):
		return "a secret came out"
	}
	if _, err := os.Lstat(p.Path("PWNED")); err == nil {
		return "something of the event was executed"
	}
	var err error
	switch c.program {
	case "des-pre-tool-use", "des-subagent-stop":
		err = desAnswer(r)
	case "taskie-stop-hook":
		err = taskieAnswer(r)
	default:
		err = hookAnswer(r, legacy)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func decode(stdout string, into any) error {
	d := json.NewDecoder(strings.NewReader(stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("stdout: %w", err)
	}
	if d.More() {
		return fmt.Errorf("more than one answer")
	}
	return nil
}

// hookAnswer is spec 00 §1.2 to §1.4.
func hookAnswer(r run, legacy bool) error {
	if r.exit != 0 {
		return fmt.Errorf("exit code %d", r.exit)
	}
	if r.stdout == "" || legacy && r.stdout[0] != '{' {
		return nil
	}
	if legacy {
		return decode(r.stdout, &map[string]any{})
	}
	var a struct {
		Decision, Reason, SystemMessage string
		Specific                        *struct {
			HookEventName            string          `json:"hookEventName"`
			PermissionDecision       string          `json:"permissionDecision"`
			PermissionDecisionReason string          `json:"permissionDecisionReason"`
			AdditionalContext        string          `json:"additionalContext"`
			UpdatedInput             json.RawMessage `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	if err := decode(r.stdout, &a); err != nil {
		return err
	}
	switch s := a.Specific; {
	case strings.Count(r.stdout, "\n") != 1 || !strings.HasSuffix(r.stdout, "\n"):
		return fmt.Errorf("not one line")
	case a.Decision != "" && (a.Decision != "block" || a.Reason == ""):
		return fmt.Errorf("a decision %q with reason %q", a.Decision, a.Reason)
	case s != nil && s.HookEventName == "":
		return fmt.Errorf("no event name")
	case s != nil && s.PermissionDecision != "" && (s.PermissionDecision != "deny" || s.PermissionDecisionReason == "" || s.HookEventName != "PreToolUse"):
		return fmt.Errorf("permission %q", s.PermissionDecision)
	}
	return nil
}

// desAnswer is spec 60 §2.1 with spec 05 G.1.
func desAnswer(r run) error {
	var a map[string]any
	if err := decode(r.stdout, &a); err != nil {
		return err
	}
	switch {
	case r.exit == 0 && len(a) == 1 && a["decision"] == "allow":
	case r.exit == 2 && a["decision"] == "block" && a["reason"] != "":
	case r.exit == 1 && a["status"] == "error" && a["decision"] == "block" && a["reason"] != "":
	default:
		return fmt.Errorf("exit code %d", r.exit)
	}
	return nil
}

// taskieAnswer is spec 70 §1.
func taskieAnswer(r run) error {
	if r.exit == 2 {
		if r.stdout != "" || r.stderr == "" {
			return fmt.Errorf("bad input without a word, or with too many")
		}
		return nil
	}
	var a struct {
		SuppressOutput                  *bool
		SystemMessage, Decision, Reason string
	}
	if err := decode(r.stdout, &a); err != nil {
		return err
	}
	if r.exit != 0 || a.Decision != "" && (a.Decision != "block" || a.Reason == "" || a.SuppressOutput != nil) {
		return fmt.Errorf("exit code %d", r.exit)
	}
	return nil
}
