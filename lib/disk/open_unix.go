//go:build unix

package disk

import (
	"os"
	"syscall"
)

// openNonblock opens a file for reading; a pipe without a writer does not make
// it wait.
func openNonblock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
