package replay

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/copytree"
	"isdlc-hooks/scripts/internal/install"
)

func TestMain(m *testing.M) {
	if runtime.GOOS == "windows" {
		fmt.Println("the stand-ins for programs are shell scripts: skipped")
		os.Exit(0)
	}
	hooktest.Main(m)
}

// A site is a project with stand-ins for hooks.
type site struct {
	*hooktest.Project
	t     *testing.T
	hooks []string
}

func newSite(t *testing.T) *site { return &site{Project: hooktest.NewProject(t), t: t} }

// hook registers a stand-in, a shell script under the name of one of our
// programs.
func (s *site) hook(event, matcher, name, script string) {
	s.Write(".claude/hooks/"+name, "#!/bin/sh\n"+script+"\n")
	s.Chmod(".claude/hooks/"+name, 0o755)
	s.command(event, matcher, `"$CLAUDE_PROJECT_DIR"/.claude/hooks/`+name)
}

func (s *site) command(event, matcher, command string) {
	s.hooks = append(s.hooks, fmt.Sprintf(`%q:[{"matcher":%q,"hooks":[{"type":"command","command":%q,"timeout":5}]}]`, event, matcher, command))
	s.Write(".claude/settings.json", `{"env":{"FROM_SETTINGS":"yes"},"hooks":{`+strings.Join(s.hooks, ",")+`}}`)
}

func (s *site) replay(o Options, events ...string) *Replay {
	s.t.Helper()
	before := s.Files()
	o.Project, o.Events, o.Getenv = s.Dir, []byte(strings.Join(events, "\n")), os.Getenv
	r, err := Run(context.Background(), o)
	assert.NilError(s.t, err)
	assert.Check(s.t, is.Len(before.Changed(s.Files()), 0), "the project itself is not touched")
	return r
}

func TestWhatRuns(t *testing.T) {
	s := newSite(t)
	s.hook("PreToolUse", "Task", "branch-guard", "cat >/dev/null; echo '{\"decision\":\"block\",\"reason\":\"no\"}'")
	s.Write(".claude/settings.local.json", `{"hooks":{
		"PreToolUse":[
			{"matcher":"*","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard"}]},
			{"matcher":"Bash","hooks":[{"type":"command","command":"touch \"$CLAUDE_PROJECT_DIR\"/mine"},{"type":"prompt","prompt":"p"}]}],
		"Stop":[{"matcher":"ignored","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/taskie-stop-hook"}]}],
		"SubagentStop":[{"matcher":"worker","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard"}]}]}}`)
	r := s.replay(Options{},
		`{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_use_id":"1","tool_input":{"subagent_type":"qa"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"2"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"2"}`,
		`{"hook_event_name":"SubagentStop","agent_type":"worker"}`,
		`{"hook_event_name":"SubagentStop","agent_type":"other"}`,
		``,
		`{"hook_event_name":"Stop"}`,
		`{"hook_event_name":"SessionEnd","reason":"other"}`,
		`{"tool_name":"Bash"}`, `[]`, `{`,
	)
	var got []string
	for _, step := range r.Steps {
		line := fmt.Sprintf("%d %s %s %s:", step.Line, step.Event, step.Tool+step.Agent, step.Verdict)
		for _, a := range step.Answers {
			line += " " + a.Program + " " + string(a.Verdict) + a.Reason + a.NotRun
		}
		got = append(got, line+step.Skipped+step.Broken)
	}
	assert.DeepEqual(t, got, []string{
		"1 PreToolUse Agentqa deny: branch-guard denyno",
		"2 PreToolUse Bash deny: branch-guard denyno touch \"$CLAUDE_PROJECT_DIR\"/mine it is not one of ours prompt hook it is not one of ours",
		"3 PostToolUse Bash :would not have come: the call was denied at line 2",
		"4 SubagentStop worker block: branch-guard blockno",
		"5 SubagentStop other :",
		"7 Stop  : taskie-stop-hook it starts reviewers",
		"8 SessionEnd  :",
		"9   :no event: it has no hook_event_name",
		"10   :no JSON object",
		"11   :no JSON: " + strings.TrimPrefix(r.Steps[9].Broken, "no JSON: "),
	})
	sum := r.Summary
	sum.Milliseconds = 0
	assert.DeepEqual(t, sum, Summary{Events: 7, Broken: 3, Runs: 3, Denied: 2, Blocked: 1, NotRun: 3})

	r = s.replay(Options{All: true}, `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, `{"hook_event_name":"Stop"}`)
	assert.Check(t, is.Equal(r.Steps[0].Answers[1].NotRun, ""))
	assert.Check(t, is.Equal(r.Steps[0].Answers[1].Verdict, client.Allow))
	assert.Check(t, is.Contains(r.Steps[1].Answers[0].Fault, "exit code 127"))
	assert.Check(t, is.Equal(r.Summary.Faults, 1))
}

// Sessions one after the other may use the same ids.
func TestIdsAnew(t *testing.T) {
	s := newSite(t)
	s.hook("PreToolUse", "", "branch-guard", "grep -q no && echo '{\"decision\":\"block\",\"reason\":\"no\"}'; exit 0")
	s.hook("PostToolUse", "", "state-file-guard", "cat >/dev/null")
	r := s.replay(Options{},
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"1","say":"no"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"1","say":"yes"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"1"}`)
	assert.Check(t, is.Equal(r.Steps[0].Verdict, client.Deny))
	assert.Check(t, is.Equal(r.Steps[2].Skipped, ""))
	assert.Check(t, is.Len(r.Steps[2].Answers, 1))
}

