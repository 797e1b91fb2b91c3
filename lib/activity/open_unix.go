//go:build unix

package activity

import (
	"os"
	"syscall"
)

// openAppend opens the log for appending; a pipe in its place does not make it
// wait.
func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
}
