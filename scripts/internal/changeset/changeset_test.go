package changeset

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/fs"
)

func project(t *testing.T, ops ...fs.PathOp) (*fs.Dir, *os.Root) {
	t.Helper()
	dir := fs.NewDir(t, "changeset", ops...)
	root, err := os.OpenRoot(dir.Path())
	assert.NilError(t, err)
	t.Cleanup(func() { root.Close() })
	return dir, root
}

func before() []fs.PathOp {
	return []fs.PathOp{
		fs.WithFile("changed", "old", fs.WithMode(0o640)),
		fs.WithFile("removed", "gone soon", fs.WithMode(0o600)),
		fs.WithFile("other", "stays"),
		fs.WithDir("empty"),
		fs.WithDir("full", fs.WithFile("x", "x")),
	}
}

func sample() *Set {
	s := &Set{}
	s.Folder("new")
	s.Folder("new/deep")
	s.Write("new/deep/file", []byte("text"), 0o644, false)
	s.Write("changed", []byte("new"), 0o640, true)
	s.Copy("program", "", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("#!")), nil }, 0o755)
	s.Remove("removed")
	s.RemoveFolder("empty")
	s.RemoveFolder("full")
	return s
}

func TestApply(t *testing.T) {
	dir, root := project(t, before()...)
	assert.NilError(t, sample().Apply(root, nil))
	assert.Assert(t, fs.Equal(dir.Path(), fs.Expected(t,
		fs.WithDir("new", fs.MatchAnyFileMode, fs.WithDir("deep", fs.MatchAnyFileMode, fs.WithFile("file", "text", fs.MatchAnyFileMode))),
		fs.WithFile("changed", "new", fs.WithMode(0o640)),
		fs.WithFile("program", "#!", fs.WithMode(0o755)),
		fs.WithFile("other", "stays"),
		fs.WithDir("full", fs.WithFile("x", "x")),
	)))
}

// Whatever step fails, nothing has changed.
func TestApplyFails(t *testing.T) {
	broken := errors.New("disk full")
	for n := 0; ; n++ {
		dir, root := project(t, before()...)
		s := sample()
		steps := 0
		s.Before = func(step, path string) error {
			if steps++; steps > n {
				return broken
			}
			return nil
		}
		proved := errors.New("no good")
		err := s.Apply(root, func() error { return proved })
		assert.Assert(t, fs.Equal(dir.Path(), fs.Expected(t, before()...)), "after %d steps", n)
		if errors.Is(err, proved) {
			assert.Assert(t, n == 9, "%d steps", n)
			return
		}
		assert.ErrorIs(t, err, broken)
	}
}

func TestApplyStaysInside(t *testing.T) {
	outside := fs.NewDir(t, "outside", fs.WithFile("kept", "kept"))
	_, root := project(t, fs.WithSymlink("link", outside.Path()))
	s := &Set{}
	s.Write("link/kept", []byte("bad"), 0o644, true)
	assert.ErrorContains(t, s.Apply(root, nil), "link/kept")
	assert.Assert(t, fs.Equal(outside.Path(), fs.Expected(t, fs.WithFile("kept", "kept"))))
}

func TestApplySweeps(t *testing.T) {
	dir, root := project(t, fs.WithFile(temporary+"deadbeef-1", "left behind"))
	s := &Set{}
	s.Write("file", nil, 0o644, true)
	assert.NilError(t, s.Apply(root, nil))
	assert.Assert(t, fs.Equal(dir.Path(), fs.Expected(t, fs.WithFile("file", "", fs.WithMode(0o644)))))
}
