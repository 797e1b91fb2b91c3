package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// edit replaces text in a file of a project, as a user would.
func edit(t *testing.T, dir, file, old, new string) {
	t.Helper()
	text := read(t, dir, file)
	assert.Assert(t, is.Contains(text, old))
	lay(t, dir, tree{file: strings.Replace(text, old, new, 1)})
}

// What the user has changed since stays, and is named.
func TestUninstallKeepsChanges(t *testing.T) {
	bin := built(t, answers)
	const manifest = ".claude/hooks/config/skills-manifest.json"
	for _, c := range []struct {
		name   string
		before tree
		change func(t *testing.T, dir string)
		want   tree   // what is different from before in the end
		gone   string // what was there before and is not any more
		says   string
	}{
		{
			name:   "a configuration",
			change: func(t *testing.T, dir string) { lay(t, dir, tree{manifest: "mine"}) },
			want:   tree{manifest: "mine"},
			says:   "kept " + manifest + ", which was changed",
		},
		{
			name:   "a program",
			change: func(t *testing.T, dir string) { lay(t, dir, tree{".claude/hooks/branch-guard": "mine"}) },
			want:   tree{".claude/hooks/branch-guard": "mine"},
			says:   "kept .claude/hooks/branch-guard, which was changed",
		},
		{
			name:   "a program in the place of the user's own",
			before: tree{".claude/hooks/branch-guard": "old"},
			change: func(t *testing.T, dir string) { lay(t, dir, tree{".claude/hooks/branch-guard": "mine"}) },
			want:   tree{".claude/hooks/branch-guard": "mine", originalPath(".claude/hooks/branch-guard"): "old"},
			says:   "was before the installation is in " + originalPath(".claude/hooks/branch-guard"),
		},
		{
			name:   "a file of its own",
			change: func(t *testing.T, dir string) { lay(t, dir, tree{".claude/hooks/own.sh": "x"}) },
			want:   tree{".claude/hooks/own.sh": "x"},
		},
		{
			name:   "a file that is gone",
			change: func(t *testing.T, dir string) { assert.NilError(t, os.Remove(filepath.Join(dir, manifest))) },
		},
		{
			name:   "a file that is gone, and was another before",
			before: tree{".claude/hooks/branch-guard": "old"},
			change: func(t *testing.T, dir string) {
				assert.NilError(t, os.Remove(filepath.Join(dir, ".claude/hooks/branch-guard")))
			},
		},
		{
			name: "lines of its own in the ignore file",
			change: func(t *testing.T, dir string) {
				lay(t, dir, tree{ignoreFile: "*.log\n" + read(t, dir, ignoreFile) + "*.tmp\n"})
			},
			want: tree{ignoreFile: "*.log\n*.tmp\n"},
			says: "kept your lines in " + ignoreFile,
		},
		{
			name:   "another value in the settings",
			before: tree{settingsFile: cjsSettings},
			change: func(t *testing.T, dir string) { edit(t, dir, settingsFile, `"opus"`, `"sonnet"`) },
			want:   tree{settingsFile: strings.Replace(cjsSettings, `"opus"`, `"sonnet"`, 1)},
			says:   "removed our registrations from .claude/settings.json; what you changed since stays",
		},
		{
			name:   "settings that we made, with a value of the user's",
			change: func(t *testing.T, dir string) { edit(t, dir, settingsFile, "{\n", "{\n  \"x\": 1.0,\n") },
			want:   tree{settingsFile: "{\n  \"x\": 1.0\n}\n"},
		},
		{
			name: "settings that we made, in another layout",
			change: func(t *testing.T, dir string) {
				lay(t, dir, tree{settingsFile: strings.ReplaceAll(read(t, dir, settingsFile), "  ", "\t")})
			},
		},
		{
			name:   "settings that are as before again",
			before: tree{settingsFile: cjsSettings},
			change: func(t *testing.T, dir string) { lay(t, dir, tree{settingsFile: cjsSettings}) },
		},
		{
			name:   "settings that are gone",
			before: tree{settingsFile: cjsSettings},
			change: func(t *testing.T, dir string) { assert.NilError(t, os.Remove(filepath.Join(dir, settingsFile))) },
			gone:   settingsFile,
			says:   ".claude/settings.json is gone",
		},
		{
			name: "a registration of its own for one of our programs",
			change: func(t *testing.T, dir string) {
				edit(t, dir, settingsFile, `"hooks": {`, `"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/plan-surfacer"}]}],`)
			},
			want: tree{settingsFile: "{\n  \"hooks\": {\"PostToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/plan-surfacer\"}]}]\n  }\n}\n"},
			says: "still registers plan-surfacer",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := lay(t, t.TempDir(), c.before)
			install(t, Options{Project: dir, Bin: bin})
			c.change(t, dir)
			p := uninstall(t, dir)
			assert.Check(t, is.Contains(strings.Join(append(p.Done(), p.Remarks()...), "\n"), c.says))

			want := lay(t, t.TempDir(), c.before)
			lay(t, want, c.want)
			if c.gone != "" {
				assert.NilError(t, os.Remove(filepath.Join(want, c.gone)))
			}
			assert.DeepEqual(t, contents(t, dir), contents(t, want))
			assert.Check(t, uninstall(t, dir).Nothing())
		})
	}
}

