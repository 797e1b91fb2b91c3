//go:build unix

package audit

import (
	"os"
	"syscall"
)

// openAppend opens or makes a file of the log. It follows no link, for who could
// put one there would choose what is written to; and a pipe does not hang it.
func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, Mode)
}
