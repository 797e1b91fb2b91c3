package disk

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

func TestNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	assert.NilError(t, New(path, []byte("first")))
	assert.ErrorIs(t, New(path, []byte("second")), ErrChanged)
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	assert.Equal(t, string(data), "first")
	entries, err := os.ReadDir(filepath.Dir(path))
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 1, "nothing else is left behind")
}
