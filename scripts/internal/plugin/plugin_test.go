package plugin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/goccy/go-json"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/doctor"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

func TestMain(m *testing.M) {
	if runtime.GOOS == "windows" {
		fmt.Println("the stand-ins for programs are shell scripts: skipped")
		os.Exit(0)
	}
	hooktest.Main(m)
}

// standIns is a folder of programs that tell who they are. Two of them can be
// several, as those of the product.
func standIns(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	for _, p := range registration.Programs() {
		standIn(t, bin, p.Name, "cat >/dev/null\necho "+p.Name)
	}
	for executable, names := range map[string]string{"isdlc-hooks-plain": "delegation-gate pre-task-dispatcher", "isdlc-hooks-shell": "branch-guard state-file-guard"} {
		standIn(t, bin, executable, "name=${0##*/}\n[ $name != "+executable+" ] || name='"+names+"'\nprintf '%s\\n' $name # "+names)
	}
	return bin
}

func standIn(t *testing.T, bin, name, script string) {
	t.Helper()
	assert.NilError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// put lays a file down before the plugin comes.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	assert.NilError(t, os.WriteFile(file, []byte(text), 0o644))
}

// copied is a plugin somewhere else, as the client makes it of one that it
// installs: no two names are one file any more.
func copied(t *testing.T, plugin string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "another place")
	assert.NilError(t, os.CopyFS(dir, os.DirFS(plugin)))
	return dir
}

func write(t *testing.T, o Options) *Layout {
	t.Helper()
	l, err := Write(context.Background(), o)
	assert.NilError(t, err)
	return l
}

func TestWrite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "made", "a plugin")
	l := write(t, Options{Out: out, Bin: standIns(t), With: []string{"des", "taskie", "provider"}})
	assert.Check(t, is.Equal(l.Dir, out))
	assert.Check(t, is.Equal(l.Registrations, len(registration.Table)))

	data, err := os.ReadFile(filepath.Join(out, ".claude-plugin", "plugin.json"))
	assert.NilError(t, err)
	var m manifest
	assert.NilError(t, json.Unmarshal(data, &m))
	assert.Check(t, is.Equal(m.Name, "isdlc-hooks"))
	assert.Check(t, m.Description != "")
	_, err = semver.StrictNewVersion(m.Version)
	assert.NilError(t, err)

	data, err = os.ReadFile(filepath.Join(out, "hooks", "hooks.json"))
	assert.NilError(t, err)
	assert.NilError(t, settings.Check(data))
	file, err := settings.Read(data)
	assert.NilError(t, err)
	assert.Assert(t, is.Len(file.Hooks, len(registration.Table)))
	for i, r := range byEvent(registration.Table) {
		h := file.Hooks[i]
		assert.Check(t, is.Equal(h.Event+" "+h.Matcher, r.Event+" "+r.Matcher))
		assert.Check(t, is.Equal(h.Timeout, float64(r.Timeout)))
	}
	answers(t, out)
	names, err := filepath.Glob(filepath.Join(out, "config", "*.json"))
	assert.NilError(t, err)
	assert.Check(t, is.Len(names, 4))
	info, err := os.Stat(out)
	assert.NilError(t, err)
	assert.Check(t, is.Equal(info.Mode().Perm(), os.FileMode(0o755)))
}

// answers checks that what is registered in a plugin for an event is run by it.
func answers(t *testing.T, plugin string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(plugin, "hooks", "hooks.json"))
	assert.NilError(t, err)
	file, err := settings.Read(data)
	assert.NilError(t, err)
	project := t.TempDir()
	for i, r := range byEvent(registration.Table) {
		h := file.Hooks[i]
		result := client.Run(context.Background(), client.Call{Hook: h, Project: project, Plugin: plugin, Dir: project})
		assert.Check(t, is.Equal(result.Fault(), ""), h.Command)
		assert.Check(t, is.Equal(result.Stdout, r.Program+"\n"))
	}
}

