package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/scripts/internal/copytree"
	"isdlc-hooks/scripts/internal/install"
	"isdlc-hooks/scripts/internal/registration"
)

func TestMain(m *testing.M) {
	if runtime.GOOS == "windows" {
		fmt.Println("the stand-ins for programs are shell scripts: skipped")
		os.Exit(0)
	}
	hooktest.Main(m, func() { os.RemoveAll(templates.dir) })
}

var now = time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)

// standIn reads its event and says nothing, like most hooks to most events.
const standIn = "#!/bin/sh\n# %s\ncat >/dev/null\n"

// A site is an installation of stand-ins, with a user and a state.
type site struct {
	t              *testing.T
	dir, home, bin string
}

func newSite(t *testing.T) *site {
	t.Helper()
	top := filepath.Join(t.TempDir(), "top")
	_, err := copytree.Copy(template(t), top, copytree.Options{})
	assert.NilError(t, err)
	return &site{t, filepath.Join(top, "shop"), filepath.Join(top, "home"), filepath.Join(top, "bin")}
}

var templates struct {
	sync.Mutex
	dir string
}

// template is a site that is made once.
func template(t *testing.T) string {
	t.Helper()
	templates.Lock()
	defer templates.Unlock()
	if templates.dir != "" {
		return templates.dir
	}
	top, err := os.MkdirTemp("", "doctor-")
	assert.NilError(t, err)
	s := &site{t, filepath.Join(top, "shop"), filepath.Join(top, "home"), filepath.Join(top, "bin")}
	for _, dir := range []string{s.dir, s.home, s.bin} {
		assert.NilError(t, os.Mkdir(dir, 0o755))
	}
	for _, p := range registration.Programs() {
		assert.NilError(t, os.WriteFile(filepath.Join(s.bin, p.Name), fmt.Appendf(nil, standIn, p.Name), 0o755))
	}
	s.install()
	s.write(".isdlc/state.json", `{"active_workflow":{"current_phase":"06-implementation"}}`)
	assert.NilError(t, activity.Append(s.path(".isdlc/hook-activity.log"), activity.Entry{Time: now.Add(-48 * time.Hour), Hook: "h", Event: "error"}))
	templates.dir = top
	return top
}

func (s *site) install() {
	s.t.Helper()
	plan, err := install.Install(install.Options{Project: s.dir, Bin: s.bin, With: []string{"des", "taskie", "provider"}})
	assert.NilError(s.t, err)
	defer plan.Close()
	_, err = plan.Apply()
	assert.NilError(s.t, err)
}