func TestTheCopy(t *testing.T) {
	s := newSite(t)
	s.Write("web/node_modules/x/index.js", "")
	s.Write("docs/a.txt", "one two one")
	// The program tells what it sees, and spoils what it can.
	s.hook("PostToolUse", "", "branch-guard", `cat >event
printf '%s\n' "$CLAUDE_PROJECT_DIR" "$PWD" "$FROM_SETTINGS" "$DES_AUDIT_LOG_DIR" >&2
cat event "$CLAUDE_PROJECT_DIR"/docs/*.txt >&2
rm -rf "$CLAUDE_PROJECT_DIR"/docs/isdlc "$CLAUDE_PROJECT_DIR"/.isdlc; echo spoilt >"$CLAUDE_PROJECT_DIR"/docs/spoilt`)
	event := func(tool, input string) string {
		return fmt.Sprintf(`{"cwd":"/src/shop/docs","hook_event_name":"PostToolUse","tool_name":%q,"tool_input":%s,"n":1.0}`, tool, input)
	}
	r := s.replay(Options{Recorded: "/src/shop"},
		event("Write", `{"file_path":"/src/shop/docs/new/b.txt","content":"new"}`),
		event("Edit", `{"file_path":"/src/shop/docs/a.txt","old_string":"one","new_string":"1","replace_all":true}`),
		event("MultiEdit", `{"file_path":"/src/shop/docs/a.txt","edits":[{"old_string":"two","new_string":"2"},{"old_string":"2 1","new_string":"3"}]}`),
		event("Edit", `{"file_path":"/src/shop/docs/a.txt","old_string":"not there","new_string":"x"}`),
		event("Write", `{"file_path":"/src/shop/../../../../../../../../../../tmp/isdlc-outside","content":"x"}`),
		event("Bash", `{"command":"cd /src/shop && ls /src/shop-2 {{project}}/x '`+s.Dir+`'"}`),
	)
	assert.Check(t, is.DeepEqual(r.Copied.Skipped, []string{"web/node_modules"}))
	said := func(i int) []string { return strings.Split(r.Steps[i].Answers[0].Stderr, "\n") }
	assert.Check(t, is.Equal(said(0)[0], s.Dir), "paths are told as those of the project")
	assert.Check(t, is.Equal(said(0)[1], s.Path("docs")))
	assert.Check(t, is.Equal(said(0)[2], "yes"))
	assert.Check(t, !strings.HasPrefix(said(0)[3], s.Dir) && strings.HasSuffix(said(0)[3], "audit"))
	assert.Check(t, is.Contains(said(0)[4], `"n":1.0`), "numbers stay as they were written")
	assert.Check(t, strings.HasSuffix(r.Steps[1].Answers[0].Stderr, "1 two 1"))
	assert.Check(t, strings.HasSuffix(r.Steps[2].Answers[0].Stderr, "1 3"))
	assert.Check(t, strings.HasSuffix(r.Steps[3].Answers[0].Stderr, "1 3"))
	assert.Check(t, is.Contains(said(5)[4], fmt.Sprintf(`cd %[1]s && ls /src/shop-2 %[1]s/x '%[1]s'`, s.Dir)))
	_, err := os.Stat("/tmp/isdlc-outside")
	assert.Check(t, os.IsNotExist(err))
}