// The names of few executables, which are each the program of that name, wherever
// the plugin is copied to.
func TestLinks(t *testing.T) {
	bin, out := standIns(t), filepath.Join(t.TempDir(), "a plugin")
	for _, links := range []bool{true, false, true} {
		l := write(t, Options{Out: out, Bin: bin, Links: links, With: []string{"des", "taskie", "provider"}})
		assert.Check(t, is.Len(l.Remarks, 0))
		assert.Check(t, is.Equal(same(t, out, "delegation-gate", "dispatchers/pre-task-dispatcher"), links))
		assert.Check(t, is.Equal(same(t, out, "branch-guard", "state-file-guard"), links))
		assert.Check(t, !same(t, out, "branch-guard", "delegation-gate"))
		assert.Check(t, !same(t, out, "des-pre-tool-use", "des-subagent-stop"))
		answers(t, out)
		elsewhere := copied(t, out)
		assert.Check(t, !same(t, elsewhere, "branch-guard", "state-file-guard"))
		answers(t, elsewhere)
	}
}

func TestLinksWithoutTheExecutables(t *testing.T) {
	bin, out := standIns(t), filepath.Join(t.TempDir(), "plugin")
	assert.NilError(t, os.Remove(filepath.Join(bin, "isdlc-hooks-shell")))
	l := write(t, Options{Out: out, Bin: bin, Links: true})
	assert.Check(t, is.DeepEqual(l.Remarks, []string{"isdlc-hooks-shell is not built: every program is an executable of its own"}))
	assert.Check(t, !same(t, out, "delegation-gate", "dispatchers/pre-task-dispatcher"))
}

// same tells whether two programs of a plugin are one file.
func same(t *testing.T, plugin, a, b string) bool {
	t.Helper()
	infoA, err := os.Stat(filepath.Join(plugin, "hooks", a))
	assert.NilError(t, err)
	infoB, err := os.Stat(filepath.Join(plugin, "hooks", b))
	assert.NilError(t, err)
	return os.SameFile(infoA, infoB)
}

// byEvent is the order of a settings file: one list for each event.
func byEvent(table []registration.Registration) []registration.Registration {
	var events []string
	groups := map[string][]registration.Registration{}
	for _, r := range table {
		if groups[r.Event] == nil {
			events = append(events, r.Event)
		}
		groups[r.Event] = append(groups[r.Event], r)
	}
	var sorted []registration.Registration
	for _, event := range events {
		sorted = append(sorted, groups[event]...)
	}
	return sorted
}

func TestASecondTime(t *testing.T) {
	bin, out := standIns(t), filepath.Join(t.TempDir(), "plugin")
	write(t, Options{Out: out, Bin: bin})
	l := write(t, Options{Out: out, Bin: bin, Only: []string{"branch-guard"}})
	assert.Check(t, is.DeepEqual(l.Programs, []string{"branch-guard"}))
	entries, err := os.ReadDir(filepath.Join(out, "hooks"))
	assert.NilError(t, err)
	assert.Check(t, is.Len(entries, 2), "hooks.json and one program: what is not registered any more is gone")
	left, err := os.ReadDir(filepath.Dir(out))
	assert.NilError(t, err)
	assert.Check(t, is.Len(left, 1))
}

func TestRefusals(t *testing.T) {
	bin := standIns(t)
	for _, c := range []struct {
		name   string
		before map[string]string
		o      Options
		err    string
	}{
		{"something else", map[string]string{"notes.txt": "mine"}, Options{Bin: bin}, "is neither empty nor an older layout of this plugin"},
		{"another plugin", map[string]string{manifestFile: `{"name":"other"}`}, Options{Bin: bin}, "is neither empty nor"},
		{"ours with more in it", map[string]string{manifestFile: `{"name":"isdlc-hooks"}`, "notes.txt": "mine"}, Options{Bin: bin}, "holds notes.txt, which is not part of the plugin"},
		{"unknown group", nil, Options{Bin: bin, With: []string{"all"}}, "no group or registered program"},
		{"nothing built", map[string]string{manifestFile: `{"name":"isdlc-hooks"}`}, Options{Bin: t.TempDir(), Only: []string{"bash"}}, "branch-guard, state-file-guard, post-bash-dispatcher not built in"},
		{"an executable that does not tell its names", map[string]string{manifestFile: `{"name":"isdlc-hooks"}`}, Options{Bin: silent(t), Links: true}, "asking isdlc-hooks-plain what it can be: exit status 3"},
		{"a program that does not run", map[string]string{manifestFile: `{"name":"isdlc-hooks"}`}, Options{Bin: failing(t), Only: []string{"branch-guard"}}, "the proof failed: \"${CLAUDE_PLUGIN_ROOT}\"/hooks/branch-guard: exit code 3: no luck"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Out = filepath.Join(t.TempDir(), "plugin")
			for name, text := range c.before {
				put(t, c.o.Out, name, text)
			}
			_, err := Write(context.Background(), c.o)
			assert.ErrorContains(t, err, c.err)
			for name, text := range c.before {
				data, err := os.ReadFile(filepath.Join(c.o.Out, name))
				assert.NilError(t, err)
				assert.Check(t, is.Equal(string(data), text))
			}
			left, err := os.ReadDir(filepath.Dir(c.o.Out))
			assert.NilError(t, err)
			assert.Check(t, len(left) <= 1, "%v", left)
		})
	}
}

