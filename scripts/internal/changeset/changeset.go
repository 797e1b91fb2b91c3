// Package changeset changes many files of a folder as one: either all changes
// are made, or the folder is as it was.
//
// Everything goes through an [os.Root], so nothing outside the folder can be
// written, whatever links lie in it. What is guaranteed is against errors, not
// against a crash: a process that is killed half-way leaves every single file
// either old or new, and perhaps temporary files, which the next Apply on the
// same folders, or one that is to [Set.Sweep] them, removes.
package changeset

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// temporary begins the names of files that exist only during Apply.
const temporary = ".isdlc-hooks-tmp-"

// A Set is a list of changes, made in the order in which they were asked for.
// Paths are relative to the root, with slashes.
type Set struct {
	folders []string // to be made
	changes []change
	empty   []string // to be removed where they are empty
	swept   []string // to be rid of temporary files

	// Before, if set, is asked before each step; an error of it is an error of
	// the step. It is there for tests of what a failure leaves behind.
	Before func(step, path string) error
}

type change struct {
	path   string
	share  string                        // see Copy
	open   func() (io.ReadCloser, error) // nil: the file is removed
	mode   fs.FileMode
	exact  bool // mode regardless of the umask
	flush  bool
	staged string
}

// Folder makes a folder that is missing; its parent must be there or be asked
// for before.
func (s *Set) Folder(path string) { s.folders = append(s.folders, path) }

// Write puts data into a file that has the given mode afterwards: less the
// umask for a new file, as it is for one that exists.
func (s *Set) Write(path string, data []byte, mode fs.FileMode, exists bool) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	s.changes = append(s.changes, change{path: path, open: open, mode: mode, exact: exists, flush: true})
}

// WriteFirst is Write in front of all changes asked for so far.
func (s *Set) WriteFirst(path string, data []byte, mode fs.FileMode, exists bool) {
	s.Write(path, data, mode, exists)
	last := len(s.changes) - 1
	s.changes = slices.Insert(s.changes[:last], 0, s.changes[last])
}

// Copy puts what open gives into a file with exactly the given mode. Files of one
// share, which is not empty, hold the same: they become names of one file where
// the file system knows that.
func (s *Set) Copy(path, share string, open func() (io.ReadCloser, error), mode fs.FileMode) {
	s.changes = append(s.changes, change{path: path, share: share, open: open, mode: mode, exact: true})
}

// Remove removes a file that exists.
func (s *Set) Remove(path string) { s.changes = append(s.changes, change{path: path}) }

// RemoveFolder removes a folder, after all else, where it is empty then.
func (s *Set) RemoveFolder(path string) { s.empty = append(s.empty, path) }

// Sweep takes temporary files that a killed Apply left out of a folder, first of
// all; that is done anyway where a file is changed.
func (s *Set) Sweep(path string) { s.swept = append(s.swept, path) }

// Empty tells whether there is nothing to do.
func (s *Set) Empty() bool { return len(s.changes)+len(s.folders)+len(s.empty) == 0 }

// Apply makes the changes and asks prove whether they are good; prove may be
// nil. After an error, prove's included, everything is as it was; what could
// not be put back is named in the error.
func (s *Set) Apply(root *os.Root, prove func() error) error {
	t := &transaction{Set: s, root: root, id: identifier()}
	t.sweep()
	err := t.run()
	if err == nil && prove != nil {
		err = prove()
	}
	if err != nil {
		return errors.Join(err, t.undoAll())
	}
	t.finish()
	return nil
}

func identifier() string {
	id := make([]byte, 4)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// transaction is a Set being applied.
type transaction struct {
	*Set
	root   *os.Root
	id     string
	count  int
	undo   []func() error
	shared map[string]string // staged file of each share
	waste  []string          // temporary files to be removed in the end
}

func (t *transaction) before(step, path string) error {
	if t.Before == nil {
		return nil
	}
	return t.Before(step, path)
}

func (t *transaction) run() error {
	for _, folder := range t.folders {
		if err := t.makeFolder(folder); err != nil {
			return fmt.Errorf("making the folder %s: %w", folder, reason(err))
		}
	}
	for i := range t.changes {
		if c := &t.changes[i]; c.open != nil {
			if err := t.stage(c); err != nil {
				return fmt.Errorf("writing %s: %w", c.path, reason(err))
			}
		}
	}
	for _, c := range t.changes {
		if err := t.swap(c); err != nil {
			return fmt.Errorf("replacing %s: %w", c.path, reason(err))
		}
	}
	return nil
}

// reason drops what an error of the file system says about paths: the caller
// names the path that the user knows.
func reason(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	return err
}

func (t *transaction) makeFolder(folder string) error {
	if err := t.before("folder", folder); err != nil {
		return err
	}
	if err := t.root.Mkdir(folder, 0o777); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error { return t.root.Remove(folder) })
	return nil
}