func (s *site) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *site) write(name, text string) {
	s.t.Helper()
	assert.NilError(s.t, os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	assert.NilError(s.t, os.WriteFile(s.path(name), []byte(text), 0o755))
}

// edit replaces text in a file, once.
func (s *site) edit(name, old, text string) {
	s.t.Helper()
	data, err := os.ReadFile(s.path(name))
	assert.NilError(s.t, err)
	assert.Assert(s.t, strings.Contains(string(data), old), "%s in %s", old, data)
	s.write(name, strings.Replace(string(data), old, text, 1))
}

// hook adds a hook to a settings file.
func (s *site) hook(name, event, matcher, hook string) {
	s.t.Helper()
	var file struct {
		Hooks map[string][]json.RawMessage `json:"hooks"`
	}
	if data, err := os.ReadFile(s.path(name)); err == nil {
		assert.NilError(s.t, json.Unmarshal(data, &file))
	} else {
		file.Hooks = map[string][]json.RawMessage{}
	}
	file.Hooks[event] = append(file.Hooks[event], fmt.Appendf(nil, `{"matcher":%q,"hooks":[%s]}`, matcher, hook))
	data, err := json.Marshal(file)
	assert.NilError(s.t, err)
	s.write(name, string(data))
}

func (s *site) examine() *Report {
	s.t.Helper()
	getenv := func(name string) string { return map[string]string{"HOME": s.home}[name] }
	r, err := Examine(context.Background(), Options{
		Project: s.dir, Bin: s.bin, User: filepath.Join(s.home, ".claude"), Getenv: getenv, Now: now, Patience: 20 * time.Millisecond,
	})
	assert.NilError(s.t, err)
	return r
}

func (r *Report) String() string {
	var b strings.Builder
	for _, l := range r.Lines {
		fmt.Fprintf(&b, "%s %s %s: %s [%s]\n", l.Severity, l.Check, l.Where, l.What, l.Remedy)
	}
	return b.String()
}

func (r *Report) found() []string {
	var found []string
	for line := range strings.Lines(r.String()) {
		if strings.HasPrefix(line, "error ") || strings.HasPrefix(line, "warning ") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func TestHealthy(t *testing.T) {
	s := newSite(t)
	before := files(t, s.dir)
	r := s.examine()
	assert.Check(t, is.Len(r.found(), 0), "%s", r)
	assert.Check(t, is.Len(r.Hooks, len(registration.Table)))
	assert.Check(t, r.Hooks[0].Milliseconds > 0 && r.Hooks[0].Timeout == 15)
	assert.Check(t, is.Contains(r.String(), "ok state .isdlc/state.json: is read, and its lock is free; phase: 06-implementation"))
	assert.Check(t, is.DeepEqual(files(t, s.dir), before))
}

// A healthy installation of the programs themselves, in a folder with a blank:
// none of them leaves a trace, not even those that keep a record.
func TestThePrograms(t *testing.T) {
	s := newSite(t)
	names := hooktest.Programs(t)
	_, err := hooktest.Build(t, names...)
	assert.NilError(t, err)
	s.bin = filepath.Dir(hooktest.Program(t, names[0]))
	blank := filepath.Join(filepath.Dir(s.dir), "a shop")
	assert.NilError(t, os.Rename(s.dir, blank))
	s.dir = blank
	s.install()
	before := files(t, filepath.Dir(s.dir))
	r := s.examine()
	assert.Check(t, is.Len(r.found(), 0), "%s", r)
	assert.Check(t, is.DeepEqual(files(t, filepath.Dir(s.dir)), before))
}

// Programs that are names of an executable are of this release too.
func TestNamesOfOneExecutable(t *testing.T) {
	s := newSite(t)
	for _, p := range registration.Programs() {
		s.write(p.Path(), standIn)
	}
	assert.NilError(t, os.WriteFile(filepath.Join(s.bin, "isdlc-hooks-plain"), []byte(standIn), 0o755))
	r := s.examine()
	assert.Check(t, is.Len(r.found(), 0), "%s", r)
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	assert.NilError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = ""
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}))
	return all
}

const (
	team  = ".claude/settings.json"
	local = ".claude/settings.local.json"
	guard = `"command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard"`
)

