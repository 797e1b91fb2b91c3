package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/scripts/internal/settings"
)

// answers is a stand-in for a program: it reads its event and exits.
const answers = "#!/bin/sh\ncat >/dev/null\nexit 0\n"

func TestMain(m *testing.M) {
	if runtime.GOOS == "windows" {
		fmt.Println("the stand-ins for programs are shell scripts: skipped")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// tree is a folder as data: paths to content. A path that ends in a slash is a
// folder, content that begins with "-> " a link.
type tree map[string]string

func lay(t *testing.T, dir string, files tree) string {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		target, link := strings.CutPrefix(content, "-> ")
		switch {
		case strings.HasSuffix(name, "/"):
			assert.NilError(t, os.MkdirAll(file, 0o755))
		case link:
			assert.NilError(t, os.Symlink(target, file))
		default:
			assert.NilError(t, os.WriteFile(file, []byte(content), 0o644))
		}
	}
	return dir
}

// snapshot is everything below a folder, modes included.
func snapshot(t *testing.T, dir string) tree {
	t.Helper()
	all := tree{}
	assert.NilError(t, filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, file)
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case entry.Type()&fs.ModeSymlink != 0:
			content, err = os.Readlink(file)
		case !entry.IsDir():
			var data []byte
			data, err = os.ReadFile(file)
			content = string(data)
		}
		all[filepath.ToSlash(name)] = info.Mode().String() + " " + content
		return err
	}))
	return all
}

// built is a folder of stand-ins.
func built(t *testing.T, content string, names ...string) string {
	t.Helper()
	if len(names) == 0 {
		names = []string{"pre-task-dispatcher", "pre-skill-dispatcher", "plan-surfacer", "branch-guard", "delegation-gate", "des-pre-tool-use", "des-subagent-stop"}
	}
	dir := t.TempDir()
	for _, name := range names {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755))
	}
	return dir
}

func install(t *testing.T, o Options) *Plan {
	t.Helper()
	p, err := Install(o)
	assert.NilError(t, err)
	t.Cleanup(func() { p.Close() })
	_, err = p.Apply()
	assert.NilError(t, err)
	return p
}

func uninstall(t *testing.T, dir string) *Plan {
	t.Helper()
	p, err := Uninstall(dir)
	assert.NilError(t, err)
	t.Cleanup(func() { p.Close() })
	_, err = p.Apply()
	assert.NilError(t, err)
	return p
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	assert.NilError(t, err)
	return string(data)
}

const cjsSettings = `{
	"model": "opus",  "budget": 1.0,
	"hooks": {
		"PreToolUse": [
			{"matcher": "Task", "hooks": [
				{"type": "command", "command": "node \"$CLAUDE_PROJECT_DIR/.claude/hooks/dispatchers/pre-task-dispatcher.cjs\"", "timeout": 10000}
			]},
			{"matcher": "Bash", "hooks": [
				{"type": "command", "command": "node $CLAUDE_PROJECT_DIR/.claude/hooks/branch-guard.cjs", "timeout": 10000},
				{"type": "command", "command": "true"}
			]}
		]
	}
}`

var projects = map[string]tree{
	"nothing":             {},
	"an empty .claude":    {".claude/": ""},
	"empty hooks":         {settingsFile: "{\"hooks\": {}}"},
	"an empty file":       {settingsFile: ""},
	"odd formatting":      {settingsFile: "{ \"x\":1.0,\n\n      \"y\" : [ ]\n  , \"hooks\":{\"Stop\":[ ]} }\n\n"},
	"CRLF":                {settingsFile: "{\r\n  \"x\": 1e21\r\n}\r\n"},
	"minified":            {settingsFile: `{"x":12345678901234567890,"hooks":{"PreToolUse":[]}}`},
	"tabs":                {settingsFile: "{\n\t\"x\": -0\n}"},
	"byte order mark":     {settingsFile: "\ufeff{}"},
	"the .cjs hooks":      {settingsFile: cjsSettings, ".claude/hooks/branch-guard.cjs": "// old"},
	"local .cjs hooks":    {localSettingsFile: cjsSettings},
	"own configuration":   {".isdlc/config/skills-manifest.json": "{}", ".claude/hooks/config/workflows.json": "{}", ".isdlc/state.json": "{}"},
	"own ignore file":     {ignoreFile: "*.log"},
	"a program in place":  {".claude/hooks/branch-guard": "the user's own"},
	"a settings link":     {settingsFile: "-> ../shared.json", "shared.json": "{\"x\": 1.0}\n"},
	"a hooks link":        {".claude/hooks": "-> ../tools", "tools/own": "own"},
	"our registrations":   {settingsFile: `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard","timeout":10}]}]}}`},
	"a blank/in the path": {"a blank/in the path/": ""},
}

