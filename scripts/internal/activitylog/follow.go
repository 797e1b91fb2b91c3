package activitylog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/disk"
)

// A Follower reads what is appended to a log, also across rotations, which
// leave only the newest lines in a new file: those that were read already are
// known by their text and not given again.
//
// The file is not held open between two calls, for a system that does not
// replace files that are in use could not rotate it then.
type Follower struct {
	Path string

	end         int64    // how far the file was read: behind a line
	first, last []byte   // the lines that it begins with, and that were read last
	seen        [][]byte // the newest lines, as many as a rotation leaves
}

// Poll gives what was appended since the last call, at the first call all that
// there is, and how many lines were no entries. A line whose end is still to
// come waits. A log that does not exist is empty.
func (f *Follower) Poll() (entries []Entry, broken int, err error) {
	file, err := disk.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("following the activity log: %w", err)
	}
	defer file.Close()
	rotated := !f.continues(file)
	if rotated {
		f.end, f.first, f.last = 0, nil, nil
	}
	data, err := io.ReadAll(io.NewSectionReader(file, f.end, disk.MaxSize))
	if err != nil {
		return nil, 0, fmt.Errorf("following the activity log: %w", err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	f.end += int64(len(data))
	if len(data) > 0 {
		if f.first == nil {
			f.first = bytes.Clone(data[:bytes.IndexByte(data, '\n')+1])
		}
		f.last = bytes.Clone(data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:])
	}

	fresh := lines(data)
	if rotated {
		fresh = fresh[overlap(f.seen, fresh):]
	}
	f.seen = append(f.seen, fresh...)
	f.seen = f.seen[max(0, len(f.seen)-activity.KeepLines):]
	entries, broken = parseAll(fresh)
	return entries, broken, nil
}

// continues tells whether a file is the one that was read so far: a rotation
// takes lines away from its beginning.
func (f *Follower) continues(file *os.File) bool {
	return holds(file, 0, f.first) && holds(file, f.end-int64(len(f.last)), f.last)
}

func holds(file *os.File, at int64, text []byte) bool {
	have := make([]byte, len(text))
	_, err := file.ReadAt(have, at)
	return (err == nil || errors.Is(err, io.EOF)) && bytes.Equal(have, text)
}

// overlap is how many lines at the beginning of fresh were seen: those that are
// the end of old, or, where a line between them got lost, all up to the newest
// that is in both.
func overlap(old, fresh [][]byte) int {
	for n := min(len(old), len(fresh)); n > 0; n-- {
		if equal(old[len(old)-n:], fresh[:n]) {
			return n
		}
	}
	for _, line := range slices.Backward(old) {
		for i, other := range slices.Backward(fresh) {
			if bytes.Equal(line, other) {
				return i + 1
			}
		}
	}
	return 0
}

func equal(a, b [][]byte) bool {
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}