// contents is a snapshot without folders and modes.
func contents(t *testing.T, dir string) tree {
	t.Helper()
	files := snapshot(t, dir)
	for name, content := range files {
		if strings.HasPrefix(content, "d") {
			delete(files, name)
			continue
		}
		_, files[name], _ = strings.Cut(content, " ")
	}
	return files
}

func TestUninstallRefusesBrokenSettings(t *testing.T) {
	dir := t.TempDir()
	install(t, Options{Project: dir, Bin: built(t, answers)})
	edit(t, dir, settingsFile, "{", "{ // mine")
	before := snapshot(t, dir)
	_, err := Uninstall(dir)
	assert.ErrorContains(t, err, "a comment; mend it first")
	assert.DeepEqual(t, snapshot(t, dir), before)
}

// A newer build takes the place of an older one; the way back stays the same.
func TestUpgrade(t *testing.T) {
	dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings, ".claude/hooks/branch-guard": "the user's own"})
	before := snapshot(t, dir)
	install(t, Options{Project: dir, Bin: built(t, answers, "pre-task-dispatcher", "branch-guard")})
	newer := built(t, answers+"# newer\n")
	p := install(t, Options{Project: dir, Bin: newer})
	assert.Check(t, is.Contains(strings.Join(p.Done(), "\n"), "replaced 2 programs"))
	assert.Check(t, is.Contains(read(t, dir, ".claude/hooks/branch-guard"), "# newer"))
	assert.Check(t, is.Contains(read(t, dir, settingsFile), "hooks/delegation-gate"))
	assert.Check(t, install(t, Options{Project: dir, Bin: newer}).Nothing())
	uninstall(t, dir)
	assert.DeepEqual(t, snapshot(t, dir), before)
}

// An upgrade after the user has edited the settings, and then the way back: the
// edit stays.
func TestUpgradeAfterEdit(t *testing.T) {
	bin := built(t, answers)
	dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings})
	install(t, Options{Project: dir, Bin: bin})
	edit(t, dir, settingsFile, `"opus"`, `"sonnet"`)
	install(t, Options{Project: dir, Bin: bin, With: []string{"des"}})
	assert.Check(t, is.Contains(read(t, dir, settingsFile), "des-subagent-stop"))
	uninstall(t, dir)
	assert.DeepEqual(t, contents(t, dir), tree{settingsFile: strings.Replace(cjsSettings, `"opus"`, `"sonnet"`, 1)})
}

// The defaults of an older release are renewed as long as nobody touched them.
func TestUpgradeConfiguration(t *testing.T) {
	bin := built(t, answers)
	dir := t.TempDir()
	install(t, Options{Project: dir, Bin: bin})
	const file = ".claude/hooks/config/artifact-paths.json"
	current := read(t, dir, file)
	lay(t, dir, tree{file: "older"})
	edit(t, dir, recordFile, sumOfBytes([]byte(current)), sumOfBytes([]byte("older")))
	install(t, Options{Project: dir, Bin: bin})
	assert.Equal(t, read(t, dir, file), current)

	lay(t, dir, tree{file: "mine"})
	install(t, Options{Project: dir, Bin: bin})
	assert.Equal(t, read(t, dir, file), "mine")
}

