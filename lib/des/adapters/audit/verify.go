package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

// Hashes are those of the entries of one file, in their order: SHA-256 of the
// text of each line without its line break, in hexadecimal. A blank line is no
// entry.
type Hashes []string

// Digest is one hash for the entries from first up to, not including, end:
// SHA-256 of their joined hashes. Whoever notes it together with the number of
// entries can tell later whether those entries are still the same.
func (h Hashes) Digest(first, end int) (string, error) {
	if first < 0 || end > len(h) || first > end {
		return "", fmt.Errorf("no entries %d to %d: there are %d", first, end, len(h))
	}
	return hash([]byte(strings.Join(h[first:end], ""))), nil
}

// Mark is the number of entries and the digest of them all, as COUNT:DIGEST.
func (h Hashes) Mark() string {
	digest, _ := h.Digest(0, len(h)) // all of them are always there
	return strconv.Itoa(len(h)) + ":" + digest
}

// Check compares the entries with a mark of earlier: those that were there then
// must be the same and come first. The error tells that they do not, or that it
// is no mark.
func (h Hashes) Check(mark string) error {
	count, digest, _ := strings.Cut(mark, ":")
	n, err := strconv.Atoi(count)
	if sum, bad := hex.DecodeString(digest); err != nil || n < 0 || bad != nil || len(sum) != sha256.Size {
		return fmt.Errorf("%q is no mark, which is COUNT:DIGEST", mark)
	}
	if n > len(h) {
		return fmt.Errorf("there were %d entries, and are %d", n, len(h))
	}
	if now, _ := h.Digest(0, n); !strings.EqualFold(now, digest) {
		return fmt.Errorf("the first %d entries are not what they were: their digest is %s", n, now)
	}
	return nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ReadHashes reads those of the file at path.
func ReadHashes(path string) (Hashes, error) {
	data, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	var hashes Hashes
	for text := range bytes.Lines(data) {
		if text = trimBreak(text); len(text) > 0 {
			hashes = append(hashes, hash(text))
		}
	}
	return hashes, nil
}

func trimBreak(text []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}

// A Report is what there is to say about one file of the log.
type Report struct {
	Path     string
	Hashes   Hashes
	Problems []string // empty for a file as the programs write it
}

// Files lists the files of the log in dir, the oldest first. There are none in a
// folder that does not exist.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	var paths []string
	for _, e := range entries {
		if _, err := time.Parse(time.DateOnly, dayOf(e.Name())); err == nil {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// Verify checks a file of the log: its mode, that each line is a record, and
// that the records are of the day of the file. The error is for a file that
// cannot be read.
func Verify(path string) (Report, error) {
	r := Report{Path: path}
	data, err := disk.Read(path)
	if err != nil {
		return r, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return r, err
	}
	if mode := info.Mode(); mode&fs.ModeSymlink != 0 {
		r.Problems = append(r.Problems, "it is a symbolic link")
	} else if modesCount && mode.Perm() != Mode {
		r.Problems = append(r.Problems, fmt.Sprintf("its mode is %#o, not %#o", mode.Perm(), Mode))
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		r.Problems = append(r.Problems, "the last line has no end")
	}
	date := dayOf(filepath.Base(path))
	number := 0
	for text := range bytes.Lines(data) {
		number++
		if text = trimBreak(text); len(text) == 0 {
			continue
		}
		r.Hashes = append(r.Hashes, hash(text))
		if problem := checkRecord(text, date); problem != "" {
			r.Problems = append(r.Problems, fmt.Sprintf("line %d: %s", number, problem))
		}
	}
	return r, nil
}

// checkRecord tells what is wrong with a line, "" for a record of that day.
func checkRecord(text []byte, date string) string {
	v, err := ordered.Parse(text)
	switch {
	case err != nil:
		return err.Error()
	case !v.IsObject():
		return "no JSON object"
	}
	var keys []string
	for _, m := range v.Members() {
		keys = append(keys, m.Name)
	}
	if !slices.Equal(keys, recordKeys[:]) {
		return "its keys are " + strings.Join(keys, ", ")
	}
	if !bytes.Equal(text, appendSorted(nil, v)) {
		return "it is not written as the programs write it"
	}
	stamp := v.Get("timestamp").Text()
	t, err := time.Parse("2006-01-02T15:04:05.000Z", stamp)
	switch {
	case err != nil:
		return "its timestamp is " + stamp
	case day(t) != date:
		return "it is of another day, " + stamp
	}
	return ""
}
