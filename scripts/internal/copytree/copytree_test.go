package copytree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"gotest.tools/v3/fs"
)

func copied(t *testing.T, from string, o Options) (string, Summary) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	s, err := Copy(from, to, o)
	assert.NilError(t, err)
	return to, s
}

func TestCopy(t *testing.T) {
	dir := fs.NewDir(t, "copytree",
		fs.WithDir("out", fs.WithFile("state.json", "outside"), fs.WithSymlink("back", "../project")),
		fs.WithDir("project",
			fs.WithFile("run", "#!/bin/sh\n", fs.WithMode(0o750)),
			fs.WithFile("locked", "x", fs.WithMode(0o444)),
			fs.WithDir("web", fs.WithDir("node_modules", fs.WithFile("big", "big")), fs.WithFile("index.js", "js")),
			fs.WithDir("target", fs.WithFile("CACHEDIR.TAG", ""), fs.WithFile("big", "big")),
			fs.WithDir("mine", fs.WithFile("big", "big")),
			fs.WithSymlink("here", "web/index.js"),
			fs.WithSymlink("shared", "../out"),
			fs.WithSymlink("nowhere", "../none"),
		))
	assert.NilError(t, os.Symlink(dir.Join("project/run"), dir.Join("project/full")))
	assert.NilError(t, os.Symlink("..", dir.Join("project/web/up")))
	if mkfifo, err := exec.LookPath("mkfifo"); err == nil {
		assert.NilError(t, exec.Command(mkfifo, dir.Join("project/pipe")).Run())
	}
	to, s := copied(t, dir.Join("project"), Options{Skip: []string{"mine"}})
	assert.Check(t, is.DeepEqual(s.Skipped, []string{"mine", "target", "web/node_modules"}))
	assert.Check(t, is.DeepEqual(s.Missing, []string{"nowhere"}))
	assert.Check(t, is.Equal(s.Files, 4))

	info, err := os.Stat(filepath.Join(to, "run"))
	assert.NilError(t, err)
	assert.Check(t, is.Equal(info.Mode().Perm(), os.FileMode(0o750)))
	original, err := os.Stat(dir.Join("project/run"))
	assert.NilError(t, err)
	assert.Check(t, info.ModTime().Equal(original.ModTime()))
	for _, gone := range []string{"mine", "target", "web/node_modules", "nowhere", "pipe"} {
		_, err := os.Lstat(filepath.Join(to, gone))
		assert.Check(t, os.IsNotExist(err), gone)
	}

	// Whatever is written in the copy, through whichever link, stays there.
	for _, name := range []string{"run", "here", "full", "shared/state.json", "shared/back/run", "web/up/run"} {
		assert.NilError(t, os.WriteFile(filepath.Join(to, name), []byte("changed"), 0o644), name)
	}
	for name, want := range map[string]string{"project/run": "#!/bin/sh\n", "project/web/index.js": "js", "out/state.json": "outside"} {
		data, err := os.ReadFile(dir.Join(name))
		assert.NilError(t, err)
		assert.Check(t, is.Equal(string(data), want), name)
	}
}

func TestNamesOfOneFile(t *testing.T) {
	dir := fs.NewDir(t, "copytree", fs.WithFile("a", strings.Repeat("x", 3<<20)))
	assert.NilError(t, os.Link(dir.Join("a"), dir.Join("b")))
	to, s := copied(t, dir.Path(), Options{MaxBytes: 4 << 20})
	assert.Check(t, is.Equal(s.Files, 2))
	a, err := os.Stat(filepath.Join(to, "a"))
	assert.NilError(t, err)
	b, err := os.Stat(filepath.Join(to, "b"))
	assert.NilError(t, err)
	original, err := os.Stat(dir.Join("a"))
	assert.NilError(t, err)
	assert.Check(t, os.SameFile(a, b) && !os.SameFile(a, original))
}