func failing(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	standIn(t, dir, "branch-guard", "echo no luck >&2; exit 3")
	return dir
}

func silent(t *testing.T) string {
	t.Helper()
	dir := standIns(t)
	standIn(t, dir, "isdlc-hooks-plain", "exit 3")
	return dir
}

// The programs themselves, as a plugin in a folder with a blank and in a copy of
// it, in a project that has nothing but a state: the configuration of the plugin
// counts, and doctor finds nothing.
func TestThePrograms(t *testing.T) {
	names := append(hooktest.Programs(t), "isdlc-hooks-plain", "isdlc-hooks-shell")
	_, err := hooktest.Build(t, names...)
	assert.NilError(t, err)
	bin := filepath.Dir(hooktest.Program(t, names[0]))
	out := filepath.Join(t.TempDir(), "a plugin")
	l := write(t, Options{Out: out, Bin: bin, Links: true})
	assert.Check(t, is.Len(l.Remarks, 0))
	assert.Check(t, same(t, out, "dispatchers/pre-task-dispatcher", "dispatchers/post-task-dispatcher"))
	p := hooktest.NewProject(t)
	p.Write(".isdlc/state.json", `{"active_workflow":{"type":"feature","phases":["06-implementation","08-code-review"],"current_phase":"06-implementation"},"phases":{"06-implementation":{"status":"in_progress"}}}`)
	p.Write("docs/isdlc/tasks.md", "# Tasks\n")

	ask := func(plugin string, env string) client.Answer {
		hook := settings.Hook{Event: "PreToolUse", Command: `"` + plugin + `"/hooks/dispatchers/pre-task-dispatcher`}
		event := `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"advance the workflow to the next phase"}}`
		return client.Read(claude.PreToolUse, client.Run(context.Background(), client.Call{Hook: hook, Event: []byte(event), Project: p.Dir, Plugin: env, Dir: p.Dir}))
	}
	assert.Check(t, is.Equal(ask(out, "").Verdict, client.Allow), "no configuration, no requirements")
	for _, plugin := range []string{out, copied(t, out)} {
		denied := ask(plugin, plugin)
		assert.Check(t, is.Equal(denied.Verdict, client.Deny))
		assert.Check(t, strings.Contains(denied.Reason, "06-implementation"), denied.Reason)

		report, err := doctor.Examine(context.Background(), doctor.Options{
			Project: p.Dir, Bin: bin, PluginDirs: []string{plugin}, Getenv: func(string) string { return "" }, Now: time.Now(),
		})
		assert.NilError(t, err)
		errors, warnings := report.Findings()
		assert.Check(t, is.Equal(errors+warnings, 0), "%+v", report.Lines)
		assert.Check(t, len(report.Hooks) > 10)
	}
}

func TestTheOldOneStaysWhereTheNewOneCannotCome(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plugin")
	assert.NilError(t, os.Mkdir(dir, 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	assert.Assert(t, swap(dir+".stage", dir) != nil)
	_, err := os.Stat(filepath.Join(dir, "file"))
	assert.NilError(t, err)
}
