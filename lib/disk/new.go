package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// New is [Replace] where there is nothing at path yet; else nothing is done and
// the error wraps [ErrChanged]. A file system without hard links leaves a moment
// in which a file that somebody else makes is replaced.
func New(path string, data []byte) error {
	temp, err := prepare(path, data, newMode)
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	defer os.Remove(temp)
	err = os.Link(temp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if _, err = os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(temp, path)
		} else if err == nil {
			err = fs.ErrExist
		}
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w: somebody else has made it", ErrChanged)
	}
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	return nil
}
