// Package disk reads and replaces the files that hooks share with each other and
// with people: whole files, under a lock where two programs may meet, never
// through anything that is no regular file.
package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const newMode = 0o644 // of files that were not there, less the umask

// MaxSize bounds what [Read] takes into memory, and so what is written: 256 MiB.
const MaxSize = 256 << 20

var (
	// ErrNotRegular is wrapped where a path is a folder, a pipe or a device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge is wrapped where a file is above [MaxSize].
	ErrTooLarge = errors.New("file is too large")
)

// A File is what a file held when it was read. One that is made of Data alone
// will do; it takes a little longer then to tell whether the file has changed.
type File struct {
	Data []byte
	info fs.FileInfo // of before it was read
}

// Read gives the bytes of a regular file of at most [MaxSize]. It does not hang
// on a pipe.
func Read(path string) ([]byte, error) {
	f, err := ReadFile(path)
	return f.Data, err
}

// ReadFile is [Read] for a file that may be given to [Swap].
func ReadFile(path string) (File, error) {
	f, info, err := open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	if info.Size() > MaxSize {
		return File{}, fmt.Errorf("read %s: %w (%d bytes)", path, ErrTooLarge, info.Size())
	}
	data := make([]byte, info.Size()+1) // one more, so that a file of the told size ends the first read
	n := 0
	for {
		m, err := f.Read(data[n:])
		n += m
		if errors.Is(err, io.EOF) {
			return File{data[:n:n], info}, nil
		}
		if err != nil {
			return File{}, fmt.Errorf("read %s: %w", path, err)
		}
		if n == len(data) {
			if n > MaxSize {
				return File{}, fmt.Errorf("read %s: %w (it grows)", path, ErrTooLarge)
			}
			data = append(data, make([]byte, n)...)
		}
	}
}

// Same tells whether the file at path holds exactly data.
func Same(path string, data []byte) (bool, error) {
	f, info, err := open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return same(f, info, data)
}

const chunkSize = 16 << 10 // of what is compared at a time: larger ones cost more memory than they save calls

// same compares a file from where it stands.
func same(f *os.File, info fs.FileInfo, data []byte) (bool, error) {
	if info.Size() != int64(len(data)) {
		return false, nil
	}
	chunk := make([]byte, min(len(data)+1, chunkSize))
	for {
		n, err := f.Read(chunk)
		if n > len(data) || !bytes.Equal(chunk[:n], data[:n]) {
			return false, nil
		}
		data = data[n:]
		if errors.Is(err, io.EOF) {
			return len(data) == 0, nil
		}
		if err != nil {
			return false, fmt.Errorf("compare %s: %w", f.Name(), err)
		}
	}
}

func open(path string) (*os.File, fs.FileInfo, error) {
	f, err := openNonblock(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", path, ErrNotRegular)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Open opens a regular file for reading, for those who do not want it as a
// whole. It does not hang on a pipe.
func Open(path string) (*os.File, error) {
	f, _, err := open(path)
	return f, err
}

// Exists tells whether there is anything at path: a file, a folder, whatever.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Replace puts data in the place of the file at path in one step: whoever reads
// it, or finds it after a crash, sees the old bytes or the new ones. The mode of
// a file that is there stays; a new one gets mode less the umask. A symbolic
// link at path is replaced itself: resolve it first where it is to stay.
//
// The new bytes are flushed to the disk first, in a file beside it that has
// always the same name; so a writer that was killed leaves at most that one, and
// the next takes it away. Hold [Lock] on path meanwhile.
func Replace(path string, data []byte, mode fs.FileMode) error {
	temp, err := prepare(path, data, mode)
	if err == nil {
		err = moveIn(temp, path)
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

// prepare writes data to the file beside path that is to take its place.
func prepare(path string, data []byte, mode fs.FileMode) (temp string, err error) {
	temp = filepath.Join(filepath.Dir(path), tempName(path))
	f, err := create(temp, mode)
	if err != nil {
		return "", err
	}
	err = fill(f, path, data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(temp) // the error that counts is told
		return "", err
	}
	return temp, nil
}

// fill writes data to a new file, with the mode of the file at path if there is
// one, and flushes it.
func fill(f *os.File, path string, data []byte) error {
	if len(data) > MaxSize {
		return fmt.Errorf("%w (%d bytes)", ErrTooLarge, len(data)) // nobody could read it
	}
	old, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil && old.Mode().IsRegular():
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

const tempSuffix = ".tmp"

func tempName(path string) string { return "." + filepath.Base(path) + tempSuffix }

// moveIn renames temp to path, or takes it away.
func moveIn(temp, path string) error {
	err := os.Rename(temp, path)
	if err != nil {
		_ = os.Remove(temp) // the error that counts is told
	}
	return err
}

// create makes a new file, in place of one that a dead writer left, and never
// through a link.
func create(path string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}
