package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// ErrChanged is wrapped by [Swap] when the file does not hold the old bytes.
var ErrChanged = errors.New("changed meanwhile")

// Swap is [Replace] of a file that still is old; else the error wraps
// [ErrChanged] and the file is as the others left it. Hold [Lock] on path
// meanwhile.
//
// Not everybody asks for the lock. Where the system can exchange two files in
// one step (Linux, macOS), the new file changes places with the one at path, and
// only then it is judged what that one held: had somebody written it, by a
// rename or through a descriptor that is still open, it changes places again.
// For those microseconds a reader may see the new bytes though the swap fails in
// the end. Whoever writes into the file without truncating it first can go
// unnoticed. Elsewhere the file is compared right before it is replaced, and a
// write between these two steps is lost.
//
// A process that dies between the two exchanges leaves the other's file beside
// path, under a name that tells what it is; the next Swap brings it back.
func Swap(path string, old File, data []byte) error {
	if err := swap(path, old, data); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

func swap(path string, old File, data []byte) error {
	if err := settle(path); err != nil {
		return err
	}
	if err := holds(path, old); err != nil { // before the work of flushing
		return err
	}
	spare := spareName(path, old.Data, data)
	if err := stage(spare, path, data); err != nil {
		return err
	}
	return place(spare, path, old.Data, data)
}

// holds is nil when the file at path still is the old one.
func holds(path string, old File) error {
	if old.info != nil {
		info, err := os.Lstat(path)
		if err == nil && os.SameFile(info, old.info) && info.ModTime().Equal(old.info.ModTime()) && info.Size() == int64(len(old.Data)) {
			return nil // as far as it can be seen from outside: [place] looks into it
		}
	}
	same, err := Same(path, old.Data)
	if err == nil && !same || errors.Is(err, fs.ErrNotExist) {
		return ErrChanged
	}
	return err
}

// stage writes data to a file called spare, which is to take the place of that at
// path. It gets its name when it is whole and flushed.
func stage(spare, path string, data []byte) error {
	f, err := createUnnamed(filepath.Dir(path))
	if err == nil {
		if err = fill(f, path, data); err == nil {
			err = linkUnnamed(f, spare)
		}
		if closing := f.Close(); err == nil {
			err = closing
		}
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	temp, err := prepare(path, data, newMode)
	if err != nil {
		return err
	}
	return moveIn(temp, spare)
}

const maxExchanges = 100

// place puts the file spare, which holds data, in the place of the file at path,
// if that one holds old, and takes the old one away. If it does not, the newest
// that somebody else wrote is at path in the end, and the error wraps ErrChanged.
func place(spare, path string, old, data []byte) error {
	var lost error
	for range maxExchanges {
		switch err := exchange(spare, path); {
		case errors.Is(err, fs.ErrNotExist): // somebody has removed it, which also is a change
			_ = os.Remove(spare)
			return ErrChanged
		case err != nil && lost != nil: // the next Swap sees to it
			return err
		case errors.Is(err, errors.ErrUnsupported):
			if err = holds(path, File{Data: old}); err == nil {
				return moveIn(spare, path)
			}
			fallthrough
		case err != nil:
			_ = os.Remove(spare) // the error that counts is told
			return err
		}
		if is(spare, old) {
			_ = os.Remove(spare) // else the next Swap does it
			return lost
		}
		// What came out is newer than what was put there: it goes back. What then
		// comes out must be what was put there, or it is newer still.
		lost = ErrChanged
		out, _ := Read(spare) // if it cannot be read it goes back all the same
		old, data = data, out
	}
	return lost
}

// is tells whether path itself is a regular file that holds data, also when those
// have ended who are just writing into it.
func is(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, info, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	awaitWriters(f)
	whole, err := same(f, info, data)
	if err == nil && whole && awaitWriters(f) { // one came while it was compared
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			whole, err = same(f, info, data)
		}
	}
	return err == nil && whole
}

// spareName is what the file is called that changes places with the one at path.
// It tells both contents, so that whoever finds it knows how far its writer got.
func spareName(path string, old, data []byte) string {
	return filepath.Join(filepath.Dir(path), sparePrefix(path)+mark(old)+"-"+mark(data)+tempSuffix)
}

func sparePrefix(path string) string { return "." + filepath.Base(path) + "." }

// mark stands for the content of a file in the name of another.
func mark(data []byte) string {
	return strconv.FormatUint(xxhash.Sum64(data), 16) + "." + strconv.FormatInt(int64(len(data)), 16)
}

// isMark tells whether s is one, for others name their files beside path, too.
func isMark(s string) bool {
	sum, size, _ := strings.Cut(s, ".")
	_, noSum := strconv.ParseUint(sum, 16, 64)
	_, noSize := strconv.ParseUint(size, 16, 64)
	return noSum == nil && noSize == nil
}

// settle ends what writers began that were killed. What holds their new bytes
// never came to path, and what holds the old ones was replaced as they wanted:
// both go. Anything else was written by somebody without the lock, and its place
// is at path, unless what is there was written later still.
func settle(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	names, err := dir.Readdirnames(-1)
	dir.Close()
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == tempName(path) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), name)) // what prepare was writing; if it cannot be removed it is none
			continue
		}
		marks, ours := strings.CutPrefix(name, sparePrefix(path))
		marks, ending := strings.CutSuffix(marks, tempSuffix)
		before, after, _ := strings.Cut(marks, "-")
		if !ours || !ending || !isMark(before) || !isMark(after) {
			continue
		}
		spare := filepath.Join(filepath.Dir(path), name)
		info, err := os.Lstat(spare)
		if err != nil || !info.Mode().IsRegular() {
			_ = os.Remove(spare) // nothing of ours
			continue
		}
		data, err := Read(spare)
		if err != nil {
			continue // for one who can read it
		}
		if m := mark(data); m == before || m == after || !displaced(path, info, after) {
			_ = os.Remove(spare)
			continue
		}
		now, err := Read(path)
		if err != nil {
			return err
		}
		if err := place(spare, path, now, data); err != nil {
			return err
		}
	}
	return nil
}

// displaced tells whether the file spare was taken from path by the one who put
// the content there that the mark after stands for, and nothing newer has come
// since.
func displaced(path string, spare fs.FileInfo, after string) bool {
	f, info, err := open(path)
	if err != nil {
		return false
	}
	f.Close()
	if spare.ModTime().After(info.ModTime()) {
		return true
	}
	now, err := Read(path)
	return err == nil && mark(now) == after
}