func TestDamaged(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(s *site)
		want   []string // what the findings begin with and hold, one for each
	}{
		{"a file that the client drops", func(s *site) { s.edit(team, `"timeout": 15`, `"timeout": "15"`) },
			[]string{"error settings .claude/settings.json: the client would ignore this file: line 10|timeout is a string|[mend that place"}},
		{"settings that are no JSON, beside good ones", func(s *site) { s.write(local, "{,}") },
			[]string{"error settings .claude/settings.local.json: the client would ignore this file|line 1, column 2"}},
		{"all hooks switched off by the user", func(s *site) { s.write("../home/.claude/settings.json", `{"disableAllHooks":true}`) },
			[]string{"error settings |/home/.claude/settings.json: disableAllHooks is on|[remove disableAllHooks]"}},
		{"answers in the old bytes", func(s *site) { s.write(local, `{"env":{"ISDLC_BLOCK_FORMAT":"legacy"}}`) },
			[]string{"warning settings ISDLC_BLOCK_FORMAT: is legacy"}},
		{"nothing registered", func(s *site) { s.write(team, "{}") },
			[]string{"error settings .claude/settings.json: none of our programs is registered [isdlc-hooks install --project "}},
		{"a program that is not there", func(s *site) { assert.NilError(s.t, os.Remove(s.path(".claude/hooks/branch-guard"))) },
			[]string{"error command .claude/settings.json:27 PreToolUse Bash: branch-guard: .claude/hooks/branch-guard is not there [isdlc-hooks install"}},
		{"a program that is not executable", func(s *site) { assert.NilError(s.t, os.Chmod(s.path(".claude/hooks/branch-guard"), 0o644)) },
			[]string{"error command |branch-guard: .claude/hooks/branch-guard is not executable [chmod +x "}},
		{"a folder in its place", func(s *site) {
			assert.NilError(s.t, os.Remove(s.path(".claude/hooks/branch-guard")))
			assert.NilError(s.t, os.Mkdir(s.path(".claude/hooks/branch-guard"), 0o755))
		}, []string{"error command |branch-guard: .claude/hooks/branch-guard is no file"}},
		{"a program of another release", func(s *site) {
			s.write("../bin/branch-guard", standIn+"# newer\n")
		}, []string{"error release .claude/hooks/branch-guard: is of another release than this tool [isdlc-hooks install"}},
		{"a program that somebody changed", func(s *site) { s.write(".claude/hooks/branch-guard", standIn+"# mine\n") },
			[]string{"error release .claude/hooks/branch-guard: is not the program that was installed"}},
		{"the same, and no built programs", func(s *site) {
			s.bin = ""
			s.write(".claude/hooks/branch-guard", standIn+"# mine\n")
		}, []string{"error release .claude/hooks/branch-guard: is not the program that was installed"}},
		{"a damaged record", func(s *site) { s.write(".claude/hooks/.isdlc-hooks/manifest.json", "{") },
			[]string{"error release .claude/hooks/.isdlc-hooks: the record of the installation|is damaged"}},
		{"a program that fails", func(s *site) { s.program("branch-guard", "echo no luck >&2; exit 3") },
			[]string{"error answer .claude/settings.json:27 PreToolUse Bash: branch-guard does not answer: exit code 3: no luck"}},
		{"a program of another system", func(s *site) { s.program("branch-guard", "exec /none/such") },
			[]string{"error answer |branch-guard does not answer: exit code 127"}},
		{"an answer that is none", func(s *site) { s.program("branch-guard", `echo '{"decision":"deny"}'`) },
			[]string{`error answer |branch-guard does not answer: decision is "deny"`}},
		{"a program that hangs", func(s *site) {
			s.program("branch-guard", "exec sleep 60")
			s.edit(team, guard+",\n            \"timeout\": 10", guard+",\n            \"timeout\": 0.2")
		}, []string{"error answer |branch-guard gave no answer within 200ms"}},
		{"a slow program", func(s *site) {
			s.program("branch-guard", "sleep 0.6")
			s.edit(team, guard+",\n            \"timeout\": 10", guard+",\n            \"timeout\": 1")
		}, []string{"warning answer |branch-guard took |ms of its 1s"}},
		{"a timeout in milliseconds", func(s *site) { s.edit(team, `"timeout": 10`+"\n", `"timeout": 10000`+"\n") },
			[]string{"warning command |its timeout is 10000, and the client counts seconds: 2 h 46 min"}},
		{"unquoted", func(s *site) {
			s.edit(team, guard, `"command": "$CLAUDE_PROJECT_DIR/.claude/hooks/branch-guard"`)
		}, []string{`warning command |branch-guard: $CLAUDE_PROJECT_DIR is not quoted: it breaks where the path has blanks [write "$CLAUDE_PROJECT_DIR"/...]`}},
		{"unquoted, with blanks", func(s *site) {
			s.edit(team, guard, `"command": "$CLAUDE_PROJECT_DIR/.claude/hooks/branch-guard"`)
			blank := filepath.Join(filepath.Dir(s.dir), "a shop")
			assert.NilError(s.t, os.Rename(s.dir, blank))
			s.dir = blank
		}, []string{"error command |branch-guard: $CLAUDE_PROJECT_DIR is not quoted, and its path has blanks"}},
		{"relative", func(s *site) { s.edit(team, guard, `"command": ".claude/hooks/branch-guard"`) },
			[]string{"warning command |branch-guard: the path is relative"}},
		{"no shell, and no braces", func(s *site) {
			s.edit(team, guard, `"command": "$CLAUDE_PROJECT_DIR/.claude/hooks/branch-guard", "args": []`)
		}, []string{"error command |$CLAUDE_PROJECT_DIR is not filled in there"}},
		{"a quote that does not end", func(s *site) { s.hook(local, "Stop", "", `{"type":"command","command":"echo \"x"}`) },
			[]string{"warning command .claude/settings.local.json:1 Stop: echo \"x: the shell does not understand it"}},
		{"the hook of somebody else, gone", func(s *site) {
			s.hook(local, "Stop", "", `{"type":"command","command":"node \"$CLAUDE_PROJECT_DIR\"/tools/say.js"}`)
		}, []string{"warning command |tools/say.js is not there [remove the registration"}},
		{"asynchronous", func(s *site) { s.edit(team, guard, guard+`, "async": true`) },
			[]string{"error command |branch-guard: it is asynchronous"}},
		{"an event that is none", func(s *site) { s.hook(local, "PreTool", "", `{"type":"command","command":"true"}`) },
			[]string{"warning command |no event of the client is called PreTool"}},
		{"a matcher that matches nothing", func(s *site) { s.edit(team, `"matcher": "Bash"`, `"matcher": "bash"`) },
			[]string{
				`error command .claude/settings.json:27 PreToolUse bash: branch-guard: the matcher "bash" matches nothing: no tool is called bash; it is Bash`,
				`error missing .claude/settings.json PreToolUse: branch-guard does not run for Bash: the matcher "bash" leaves it out [use the matcher "Bash"]`,
			}},
		{"a matcher that leaves out a tool", func(s *site) { s.edit(team, `"matcher": "Write|Edit|NotebookEdit"`, `"matcher": "Write"`) },
			[]string{`warning missing |explore-readonly-enforcer does not run for Edit, NotebookEdit`}},
		{"failures not registered", func(s *site) { s.edit(team, `"PostToolUseFailure"`, `"SessionEnd"`) },
			[]string{"error missing .claude/settings.json: post-bash-dispatcher is not registered for PostToolUseFailure: failed commands, test runs among them"}},
		{"stops of agents not registered", func(s *site) { s.edit(team, `"SubagentStop"`, `"SubagentStart"`) },
			[]string{
				"error missing .claude/settings.json: post-task-dispatcher is not registered for SubagentStop: what background agents report",
				"error missing .claude/settings.json: des-subagent-stop is not registered for SubagentStop",
			}},
		{"registered twice by the same command", func(s *site) {
			s.hook(local, "PreToolUse", "Bash", "{"+`"type":"command",`+guard+"}")
		}, []string{"warning duplicate .claude/settings.local.json:1 PreToolUse Bash: branch-guard is registered by the same command at .claude/settings.json:27 PreToolUse Bash: the client runs it once"}},
		{"registered twice by different commands", func(s *site) {
			s.write("../home/.claude/settings.json", fmt.Sprintf(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":%q}]}]}}`, s.path(".claude/hooks/branch-guard")))
		}, []string{"error duplicate |/home/.claude/settings.json:1 PreToolUse: branch-guard is registered at .claude/settings.json:27 PreToolUse Bash too, by another command: it runs twice"}},
		{"a step beside its dispatcher", func(s *site) {
			s.hook(local, "PreToolUse", "Task", `{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/gate-blocker"}`)
		}, []string{"error duplicate .claude/settings.local.json:1 PreToolUse Task: gate-blocker runs inside pre-task-dispatcher already"}},
		{"a plugin beside the project", func(s *site) {
			s.write("../plugin/hooks/hooks.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"\"${CLAUDE_PLUGIN_ROOT}\"/hooks/branch-guard"}]}]}}`)
			s.write("../plugin/hooks/branch-guard", fmt.Sprintf(standIn, "branch-guard"))
			s.write("../home/.claude/settings.json", `{"enabledPlugins":{"isdlc@here":true}}`)
			s.write("../home/.claude/plugins/installed_plugins.json", fmt.Sprintf(`{"plugins":{"isdlc@here":[{"installPath":%q}]}}`, filepath.Join(filepath.Dir(s.dir), "plugin")))
		}, []string{"error duplicate plugin plugin:1 PreToolUse Bash: branch-guard is registered at .claude/settings.json:27"}},
		{"a .cjs hook", func(s *site) {
			s.hook(local, "PreToolUse", "Task", `{"type":"command","command":"node \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/gate-blocker.cjs","timeout":10000}`)
			s.write(".claude/hooks/gate-blocker.cjs", "")
		}, []string{
			"warning command |its timeout is 10000",
			"warning command .claude/settings.local.json:1 PreToolUse Task: |gate-blocker.cjs is still registered",
		}},
		{"a configuration that does not parse", func(s *site) { s.write(".claude/hooks/config/iteration-requirements.json", `{"a":`) },
			[]string{"error configuration .claude/hooks/config/iteration-requirements.json: cannot be read"}},
		{"a configuration that is no object", func(s *site) { s.write(".isdlc/config/workflows.json", `[]`) },
			[]string{"error configuration .isdlc/config/workflows.json: holds no JSON object"}},
		{"a configuration that is newer", func(s *site) { s.write(".claude/hooks/config/skills-manifest.json", `{"version":"v5.0.0-beta.1"}`) },
			[]string{"warning configuration .claude/hooks/config/skills-manifest.json: has version v5.0.0-beta.1; this release knows up to 4"}},
		{"a version that is none", func(s *site) { s.write(".claude/hooks/config/skills-manifest.json", `{"version":3}`) },
			[]string{"warning configuration .claude/hooks/config/skills-manifest.json: its version 3 is none"}},
		{"a configuration that is not there", func(s *site) { assert.NilError(s.t, os.Remove(s.path(".claude/hooks/config/artifact-paths.json"))) },
			[]string{"warning configuration .claude/hooks/config/artifact-paths.json: is not there: rules that want it are not enforced [isdlc-hooks install"}},
		{"the list of projects of a monorepo", func(s *site) { s.write(".isdlc/monorepo.json", "oops") },
			[]string{"error configuration .isdlc/monorepo.json: cannot be read"}},
		{"a state that does not parse", func(s *site) { s.write(".isdlc/state.json", `{"active_workflow":`) },
			[]string{"error state .isdlc/state.json: cannot be read"}},
		{"the state of a project of a monorepo", func(s *site) { s.write(".isdlc/projects/api/state.json", `7`) },
			[]string{"error state .isdlc/projects/api/state.json: holds no JSON object"}},
		{"a lock that somebody holds", func(s *site) {
			lock, err := disk.Lock(s.path(".isdlc/state.json"), time.Second)
			assert.NilError(s.t, err)
			s.t.Cleanup(func() { lock.Unlock() })
		}, []string{"error state .isdlc/state.json: its lock is not to be had within 20ms, so that hooks cannot write it: locked by another process"}},
		{"a log that is a folder", func(s *site) {
			assert.NilError(s.t, os.Remove(s.path(".isdlc/hook-activity.log")))
			s.write(".isdlc/hook-activity.log/x", "")
		}, []string{"error log .isdlc/hook-activity.log: is no file: nothing is logged"}},
		{"a huge log", func(s *site) { s.write(".isdlc/hook-activity.log", strings.Repeat("{}\n", 1<<20)) },
			[]string{"warning log .isdlc/hook-activity.log: has 3 MB"}},
		{"errors in the log", func(s *site) {
			for _, reason := range []string{"first", "second"} {
				assert.NilError(s.t, activity.Append(s.path(".isdlc/hook-activity.log"), activity.Entry{Time: now.Add(-time.Hour), Hook: "gate-blocker", Event: "error", Reason: reason}))
			}
		}, []string{"warning log .isdlc/hook-activity.log: 2 errors of hooks in the last day, the newest of gate-blocker: second [isdlc-hooks log --project "}},
		{"a log with lines that are none", func(s *site) { s.write(".isdlc/hook-activity.log", "{}\n{") },
			[]string{"warning log .isdlc/hook-activity.log: 1 of its lines are no entries"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			c.damage(s)
			r := s.examine()
			found := r.found()
			for _, want := range c.want {
				parts := strings.Split(want, "|")
				i := slices.IndexFunc(found, func(line string) bool {
					return strings.HasPrefix(line, parts[0]) && !slices.ContainsFunc(parts[1:], func(p string) bool { return !strings.Contains(line, p) })
				})
				if assert.Check(t, i >= 0, "no finding %q in\n%s", want, r) {
					found = slices.Delete(found, i, i+1)
				}
			}
			assert.Check(t, is.Len(found, 0), "findings beside those that are wanted")
		})
	}
}

// program has a stand-in do something else; it is of this release all the same.
func (s *site) program(name, script string) {
	s.t.Helper()
	for _, file := range []string{s.path(".claude/hooks/" + name), filepath.Join(s.bin, name)} {
		assert.NilError(s.t, os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
}

func TestNotes(t *testing.T) {
	s := newSite(t)
	s.write(".claude/hooks/gate-blocker.cjs", "")
	s.write(".claude/hooks/mine.cjs", "")
	s.hook(local, "Stop", "", `{"type":"command","command":"echo done"}`)
	assert.NilError(t, os.Remove(s.path(".isdlc/state.json")))
	assert.NilError(t, os.Remove(s.path(".isdlc/hook-activity.log")))
	r := s.examine()
	assert.Check(t, is.Len(r.found(), 0), "%s", r)
	for _, want := range []string{
		"note leftover .claude/hooks: 1 .cjs hook lies there whose work our programs do: gate-blocker.cjs",
		"ok command .claude/settings.local.json:1 Stop: echo done: not one of ours; looked at, not run",
		"note state .isdlc/state.json: there is no state",
		"note log .isdlc/hook-activity.log: there is none yet",
	} {
		assert.Check(t, is.Contains(r.String(), want))
	}
	_, err := Examine(context.Background(), Options{Project: s.path("none")})
	assert.ErrorContains(t, err, "does not exist")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Examine(ctx, Options{Project: s.dir, Getenv: os.Getenv})
	assert.ErrorIs(t, err, context.Canceled)
}
