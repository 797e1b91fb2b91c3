//go:build unix

package disk

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

func lockTarget(path string) *flock.Flock {
	return flock.New(filepath.Dir(path), flock.SetFlag(os.O_RDONLY))
}
