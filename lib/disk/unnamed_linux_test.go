package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

func TestAFileHasNoNameBeforeItIsWhole(t *testing.T) {
	dir := t.TempDir()
	f, err := createUnnamed(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("files without names cannot be made here")
	}
	assert.NilError(t, err)
	defer f.Close()
	_, err = f.WriteString("whole")
	assert.NilError(t, err)
	assert.Equal(t, len(names(t, dir)), 0)
	name := filepath.Join(dir, "name")
	assert.NilError(t, linkUnnamed(f, name))
	assert.Equal(t, content(t, name), "whole")
	assert.Assert(t, linkUnnamed(f, name) != nil, "nothing is replaced")

	path := filepath.Join(dir, "file")
	write(t, path, "old")
	assert.NilError(t, os.MkdirAll(filepath.Join(dir, ".file.tmp", "x"), 0o755))
	assert.NilError(t, Swap(path, File{Data: []byte("old")}, []byte("new")), "the name of the other way is not needed")
	assert.Equal(t, content(t, path), "new")
}