func TestChangesOfTheState(t *testing.T) {
	s := newSite(t)
	s.Write(".isdlc/state.json", `{"n":1,"phases":{"a":{"s":"x"}},"list":[1,2],"gone":true}`)
	s.hook("PreToolUse", "Bash", "branch-guard", `cd "$CLAUDE_PROJECT_DIR"/.isdlc; grep -q '"n":1' state.json || exit 0
mkdir -p projects/api; echo '{"new":1}' >projects/api/state.json
printf '%s' '{"n":2,"phases":{"a":{"s":"y","t":null}},"list":[1,3,4]}' >state.json`)
	s.hook("PostToolUse", "Write", "state-file-guard", "cat >/dev/null")
	r := s.replay(Options{},
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":".isdlc/state.json","content":"{}"}}`)
	assert.DeepEqual(t, r.Steps[0].Answers[0].State, []Change{
		{".isdlc/projects/api/state.json", "", "", `{"new":1}`},
		{".isdlc/state.json", "n", "1", "2"},
		{".isdlc/state.json", "phases.a.s", `"x"`, `"y"`},
		{".isdlc/state.json", "phases.a.t", "", "null"},
		{".isdlc/state.json", "list[1]", "2", "3"},
		{".isdlc/state.json", "list[2]", "", "4"},
		{".isdlc/state.json", "gone", "true", ""},
	})
	assert.Check(t, is.Len(r.Steps[1].Answers[0].State, 0))
	assert.Check(t, is.Len(r.Steps[2].Answers[0].State, 0), "what the tool wrote is not the program's change")
	assert.Check(t, is.Equal(r.Summary.StateWrites, 1))
}

func TestNothingIsLeft(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	left := func() []string {
		var names []string
		assert.NilError(t, filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
			if strings.HasPrefix(d.Name(), "replay-") {
				names = append(names, d.Name())
			}
			return err
		}))
		return names
	}
	s := newSite(t)
	s.hook("Stop", "", "delegation-gate", "mkdir -p a/b; chmod 0500 a")
	s.replay(Options{}, `{"hook_event_name":"Stop"}`)
	assert.Check(t, is.Len(left(), 0))

	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, Options{Project: s.Dir, Events: []byte(`{"hook_event_name":"Stop"}` + "\n" + `{"hook_event_name":"Stop"}`), Getenv: os.Getenv,
		Progress: func(done, total int) {
			if done == 1 {
				assert.Check(t, is.Len(left(), 1))
				cancel()
			}
		}})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Check(t, is.Len(left(), 0))
}

func TestRefusals(t *testing.T) {
	s := newSite(t)
	run := func(o Options, events string) error {
		o.Project, o.Events, o.Getenv = s.Dir, []byte(events), os.Getenv
		_, err := Run(context.Background(), o)
		return err
	}
	const event = `{"hook_event_name":"Stop"}`
	assert.ErrorContains(t, run(Options{}, event), "no hooks are registered in "+s.Path(".claude/settings.json"))
	s.hook("Stop", "", "delegation-gate", "true")
	assert.ErrorContains(t, run(Options{}, " \n"), "there are no events")
	s.Write("data", strings.Repeat("x", 2<<20))
	assert.ErrorIs(t, run(Options{Copy: copytree.Options{MaxBytes: 1 << 20}}, event), copytree.ErrTooLarge)
	s.Write(".claude/settings.local.json", `{"disableAllHooks":true}`)
	assert.ErrorContains(t, run(Options{}, event), "disableAllHooks is on")
	s.Write(".claude/settings.local.json", `{`)
	assert.ErrorContains(t, run(Options{}, event), ".claude/settings.local.json: the client would ignore this file")
}

