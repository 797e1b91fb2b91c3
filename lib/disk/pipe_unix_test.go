//go:build unix

package disk

import (
	"path/filepath"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"
)

func TestReadDoesNotHangOnAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	assert.NilError(t, syscall.Mkfifo(path, 0o644))
	_, err := Read(path)
	assert.ErrorIs(t, err, ErrNotRegular)
}