func TestOnly(t *testing.T) {
	bin := built(t, answers)
	for _, c := range []struct {
		name       string
		o          Options
		has, lacks []string
	}{
		{"the default", Options{}, []string{"pre-task-dispatcher", "delegation-gate"}, []string{"des-", "branch-guard.cjs"}},
		{"a group", Options{Only: []string{"bash"}}, []string{"hooks/branch-guard\\\"", "pre-task-dispatcher.cjs"}, []string{"delegation-gate", "branch-guard.cjs"}},
		{"an opt-in group", Options{Only: []string{"des"}}, []string{"des-pre-tool-use", "des-subagent-stop", "branch-guard.cjs"}, []string{"delegation-gate"}},
		{"one more group", Options{With: []string{"des"}}, []string{"des-pre-tool-use", "delegation-gate"}, []string{".cjs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings})
			before := snapshot(t, dir)
			c.o.Project, c.o.Bin = dir, bin
			install(t, c.o)
			text := read(t, dir, settingsFile)
			for _, s := range c.has {
				assert.Check(t, is.Contains(text, strings.TrimSuffix(s, "\\\"")))
			}
			for _, s := range c.lacks {
				assert.Check(t, !strings.Contains(text, s), s)
			}
			_, err := os.Stat(filepath.Join(dir, ".claude/hooks/plan-surfacer"))
			assert.NilError(t, err, "programs are there whether registered or not")
			uninstall(t, dir)
			assert.DeepEqual(t, snapshot(t, dir), before)
		})
	}
}

func TestPlanChangesNothing(t *testing.T) {
	bin := built(t, answers)
	dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings})
	before := snapshot(t, dir)
	p, err := Install(Options{Project: dir, Bin: bin})
	assert.NilError(t, err)
	defer p.Close()
	steps := strings.Join(p.Steps(), "\n")
	for _, want := range []string{
		"copy 7 programs into .claude/hooks",
		"exchange PreToolUse Task|Agent: \"node",
		"register Stop: .claude/hooks/delegation-gate (10 s) in .claude/settings.json",
		"write .isdlc/config/workflows.json with defaults",
	} {
		assert.Check(t, is.Contains(steps, want))
	}
	assert.Check(t, is.Contains(strings.Join(p.Remarks(), "\n"), "left out, because not built: state-file-guard"))
	assert.DeepEqual(t, snapshot(t, dir), before)
}

// Registrations in settings.local.json are exchanged there; a broken one is
// only named, for the client does not read it.
func TestLocalSettings(t *testing.T) {
	bin := built(t, answers)
	dir := lay(t, t.TempDir(), tree{localSettingsFile: cjsSettings})
	install(t, Options{Project: dir, Bin: bin})
	local := read(t, dir, localSettingsFile)
	assert.Check(t, is.Contains(local, `"matcher": "Task|Agent"`))
	assert.Check(t, !strings.Contains(local, ".cjs"))
	assert.Check(t, !strings.Contains(local, "delegation-gate"))

	dir = lay(t, t.TempDir(), tree{localSettingsFile: "{,}"})
	p := install(t, Options{Project: dir, Bin: bin})
	assert.Check(t, is.Contains(strings.Join(p.Remarks(), "\n"), "left alone: .claude/settings.local.json: the client would ignore this file: line 1"))
	assert.Equal(t, read(t, dir, localSettingsFile), "{,}")
}

// Git keeps the programs out and everything else of the folder in.
func TestIgnoreBlock(t *testing.T) {
	block := ignoreBlock()
	for _, line := range []string{"/branch-guard", "/branch-guard.exe", "/dispatchers/pre-task-dispatcher", "/.isdlc-hooks*"} {
		assert.Check(t, is.Contains(block, "\n"+line+"\n"))
	}
	for _, own := range []string{"", "*.log\n", "*.log"} {
		with := withIgnoreBlock([]byte(own))
		assert.Check(t, is.Equal(string(withIgnoreBlock(with)), string(with)))
		assert.Check(t, is.Equal(strings.TrimSuffix(string(withoutIgnoreBlock(with)), "\n"), strings.TrimSuffix(own, "\n")))
		older := strings.Replace(string(with), "/branch-guard\n", "", 1) + "behind\n"
		assert.Check(t, is.Equal(string(withIgnoreBlock([]byte(older))), string(with)+"behind\n"))
	}
}