// A recording is what stands beside recorded events in testdata/sessions.
type recording struct {
	With []string
	Git  *struct {
		Branch   string
		Branches []string
	}
	Files   map[string]string
	Answers []struct {
		Line    int
		Program string
		Exit    int
		Stdout  string
	}
}

// The recorded sessions again: the programs answer as they did in the session.
// Where a session goes on with what a shell command did, the rest of it cannot be
// replayed: the line says how far it can.
func TestRecordedSessions(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines int // 0: all
	}{
		{"wrong-delegation", 0},
		{"background-agent", 0},
		{"commit-on-main", 10},
		{"state-in-shell", 0},
		{"stale-state", 0},
		{"test-runs", 0},
		{"shut-gate", 0},
		{"pending-delegation", 0},
		{"exploring", 0},
		{"chosen-model", 0},
		{"des-blocks", 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			if cache, err := os.UserCacheDir(); err != nil || strings.HasPrefix(cache, os.TempDir()) {
				t.Skip("copies lie in a temporary folder here, where other rules hold")
			}
			base := filepath.Join(hooktest.Root(t), "testdata", "sessions", c.name)
			events, err := os.ReadFile(base + ".jsonl")
			assert.NilError(t, err)
			data, err := os.ReadFile(base + ".json")
			assert.NilError(t, err)
			var rec recording
			assert.NilError(t, json.Unmarshal(data, &rec))

			s := newSite(t)
			if rec.Git != nil {
				s.Git(hooktest.Repository{Branch: rec.Git.Branch})
				for _, branch := range rec.Git.Branches {
					cmd := exec.Command("git", "branch", "--force", branch)
					if cmd.Dir = s.Dir; branch != rec.Git.Branch {
						out, err := cmd.CombinedOutput()
						assert.NilError(t, err, "%s", out)
					}
				}
			}
			for name, text := range rec.Files {
				s.Write(name, strings.ReplaceAll(text, "{{project}}", s.Dir))
			}
			s.install(rec.With)
			r := s.replay(Options{}, string(events))
			assert.Check(t, is.Equal(r.Summary.Faults+r.Summary.Broken, 0))
			compared := 0
			for _, want := range rec.Answers {
				if c.lines > 0 && want.Line > c.lines {
					continue
				}
				answers := step(r, want.Line).Answers
				i := slices.IndexFunc(answers, func(a *Answer) bool { return a.Program == want.Program })
				if assert.Check(t, i >= 0, "%s at line %d was not run", want.Program, want.Line) {
					got := answers[i]
					compared++
					assert.Check(t, is.Equal(kind(step(r, want.Line), got.Exit, got.Stdout), kind(step(r, want.Line), want.Exit, want.Stdout)), "%s at line %d", want.Program, want.Line)
				}
			}
			assert.Check(t, compared > 0)
		})
	}
}

// kind is an answer without its words, which change from release to release.
func kind(s *Step, exit int, stdout string) string {
	a := client.Read(claude.EventName(s.Event), client.Result{Exit: exit, Stdout: stdout})
	return fmt.Sprintf("%s with reason %t, context %t, message %t, input %t, fault %q", a.Verdict, a.Reason != "", a.Context != "", a.Message != "", a.Input != nil, a.Fault)
}

func step(r *Replay, line int) *Step {
	i := slices.IndexFunc(r.Steps, func(s *Step) bool { return s.Line == line })
	return r.Steps[i]
}

func (s *site) install(with []string) {
	s.t.Helper()
	names := hooktest.Programs(s.t)
	_, err := hooktest.Build(s.t, names...)
	assert.NilError(s.t, err)
	plan, err := install.Install(install.Options{Project: s.Dir, Bin: filepath.Dir(hooktest.Program(s.t, names[0])), With: with})
	assert.NilError(s.t, err)
	defer plan.Close()
	_, err = plan.Apply()
	assert.NilError(s.t, err)
}
