//go:build unix

package audit

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestMode(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit-2026-02-07.log")
	defer syscall.Umask(syscall.Umask(0o077))
	for _, before := range []fs.FileMode{0, 0o666, 0o600, 0o640, 0o644, 0o660} {
		if before != 0 {
			assert.NilError(t, os.Chmod(path, before))
		}
		appendTo(t, dir, 1)
		info, err := os.Stat(path)
		assert.NilError(t, err)
		assert.Check(t, is.Equal(info.Mode().Perm(), Mode), "from %v", before)
	}
	r, err := Verify(path)
	assert.NilError(t, err)
	assert.Check(t, is.Len(r.Problems, 0))
	assert.NilError(t, os.Chmod(path, 0o644))
	r, err = Verify(path)
	assert.NilError(t, err)
	assert.DeepEqual(t, r.Problems, []string{"its mode is 0644, not 0640"})
}

// What is no file in the place of the log makes an error: the program neither
// writes where a link leads nor waits at a pipe.
func TestNotAFile(t *testing.T) {
	for what, lay := range map[string]func(string) error{
		"a link":   func(path string) error { return os.Symlink(filepath.Join(filepath.Dir(path), "other"), path) },
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o640) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o755) },
	} {
		dir := t.TempDir()
		assert.NilError(t, lay(filepath.Join(dir, "audit-2026-02-07.log")))
		err := NewWriter(Place{Dir: dir}).Append(event(nil))
		assert.Check(t, err != nil, what)
		_, err = os.Stat(filepath.Join(dir, "other"))
		assert.Check(t, os.IsNotExist(err), what)
	}
}
