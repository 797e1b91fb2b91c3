package disk

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// createUnnamed makes a file in dir that has no name: it is gone with the
// process unless [linkUnnamed] gives it one. It wraps [errors.ErrUnsupported]
// where the file system cannot.
func createUnnamed(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_WRONLY|unix.O_TMPFILE, newMode)
	if errors.Is(err, unix.EISDIR) || errors.Is(err, unix.EINVAL) { // others of that kind wrap it already
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return f, err
}

// linkUnnamed gives an unnamed file its name; there must be nothing of that name.
func linkUnnamed(f *os.File, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	if err != nil { // there is no /proc, or something forbids it: the other way will tell what it is
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return nil
}