func TestACircleOfLinksOutside(t *testing.T) {
	dir := fs.NewDir(t, "copytree",
		fs.WithDir("a", fs.WithSymlink("b", "../b")), fs.WithDir("b", fs.WithSymlink("a", "../a")),
		fs.WithDir("project", fs.WithSymlink("a", "../a")))
	_, s := copied(t, dir.Join("project"), Options{})
	assert.Check(t, is.DeepEqual(s.Missing, []string{"a/b/a"}))
}

func TestTooLarge(t *testing.T) {
	dir := fs.NewDir(t, "copytree", fs.WithDir("data", fs.WithFile("big", strings.Repeat("x", 3<<20))), fs.WithFile("small", "x"))
	to := filepath.Join(t.TempDir(), "copy")
	_, err := Copy(dir.Path(), to, Options{MaxBytes: 2 << 20})
	assert.ErrorIs(t, err, ErrTooLarge)
	assert.ErrorContains(t, err, "3 MB in 2 files, at most 2 MB in 100000; the largest: data (3 MB), small (0 MB)")
	_, err = os.Stat(to)
	assert.Check(t, os.IsNotExist(err))
	_, err = Copy(dir.Path(), to, Options{MaxFiles: 1})
	assert.ErrorIs(t, err, ErrTooLarge)
	_, err = Copy(dir.Join("none"), to, Options{})
	assert.ErrorContains(t, err, "copying the project")
	_, err = Copy(dir.Join("small"), to, Options{})
	assert.ErrorContains(t, err, "is no folder")
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	assert.NilError(t, err, "git %v: %s", args, out)
	return string(out)
}

func TestRepositories(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir := fs.NewDir(t, "copytree", fs.WithDir("main repository", fs.WithFile("a.txt", "one\n")))
	repo, tree, sub := dir.Join("main repository"), dir.Join("a worktree"), dir.Join("super")
	git(t, repo, "init", "-q", "-b", "main")
	git(t, repo, "add", ".")
	git(t, repo, "commit", "-q", "-m", "one")
	git(t, repo, "worktree", "add", "-q", "-b", "feature/x", tree)
	assert.NilError(t, os.WriteFile(filepath.Join(tree, "a.txt"), []byte("two\n"), 0o644))
	git(t, tree, "commit", "-q", "-a", "-m", "two")
	git(t, repo, "pack-refs", "--all")
	assert.NilError(t, os.Mkdir(sub, 0o755))
	git(t, sub, "init", "-q", "-b", "main")
	git(t, sub, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo, "sub")
	git(t, filepath.Join(sub, "sub"), "checkout", "-q", "-b", "inside")
	for _, c := range []struct{ project, branch, diff string }{
		{repo, "main", ""},
		{tree, "feature/x", "a.txt\n"},
		{filepath.Join(sub, "sub"), "inside", ""},
	} {
		heads := func() string { return git(t, c.project, "for-each-ref") + git(t, c.project, "status", "--porcelain") }
		before := heads()
		to, _ := copied(t, c.project, Options{})
		assert.Check(t, is.Equal(git(t, to, "symbolic-ref", "--short", "HEAD"), c.branch+"\n"))
		assert.Check(t, is.Equal(git(t, to, "diff", "--name-only", "main...HEAD"), c.diff))
		assert.Check(t, is.Equal(git(t, to, "status", "--porcelain"), ""), c.project)
		top, err := filepath.EvalSymlinks(to)
		assert.NilError(t, err)
		assert.Check(t, is.Equal(git(t, to, "rev-parse", "--show-toplevel"), filepath.ToSlash(top)+"\n"))
		git(t, to, "commit", "-q", "--allow-empty", "-m", "in the copy")
		assert.Check(t, is.Equal(heads(), before))
	}
	// A commit, with its objects, in what was a submodule.
	to, _ := copied(t, sub, Options{})
	assert.Check(t, is.Equal(git(t, filepath.Join(to, "sub"), "symbolic-ref", "--short", "HEAD"), "inside\n"))
}
