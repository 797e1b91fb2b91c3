package disk

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

const holder = "ISDLC_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holder); path != "" { // hold the lock until the input ends
		if _, err := Lock(path, time.Second); err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			return
		}
		os.Stdout.WriteString("held\n")
		_, _ = os.Stdin.Read(make([]byte, 1))
		return
	}
	os.Exit(m.Run())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o640))
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"", "x", strings.Repeat("long ", 100_000)} {
		write(t, path, text)
		data, err := Read(path)
		assert.NilError(t, err)
		assert.Equal(t, string(data), text)
	}
	_, err := Read(filepath.Join(dir, "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Read(dir)
	assert.ErrorIs(t, err, ErrNotRegular)
	large := filepath.Join(dir, "large")
	write(t, large, "")
	assert.NilError(t, os.Truncate(large, MaxSize+1))
	_, err = Read(large)
	assert.ErrorIs(t, err, ErrTooLarge)
}

func TestSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	long := strings.Repeat("0123456789", 20_000)
	write(t, path, long)
	for text, want := range map[string]bool{long: true, long[1:]: false, long + "x": false, "": false, strings.Repeat("0123456780", 20_000): false} {
		same, err := Same(path, []byte(text))
		assert.NilError(t, err)
		assert.Equal(t, same, want)
	}
	write(t, path, "")
	same, err := Same(path, nil)
	assert.Assert(t, same && err == nil)
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write(t, filepath.Join(dir, ".file.tmp"), "left by a writer that died")
	assert.NilError(t, Replace(path, []byte("one"), 0o604))
	info, err := os.Stat(path)
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), os.FileMode(0o604))
	assert.NilError(t, os.Chmod(path, 0o600))
	assert.NilError(t, Replace(path, []byte("two"), 0o644))
	info, err = os.Stat(path)
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), os.FileMode(0o600), "the mode stays")
	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 1)
}

func TestNothingIsWrittenThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	large := make([]byte, MaxSize+1)
	assert.ErrorIs(t, New(path, large), ErrTooLarge)
	write(t, path, "old")
	assert.ErrorIs(t, Replace(path, large, 0o644), ErrTooLarge)
	assert.ErrorIs(t, Swap(path, File{Data: []byte("old")}, large), ErrTooLarge)
	assert.Equal(t, content(t, path), "old")
	assert.DeepEqual(t, names(t, dir), []string{"file"})
}

func TestReplaceWithSomethingInItsWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "old")
	assert.NilError(t, os.MkdirAll(filepath.Join(filepath.Dir(path), ".file.tmp", "x"), 0o755))
	assert.Assert(t, Replace(path, []byte("new"), 0o644) != nil)
	assert.Equal(t, content(t, path), "old")
}

func TestReplaceNeverWritesThroughALink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	write(t, victim, "untouched")
	assert.NilError(t, os.Symlink(victim, filepath.Join(dir, ".file.tmp")))
	assert.NilError(t, Replace(filepath.Join(dir, "file"), []byte("new"), 0o644))
	data, err := Read(victim)
	assert.NilError(t, err)
	assert.Equal(t, string(data), "untouched")
}

func TestSwap(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	assert.ErrorIs(t, Swap(path, File{Data: []byte("old")}, []byte("new")), ErrChanged, "there is no file")
	write(t, path, "other")
	assert.ErrorIs(t, Swap(path, File{Data: []byte("old")}, []byte("new")), ErrChanged)
	write(t, path, "old")
	assert.NilError(t, os.Chmod(path, 0o600))
	stale, err := ReadFile(path)
	assert.NilError(t, err)
	assert.NilError(t, os.WriteFile(path, []byte("old"), 0o644))
	assert.NilError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)))
	assert.NilError(t, Swap(path, stale, []byte("new")), "what counts are the bytes")
	assert.ErrorIs(t, Swap(path, stale, []byte("newer")), ErrChanged)
	info, err := os.Stat(path)
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), os.FileMode(0o600), "the mode stays")
	data, err := Read(path)
	assert.NilError(t, err)
	assert.Equal(t, string(data), "new")
	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 1)
}

// hold starts a process that has the lock of path.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holder+"="+path)
	in, err := cmd.StdinPipe()
	assert.NilError(t, err)
	out, err := cmd.StdoutPipe()
	assert.NilError(t, err)
	assert.NilError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	assert.NilError(t, err)
	assert.Equal(t, line, "held\n")
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	return func() { _ = cmd.Process.Kill() } // the clean-up waits for its end
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	release := hold(t, path)

	_, err := Lock(path, 20*time.Millisecond)
	assert.ErrorIs(t, err, ErrBusy)
	_, err = RLock(path, 20*time.Millisecond)
	assert.ErrorIs(t, err, ErrBusy)

	time.AfterFunc(30*time.Millisecond, release)
	lock, err := Lock(path, 10*time.Second)
	assert.NilError(t, err, "the system releases the lock of a process that dies")
	assert.NilError(t, lock.Unlock())

	entries, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(entries), 0, "nothing is left behind")
	_, err = Lock(filepath.Join(dir, "no", "folder"), time.Second)
	assert.Assert(t, err != nil && !errors.Is(err, ErrBusy))
}

func TestReadersShareALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	one, err := RLock(path, time.Second)
	assert.NilError(t, err)
	two, err := RLock(path, time.Second)
	assert.NilError(t, err)
	_, err = Lock(path, 10*time.Millisecond)
	assert.ErrorIs(t, err, ErrBusy)
	assert.NilError(t, one.Unlock())
	assert.NilError(t, two.Unlock())
}
