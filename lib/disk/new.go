package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// New is [Replace] where there is nothing at path yet; else nothing is done and
// the error wraps [ErrChanged].
func New(path string, data []byte) error {
	return replace(path, data, 0o644, func() error {
		switch _, err := os.Lstat(path); {
		case err == nil:
			return fmt.Errorf("%w: somebody else has made it", ErrChanged)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return nil
	})
}