func TestRoundTrip(t *testing.T) {
	bin := built(t, answers)
	for name, files := range projects {
		t.Run(name, func(t *testing.T) {
			dir := lay(t, filepath.Join(t.TempDir(), "a project"), files)
			assert.NilError(t, os.MkdirAll(dir, 0o755))
			before := snapshot(t, dir)

			p := install(t, Options{Project: dir, Bin: bin})
			assert.Check(t, !p.Nothing())
			text := read(t, dir, settingsFile)
			assert.NilError(t, settings.Check([]byte(text)))
			for _, program := range []string{"dispatchers/pre-task-dispatcher", "dispatchers/pre-skill-dispatcher", "branch-guard", "delegation-gate"} {
				want := 1
				if files[localSettingsFile] != "" && program != "delegation-gate" && program != "dispatchers/pre-skill-dispatcher" {
					want = 2
				}
				found := strings.Count(text+readIfThere(dir, localSettingsFile), `\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/`+program+`"`)
				assert.Check(t, is.Equal(found, want), program)
			}
			assert.Check(t, !strings.Contains(text, ".cjs"))

			after := snapshot(t, dir)
			again := install(t, Options{Project: dir, Bin: bin})
			assert.Check(t, again.Nothing(), "%q", again.Steps())
			assert.DeepEqual(t, snapshot(t, dir), after)

			uninstall(t, dir)
			assert.DeepEqual(t, snapshot(t, dir), before)
			assert.Check(t, uninstall(t, dir).Nothing())
		})
	}
}

func readIfThere(parts ...string) string {
	data, _ := os.ReadFile(filepath.Join(parts...)) // not there: nothing in it
	return string(data)
}

func TestProof(t *testing.T) {
	dir := t.TempDir()
	p, err := Install(Options{Project: dir, Bin: built(t, answers)})
	assert.NilError(t, err)
	defer p.Close()
	proof, err := p.Apply()
	assert.NilError(t, err)
	assert.Check(t, is.Contains(proof, "pre-task-dispatcher answered an event: exit 0 after"))

	for name, program := range map[string]string{
		"exit":        "#!/bin/sh\necho no good >&2\nexit 3\n",
		"not started": "#!/no/such/program\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings})
			before := snapshot(t, dir)
			p, err := Install(Options{Project: dir, Bin: built(t, program)})
			assert.NilError(t, err)
			defer p.Close()
			_, err = p.Apply()
			assert.ErrorContains(t, err, "the proof failed")
			assert.ErrorContains(t, err, "the project is as it was before")
			assert.DeepEqual(t, snapshot(t, dir), before)
		})
	}
}

func TestRefused(t *testing.T) {
	outside := t.TempDir()
	bin := built(t, answers)
	for _, c := range []struct {
		name, err string
		files     tree
		o         Options
	}{
		{name: "no such project", o: Options{Project: filepath.Join(outside, "none")}, err: "does not exist"},
		{name: "no folder", o: Options{Project: filepath.Join(bin, "branch-guard")}, err: "is not a folder"},
		{name: "no project", o: Options{Project: ""}, err: "no project given"},
		{name: "nothing built", o: Options{Bin: outside}, err: "no built programs in"},
		{name: "unknown group", o: Options{Only: []string{"all"}}, err: `called "all"; groups: delegation`},
		{name: "a group of which nothing is built", o: Options{Only: []string{"taskie"}}, err: "nothing to register: taskie-stop-hook is not built"},
		{name: "comments", files: tree{settingsFile: "{\n  // x\n}"}, err: ".claude/settings.json: the client would ignore this file: line 2, column 3: a comment"},
		{name: "a bad timeout", files: tree{settingsFile: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}`}, err: "hooks.Stop[0].hooks[0].timeout is a string"},
		{name: "settings are a folder", files: tree{settingsFile + "/": ""}, err: ".claude/settings.json is not a file"},
		{name: ".claude is a file", files: tree{".claude": "x"}, err: ".claude is not a folder"},
		{name: ".claude leads outside", files: tree{".claude": "-> " + outside}, err: ".claude is a link that leads out"},
		{name: "hooks lead outside", files: tree{".claude/hooks": "-> " + outside}, err: ".claude/hooks is a link that leads out"},
		{name: "hooks lead outside by steps", files: tree{".claude/hooks": "-> ../../.."}, err: ".claude/hooks is a link that leads out"},
		{name: "settings lead outside", files: tree{settingsFile: "-> " + outside + "/settings.json"}, err: ".claude/settings.json is a link that leads out"},
		{name: "a damaged record", files: tree{recordFile: "{"}, err: "is damaged"},
		{name: "a record from the future", files: tree{recordFile: `{"version": 99}`}, err: "has version 99"},
		{name: "a record that leads outside", files: tree{recordFile: `{"version": 1, "files": [{"path": "../../x"}]}`}, err: `it names "../../x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := lay(t, t.TempDir(), c.files)
			if !strings.HasPrefix(c.name, "no ") {
				c.o.Project = dir
			}
			if c.o.Bin == "" {
				c.o.Bin = bin
			}
			before := snapshot(t, dir)
			_, err := Install(c.o)
			assert.ErrorContains(t, err, c.err)
			assert.Check(t, !strings.Contains(err.Error(), "\n"))
			assert.DeepEqual(t, snapshot(t, dir), before)
			assert.Check(t, is.Len(snapshot(t, outside), 1))
		})
	}
}

