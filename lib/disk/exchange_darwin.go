package disk

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange makes two files change places in one step. It wraps
// [errors.ErrUnsupported] where the file system cannot, or a sandbox forbids it.
func exchange(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	if err == unix.EINVAL || err == unix.ENOSYS || err == unix.ENOTSUP || err == unix.EPERM {
		return fmt.Errorf("exchange files: %w", errors.ErrUnsupported)
	}
	return err
}
