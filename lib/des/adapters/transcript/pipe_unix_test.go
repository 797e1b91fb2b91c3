//go:build unix

package transcript

import (
	"path/filepath"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"
)

func TestAPipeDoesNotHang(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	assert.NilError(t, syscall.Mkfifo(path, 0o644))
	_, found := JSONL{}.FirstWith(path, word)
	assert.Check(t, !found)
}
