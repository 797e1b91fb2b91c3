package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/disk"
)

// Mode is the mode of the files of the log.
const Mode fs.FileMode = 0o640

const patience = time.Second // for the lock; a record is worth more than a tidy line

// Writer implements app.AuditLogWriter. Any number of processes may write to one
// log.
type Writer struct {
	place Place
	dir   string // once it is resolved
}

// NewWriter makes a writer to the log at place. Nothing is touched before the
// first event.
func NewWriter(place Place) *Writer { return &Writer{place: place} }

// Append writes the record of an event to the file of its day.
func (w *Writer) Append(e app.AuditEvent) error {
	record, err := line(e)
	if err != nil {
		return err
	}
	path, err := w.file(e.Time)
	if err != nil {
		return err
	}
	if err := appendLine(path, record); err != nil {
		return fmt.Errorf("append to the audit log: %w", err)
	}
	return nil
}

// Hashes are those of the entries in the file of a day, by whichever process
// they were written. There are none where there is no file.
func (w *Writer) Hashes(t time.Time) (Hashes, error) {
	path, err := w.file(t)
	if err != nil {
		return nil, err
	}
	hashes, err := ReadHashes(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return hashes, err
}

func (w *Writer) file(t time.Time) (string, error) {
	if w.dir == "" {
		dir, err := w.place.Resolve()
		if err != nil {
			return "", err
		}
		w.dir = dir
	}
	return filepath.Join(w.dir, fileName(day(t))), nil
}

const prefix, suffix = "audit-", ".log"

func fileName(day string) string { return prefix + day + suffix }

// dayOf is what stands in the name of a file for its day, "" in another name.
func dayOf(name string) string {
	day, ok := strings.CutPrefix(name, prefix)
	day, is := strings.CutSuffix(day, suffix)
	if !ok || !is {
		return ""
	}
	return day
}

// appendLine adds a whole line with one write, so that lines of others can come
// before it and behind it but not into it. The lock is for the look at the end of
// the file alone: a line that is just being written must not be taken for a torn
// one.
func appendLine(path string, line []byte) error {
	lock, lockErr := disk.Lock(path, patience)
	if lockErr == nil {
		defer lock.Unlock()
	}
	f, err := openAppend(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, disk.ErrNotRegular)
	}
	if info.Mode().Perm()&0o022 != 0 {
		_ = f.Chmod(Mode) // that the file of another user stays open to others must not keep the record out
	}
	if lockErr == nil && torn(f, info.Size()) {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(line); err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().Perm() != Mode {
		_ = f.Chmod(Mode) // as above
	}
	return nil
}

// torn tells whether the last line lacks its end, because a disk was full: the
// next record must not be glued to it.
func torn(f *os.File, size int64) bool {
	last := []byte{'\n'}
	if size > 0 {
		_, _ = f.ReadAt(last, size-1) // what cannot be read cannot be mended
	}
	return last[0] != '\n'
}