// beside is a new temporary name in the folder of a file.
func (t *transaction) beside(file string) string {
	t.count++
	return path.Join(path.Dir(file), fmt.Sprintf("%s%s-%d", temporary, t.id, t.count))
}

// stage writes the new content beside the file, where a rename is atomic.
func (t *transaction) stage(c *change) error {
	if err := t.before("stage", c.path); err != nil {
		return err
	}
	c.staged = t.beside(c.path)
	if linked, err := t.link(c); linked || err != nil {
		return err
	}
	source, err := c.open()
	if err != nil {
		return err
	}
	defer source.Close()
	file, err := t.root.OpenFile(c.staged, os.O_WRONLY|os.O_CREATE|os.O_EXCL, c.mode)
	if err != nil {
		return err
	}
	staged := c.staged
	t.undo = append(t.undo, func() error { return gone(t.root.Remove(staged)) })
	_, err = io.Copy(file, source)
	if err == nil && c.flush {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if c.exact {
		return t.root.Chmod(c.staged, c.mode)
	}
	return nil
}

// link stages a file as another name of one of its share that is staged already.
func (t *transaction) link(c *change) (done bool, err error) {
	if c.share == "" {
		return false, nil
	}
	first, ok := t.shared[c.share]
	if !ok {
		if t.shared == nil {
			t.shared = map[string]string{}
		}
		t.shared[c.share] = c.staged
		return false, nil
	}
	if t.root.Link(first, c.staged) != nil {
		return false, nil // a copy does as well
	}
	staged := c.staged
	t.undo = append(t.undo, func() error { return gone(t.root.Remove(staged)) })
	return true, nil
}

// swap puts the staged file, or nothing, in place of the old one, which is kept
// until all is done.
func (t *transaction) swap(c change) error {
	if err := t.before("swap", c.path); err != nil {
		return err
	}
	_, err := t.root.Lstat(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if c.open == nil {
			return nil
		}
		if err := t.root.Rename(c.staged, c.path); err != nil {
			return err
		}
		t.undo = append(t.undo, func() error { return t.root.Remove(c.path) })
		return nil
	case err != nil:
		return err
	}
	old := t.beside(c.path)
	// With a second name for the old file there is no instant without one.
	if c.open == nil || !canReplaceInUse || t.root.Link(c.path, old) != nil {
		if err := t.root.Rename(c.path, old); err != nil {
			return err
		}
	}
	t.waste = append(t.waste, old)
	t.undo = append(t.undo, func() error { return t.restore(old, c.path) })
	if c.open == nil {
		return nil
	}
	return t.root.Rename(c.staged, c.path)
}

// restore puts an old file back. Renaming one name of a file over another name
// of the same file does nothing, so the first is removed then.
func (t *transaction) restore(old, path string) error {
	if !canReplaceInUse {
		_ = t.root.Remove(path) // what matters is the rename
	}
	if err := t.root.Rename(old, path); err != nil {
		return err
	}
	return gone(t.root.Remove(old))
}

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (t *transaction) undoAll() error {
	var failed []error
	for _, undo := range slices.Backward(t.undo) {
		if err := undo(); err != nil {
			failed = append(failed, fmt.Errorf("putting things back: %w", err))
		}
	}
	return errors.Join(failed...)
}

// finish removes what was only kept for an undo. A file that is in use on a
// system that does not let go of it stays until the next sweep.
func (t *transaction) finish() {
	for _, name := range t.waste {
		_ = t.root.Remove(name)
	}
	for _, folder := range t.empty {
		_ = t.root.Remove(folder) // fails where it is not empty, as it should
	}
}

// sweep removes temporary files of an Apply that was killed.
func (t *transaction) sweep() {
	folders := slices.Clone(t.swept)
	for _, c := range t.changes {
		folders = append(folders, path.Dir(c.path))
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		entries, err := fs.ReadDir(t.root.FS(), folder)
		if err != nil {
			continue // a folder that is still to be made
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), temporary) {
				_ = t.root.Remove(path.Join(folder, entry.Name()))
			}
		}
	}
}
