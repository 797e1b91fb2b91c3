package disk

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// maxQuiet is how long awaitWriters waits: a file that somebody keeps open for
// writing is not being written all the time.
const maxQuiet = 5 * time.Millisecond

// awaitWriters returns when nobody has the file open for writing, or after a
// short while, and tells whether it had to wait. Only the owner of a file is
// told; others do not wait.
//
// The system grants a read lease on a file that has no writer. It is given back
// at once.
func awaitWriters(f *os.File) (waited bool) {
	for deadline := time.Now().Add(maxQuiet); time.Now().Before(deadline); time.Sleep(50 * time.Microsecond) {
		_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
		if err == nil {
			_, _ = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK) // closing does it, too
		}
		if err != unix.EAGAIN {
			return waited
		}
		waited = true
	}
	return waited
}
