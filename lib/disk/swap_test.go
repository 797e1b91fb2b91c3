package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}

// canExchange skips a test where the system cannot do what it is about.
func canExchange(t *testing.T) {
	t.Helper()
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	write(t, a, "a")
	write(t, b, "b")
	if err := exchange(a, b); err != nil {
		assert.ErrorIs(t, err, errors.ErrUnsupported)
		t.Skip("files cannot be exchanged here")
	}
	assert.Equal(t, content(t, a)+content(t, b), "ba")
}

func TestPlace(t *testing.T) {
	canExchange(t)
	for _, test := range []struct {
		name             string
		there, spare     string // what the files hold
		old, data        string // what the caller believes
		want             string
		changed, removed bool
	}{
		{name: "nobody came", there: "old", spare: "new", old: "old", data: "new", want: "new"},
		{name: "one came before", there: "theirs", spare: "new", old: "old", data: "new", want: "theirs", changed: true},
		{name: "one emptied it to write", there: "", spare: "new", old: "old", data: "new", want: "", changed: true},
		// As if the file that was put to path were overwritten before it is taken back.
		{name: "another came between", there: "theirs", spare: "newest", old: "old", data: "new", want: "newest", changed: true},
		{name: "one removed it", removed: true, spare: "new", old: "old", data: "new", changed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path, spare := filepath.Join(dir, "file"), filepath.Join(dir, "spare")
			if !test.removed {
				write(t, path, test.there)
			}
			write(t, spare, test.spare)
			err := place(spare, path, []byte(test.old), []byte(test.data))
			assert.Equal(t, errors.Is(err, ErrChanged), test.changed, "%v", err)
			if test.removed {
				assert.Equal(t, len(names(t, dir)), 0)
				return
			}
			assert.Equal(t, content(t, path), test.want)
			assert.DeepEqual(t, names(t, dir), []string{"file"})
		})
	}
}

func TestPlaceLeavesALinkThatCameBetween(t *testing.T) {
	canExchange(t)
	dir := t.TempDir()
	path, spare := filepath.Join(dir, "file"), filepath.Join(dir, "spare")
	write(t, filepath.Join(dir, "real"), "old")
	write(t, spare, "new")
	assert.NilError(t, os.Symlink("real", path))
	assert.ErrorIs(t, place(spare, path, []byte("old"), []byte("new")), ErrChanged)
	assert.DeepEqual(t, names(t, dir), []string{"file", "real"})
	link, err := os.Readlink(path)
	assert.NilError(t, err)
	assert.Equal(t, link, "real")
}

// What a writer leaves that is killed, at each stage, and what the next one makes
// of it.
func TestSettle(t *testing.T) {
	const before, after = "before", "and after"
	early, late := time.Now().Add(-time.Hour), time.Now()
	for _, test := range []struct {
		name, there, spare string
		spareTime          time.Time
		want               string
	}{
		{"before the exchange", before, after, late, before},
		{"after the exchange", after, before, early, after},
		{"after the exchange, another has swapped since", "third", before, early, "third"},
		{"with somebody's write in hand", after, "theirs", early, "theirs"},
		{"with somebody's write in hand, an older one brought back", "older", "theirs", late, "theirs"},
		{"with somebody's write in hand, and a later one is there", "later", "theirs", early, "later"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			spare := spareName(path, []byte(before), []byte(after))
			write(t, path, test.there)
			write(t, spare, test.spare)
			assert.NilError(t, os.Chtimes(path, early.Add(time.Minute), early.Add(time.Minute)))
			assert.NilError(t, os.Chtimes(spare, test.spareTime, test.spareTime))
			write(t, filepath.Join(dir, ".file.tmp"), "half writ")
			write(t, filepath.Join(dir, ".filed.1.1-2.1.tmp"), "of somebody else")
			write(t, filepath.Join(dir, ".file.1b9d-6d4f.tmp"), "of somebody else")
			assert.ErrorIs(t, Swap(path, File{Data: []byte("something else")}, []byte("mine")), ErrChanged)
			assert.Equal(t, content(t, path), test.want)
			assert.NilError(t, Swap(path, File{Data: []byte(test.want)}, []byte("mine")))
			assert.Equal(t, content(t, path), "mine")
			assert.DeepEqual(t, names(t, dir), []string{".file.1b9d-6d4f.tmp", ".filed.1.1-2.1.tmp", "file"})
		})
	}
}

func TestSettleLeavesWhatItCannotRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	spare := spareName(path, []byte("a"), []byte("b"))
	write(t, path, "old")
	write(t, spare, "")
	assert.NilError(t, os.Truncate(spare, MaxSize+1))
	assert.NilError(t, Swap(path, File{Data: []byte("old")}, []byte("new")))
	assert.Equal(t, content(t, path), "new")
	assert.DeepEqual(t, names(t, dir), []string{filepath.Base(spare), "file"})
}

func TestSettleFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, "file"), filepath.Join(dir, "victim")
	write(t, path, "old")
	write(t, victim, "untouched")
	assert.NilError(t, os.Symlink(victim, spareName(path, []byte("a"), []byte("b"))))
	assert.NilError(t, Swap(path, File{Data: []byte("old")}, []byte("new")))
	assert.DeepEqual(t, names(t, dir), []string{"file", "victim"})
	assert.Equal(t, content(t, path)+" "+content(t, victim), "new untouched")
}

// Writers under the lock count up while one without it, who renames a file to
// the place or writes into the one that is there, puts a mark of its own into
// the file: from then on the mark must be there until it sets the next one.
func TestAWriterWithoutTheLockIsNotUndone(t *testing.T) {
	canExchange(t)
	for _, inPlace := range []bool{false, true} {
		t.Run(fmt.Sprintf("in place %v", inPlace), func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			text := func(mark, count int) string { return fmt.Sprintf("%d %d %s", mark, count, strings.Repeat("x", 20_000)) }
			read := func() (mark, count int, data []byte) {
				for {
					data, err := Read(path)
					if err == nil && len(data) > 20_000 {
						fields := strings.Fields(string(data))
						mark, _ = strconv.Atoi(fields[0])
						count, _ = strconv.Atoi(fields[1])
						return mark, count, data
					}
				}
			}
			write(t, path, text(0, 0))
			var wait sync.WaitGroup
			var done atomic.Bool
			var swaps, conflicts atomic.Int64
			for range 4 {
				wait.Go(func() {
					for !done.Load() {
						mark, count, old := read()
						lock, err := Lock(path, 10*time.Second)
						if err != nil {
							t.Error(err)
							return
						}
						switch err := Swap(path, File{Data: old}, []byte(text(mark, count+1))); {
						case errors.Is(err, ErrChanged):
							conflicts.Add(1)
						case err != nil:
							t.Error(err)
						default:
							swaps.Add(1)
						}
						_ = lock.Unlock()
					}
				})
			}
			undone := 0
			for mark := 1; mark <= 400; mark++ {
				if inPlace {
					assert.NilError(t, os.WriteFile(path, []byte(text(mark, 0)), 0o644))
				} else {
					other := filepath.Join(dir, "other")
					write(t, other, text(mark, 0))
					assert.NilError(t, os.Rename(other, path))
				}
				time.Sleep(time.Millisecond)
				now, _, _ := read()
				for look := 0; now != mark && look < 100; look++ { // it may fall between the exchanges of one that was stopped there
					time.Sleep(time.Millisecond)
					now, _, _ = read()
				}
				if now != mark {
					undone++
				}
			}
			done.Store(true)
			wait.Wait()
			t.Logf("%d swaps, %d conflicts, %d of 400 writes undone", swaps.Load(), conflicts.Load(), undone)
			assert.Equal(t, undone, 0)
			assert.Assert(t, swaps.Load() > 0 && conflicts.Load() > 0)
			assert.DeepEqual(t, names(t, dir), []string{"file"})
		})
	}
}