// Whatever step of an installation or its removal fails, the project is as it
// was before.
func TestFailureHalfway(t *testing.T) {
	bin := built(t, answers)
	files := tree{settingsFile: cjsSettings, ignoreFile: "*.log", ".claude/hooks/branch-guard": "own"}
	full := errors.New("no space left on device")
	attempt := func(t *testing.T, dir string, plan func() (*Plan, error)) {
		before := snapshot(t, dir)
		for n := 0; ; n++ {
			p, err := plan()
			assert.NilError(t, err)
			steps := 0
			p.set.Before = func(step, path string) error {
				if steps++; steps > n {
					return full
				}
				return nil
			}
			_, err = p.Apply()
			p.Close()
			if err == nil {
				assert.Assert(t, n > 10, "only %d steps", n)
				return
			}
			assert.ErrorIs(t, err, full)
			assert.DeepEqual(t, snapshot(t, dir), before)
		}
	}
	dir := lay(t, t.TempDir(), files)
	before := snapshot(t, dir)
	t.Run("install", func(t *testing.T) {
		attempt(t, dir, func() (*Plan, error) { return Install(Options{Project: dir, Bin: bin}) })
	})
	t.Run("uninstall", func(t *testing.T) {
		attempt(t, dir, func() (*Plan, error) { return Uninstall(dir) })
	})
	assert.DeepEqual(t, snapshot(t, dir), before)
}

// A process that is killed in the middle undoes nothing. The next installation
// and its removal must still find the way back.
func TestKilledHalfway(t *testing.T) {
	bin := built(t, answers)
	files := tree{settingsFile: cjsSettings, ignoreFile: "*.log", ".claude/hooks/branch-guard": "own"}
	for n := 0; ; n++ {
		dir := lay(t, t.TempDir(), files)
		before := snapshot(t, dir)
		killed := installUntil(t, n, Options{Project: dir, Bin: bin})
		assert.NilError(t, settings.Check([]byte(read(t, dir, settingsFile))))
		install(t, Options{Project: dir, Bin: bin})
		uninstall(t, dir)
		after := snapshot(t, dir)
		for name, content := range after {
			if _, was := before[name]; !was && strings.HasPrefix(content, "d") {
				delete(after, name) // a folder that was made before the record was written
			}
		}
		assert.DeepEqual(t, after, before)
		if !killed {
			return
		}
	}
}

// installUntil installs, and is killed before a step unless there are less.
func installUntil(t *testing.T, n int, o Options) (killed bool) {
	t.Helper()
	p, err := Install(o)
	assert.NilError(t, err)
	defer p.Close()
	steps := 0
	p.set.Before = func(step, path string) error {
		if steps++; steps > n {
			panic("killed")
		}
		return nil
	}
	defer func() { killed = recover() != nil }()
	_, err = p.Apply()
	assert.NilError(t, err)
	return
}

// The removal alone takes out what there is of an installation that was killed, once
// that is recorded.
func TestRemovalOfHalfAnInstallation(t *testing.T) {
	bin := built(t, answers)
	for n := 0; ; n++ {
		dir := lay(t, t.TempDir(), tree{".claude/hooks/branch-guard": "own"})
		before := snapshot(t, dir)
		killed := installUntil(t, n, Options{Project: dir, Bin: bin})
		if recorded, err := Recorded(dir); err == nil && recorded == nil {
			continue
		}
		uninstall(t, dir)
		assert.DeepEqual(t, snapshot(t, dir), before)
		if !killed {
			return
		}
	}
}

// After an update that was killed there are programs of both releases: all of them
// are ours.
func TestUpdateKilledHalfway(t *testing.T) {
	bin, newer := built(t, answers), built(t, answers+"# newer\n")
	for n := 0; ; n++ {
		dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings, ".claude/hooks/branch-guard": "own"})
		before := snapshot(t, dir)
		install(t, Options{Project: dir, Bin: bin})
		killed := installUntil(t, n, Options{Project: dir, Bin: newer, With: []string{"des"}})
		uninstall(t, dir)
		assert.DeepEqual(t, snapshot(t, dir), before)
		if !killed {
			return
		}
	}
}
