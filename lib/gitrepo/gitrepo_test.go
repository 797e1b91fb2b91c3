package gitrepo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// repository makes one with a commit on branch.
func repository(t *testing.T, branch string) Repo {
	t.Helper()
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t.invalid", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t.invalid",
	} {
		t.Setenv(name, value)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NilError(t, err)
	git(t, dir, "init", "-q", "-b", branch)
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return Repo{Dir: dir}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	assert.NilError(t, err, "git %v: %s", args, out)
}

func TestBranch(t *testing.T) {
	r := repository(t, "feature/a")
	branch, err := r.Branch()
	assert.NilError(t, err)
	assert.Equal(t, branch, "feature/a")

	git(t, r.Dir, "tag", "feature/a")
	git(t, r.Dir, "checkout", "-q", "--orphan", "unborn")
	branch, err = r.Branch()
	assert.NilError(t, err)
	assert.Equal(t, branch, "unborn")

	git(t, r.Dir, "checkout", "-q", "--detach", "refs/tags/feature/a")
	_, err = r.Branch()
	assert.ErrorContains(t, err, "git symbolic-ref")
	_, err = Repo{Dir: t.TempDir()}.Branch()
	assert.Assert(t, err != nil)
	_, err = Repo{Dir: filepath.Join(r.Dir, "none")}.Branch()
	assert.Assert(t, err != nil)
}

func TestHasBranch(t *testing.T) {
	r := repository(t, "main")
	git(t, r.Dir, "tag", "only-a-tag")
	git(t, r.Dir, "branch", "--", "feature")
	for name, want := range map[string]bool{"main": true, "feature": true, "only-a-tag": false, "none": false, "--all": false, "": false, "a b": false, "../heads/main": false} {
		assert.Equal(t, r.HasBranch(name), want, name)
	}
}

func TestChangedSince(t *testing.T) {
	r := repository(t, "main")
	git(t, r.Dir, "checkout", "-q", "-b", "feature")
	for _, name := range []string{"a b.txt", "é\n\"x\".txt"} {
		assert.NilError(t, os.WriteFile(filepath.Join(r.Dir, name), []byte("x"), 0o644))
	}
	git(t, r.Dir, "add", "-A")
	git(t, r.Dir, "commit", "-q", "-m", "second")
	assert.NilError(t, os.WriteFile(filepath.Join(r.Dir, "not committed"), nil, 0o644))
	files, err := r.ChangedSince("main")
	assert.NilError(t, err)
	assert.DeepEqual(t, files, []string{"a b.txt", "é\n\"x\".txt"})
	_, err = r.ChangedSince("none")
	assert.ErrorContains(t, err, "git diff")
	_, err = r.ChangedSince("--output=evil")
	assert.Assert(t, err != nil)
}

func TestChangedSinceHead(t *testing.T) {
	r := repository(t, "main")
	write := func(text string, names ...string) {
		for _, name := range names {
			path := filepath.Join(r.Dir, name)
			assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	write("old", "changed", "deleted", "same", "sub/changed", "sub/é")
	git(t, r.Dir, "add", "-A")
	git(t, r.Dir, "commit", "-q", "-m", "second")
	git(t, r.Dir, "config", "diff.relative", "true")
	write("new text", "changed", "staged", "untracked", "sub/changed", "sub/é")
	assert.NilError(t, os.Remove(filepath.Join(r.Dir, "deleted")))
	git(t, r.Dir, "add", "staged")
	files, err := Repo{Dir: filepath.Join(r.Dir, "sub")}.ChangedSinceHead()
	assert.NilError(t, err)
	assert.DeepEqual(t, files, []string{"changed", "deleted", "staged", "sub/changed", `"sub/\303\251"`})

	git(t, r.Dir, "checkout", "-q", "--orphan", "unborn")
	_, err = r.ChangedSinceHead()
	assert.ErrorContains(t, err, "git diff")
	_, err = Repo{Dir: t.TempDir()}.ChangedSinceHead()
	assert.ErrorContains(t, err, "git diff")
}

// What the configuration of a repository says may not run anything.
func TestHostileConfiguration(t *testing.T) {
	r := repository(t, "main")
	mark := filepath.Join(t.TempDir(), "executed")
	script := filepath.Join(t.TempDir(), "evil")
	assert.NilError(t, os.WriteFile(script, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(r.Dir, ".gitattributes"), []byte("* diff=evil\n"), 0o644))
	git(t, r.Dir, "add", "-A")
	git(t, r.Dir, "commit", "-q", "-m", "attributes")
	for _, key := range []string{"core.fsmonitor", "core.pager", "pager.diff", "diff.external", "diff.evil.command", "diff.evil.textconv", "core.editor", "alias.symbolic-ref", "core.sshCommand"} {
		git(t, r.Dir, "config", key, script)
	}
	git(t, r.Dir, "config", "alias.ci", "!"+script)
	_, err := r.Branch()
	assert.NilError(t, err)
	r.HasBranch("main")
	_, err = r.ChangedSince("HEAD~1")
	assert.NilError(t, err)
	assert.NilError(t, os.WriteFile(filepath.Join(r.Dir, ".gitattributes"), []byte("* diff=evil\n\n"), 0o644))
	_, err = r.ChangedSinceHead()
	assert.NilError(t, err)
	assert.Equal(t, r.Alias("ci"), "!"+script)
	_, err = r.CommonDir()
	assert.NilError(t, err)
	_, err = os.Stat(mark)
	assert.Assert(t, os.IsNotExist(err), "something of the configuration was executed")
}

func TestAGitThatHangs(t *testing.T) {
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\nsleep 60 & sleep 60\n"), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	start := time.Now()
	_, err := Repo{Dir: dir}.ask(50*time.Millisecond, "status")
	assert.ErrorContains(t, err, "deadline")
	assert.Assert(t, time.Since(start) < 10*time.Second)
}

func TestTooMuchOutput(t *testing.T) {
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\nexec cat /dev/zero\n"), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	_, err := Repo{Dir: dir}.ask(10*time.Second, "status")
	assert.Assert(t, err != nil)
	assert.Assert(t, !strings.Contains(err.Error(), "deadline"), err)
}
