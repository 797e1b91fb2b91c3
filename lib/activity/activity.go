// Package activity keeps the log of what the hooks did: one JSON object a line,
// whole lines only, however many processes write at once (spec 00 §5).
package activity

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

const (
	// MaxSize is how large the log grows, in bytes, before it is cut.
	MaxSize = 1 << 20
	// KeepLines is how many of the newest lines stay then.
	KeepLines = 500

	patience = 2 * time.Second // for the lock; then a line is written without it
)

// An Entry is one line of the log. An empty text is written as null.
type Entry struct {
	Time   time.Time
	Hook   string
	Event  string // what happened: block, allow, warn, skip, self-heal, error, …
	Phase  string
	Agent  string
	Reason string
}

// Timestamp writes t as all files of the framework have it: UTC, milliseconds, Z.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (e Entry) line() []byte {
	orNull := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	return append(ordered.NewObject(
		"ts", Timestamp(e.Time),
		"hook", e.Hook,
		"event", e.Event,
		"phase", orNull(e.Phase),
		"agent", orNull(e.Agent),
		"reason", orNull(e.Reason),
	).Compact(), '\n')
}

// Append adds entries to the log at path with a single write, and cuts the log
// to its newest lines when it has grown too large. The folder is made where it
// is missing.
func Append(path string, entries ...Entry) error {
	var lines []byte
	for _, e := range entries {
		lines = append(lines, e.line()...)
	}
	size, err := write(path, lines)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the folder of the activity log: %w", err)
		}
		size, err = write(path, lines)
	}
	if err != nil {
		return fmt.Errorf("append to the activity log: %w", err)
	}
	if size > MaxSize {
		if err := rotate(path); err != nil {
			return fmt.Errorf("cut the activity log: %w", err)
		}
	}
	return nil
}

// write appends lines and tells how long the log is then. A lock keeps it from
// writing into a log that is being replaced; where there is no lock to be had,
// writing comes first.
func write(path string, lines []byte) (size int64, err error) {
	if lock, err := disk.RLock(path, patience); err == nil {
		defer lock.Unlock()
	}
	f, err := openAppend(path)
	if err != nil {
		return 0, err
	}
	if _, err = f.Write(lines); err == nil {
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			size = info.Size()
		}
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return size, err
}

// rotate leaves the newest lines of a log that is too large.
func rotate(path string) error {
	lock, err := disk.Lock(path, patience)
	if errors.Is(err, disk.ErrBusy) {
		return nil // the next one that appends tries again
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	data, err := disk.Read(path)
	if err != nil || len(data) <= MaxSize { // another one has just done it
		return err
	}
	return disk.Replace(path, newest(data, KeepLines), 0o644)
}

// newest gives the last n lines that are not blank.
func newest(data []byte, n int) []byte {
	lines := bytes.Split(data, []byte("\n"))
	kept := 0
	first := len(lines)
	for first > 0 && kept < n {
		first--
		if len(bytes.TrimSpace(lines[first])) > 0 {
			kept++
		}
	}
	var out bytes.Buffer
	for _, line := range lines[first:] {
		if len(bytes.TrimSpace(line)) > 0 {
			out.Write(line)
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
