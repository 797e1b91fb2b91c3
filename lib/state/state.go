// Package state reads state.json and writes it back without losing anything
// that somebody else put there (spec 00 §3).
package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// Patience is how long a commit waits for the lock.
const Patience = 2 * time.Second

// A Document is the file as it was loaded, and the state in it.
type Document struct {
	Path  string
	State *State // nil: there is no file, or it holds no JSON object

	file disk.File
	err  error
}

// Load reads the state file at path. It always gives a document; see
// [Document.Err]. A file that holds no JSON and is only just being written is
// looked at again, for a moment: an agent's tools write in place, and no gate
// may open because a hook came between.
func Load(path string) *Document {
	for pause := time.Millisecond; ; pause *= 2 {
		d, whole := read(path)
		if whole || pause > maxPause || !fresh(path) {
			return d
		}
		time.Sleep(pause)
	}
}

const (
	maxPause  = 32 * time.Millisecond // the last of the pauses of Load, 63 ms together
	freshness = time.Second           // how long a file counts as being written
)

// read takes the file once. It is not whole if it holds no JSON.
func read(path string) (d *Document, whole bool) {
	d = &Document{Path: path}
	if d.file, d.err = disk.ReadFile(path); d.err != nil {
		return d, true
	}
	root, err := ordered.Parse(d.file.Data)
	if err != nil {
		return d, false // not the business of a hook: somebody is writing it, or will mend it
	}
	if root.IsObject() {
		d.State = &State{Object: root}
	}
	return d, true
}

// fresh tells whether the file at path was written a moment ago.
func fresh(path string) bool {
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()).Abs() < freshness
}

// Err tells why the file could not be read, nil where it is merely not there.
func (d *Document) Err() error {
	if d.Missing() {
		return nil
	}
	return d.err
}

// Missing tells that there is no file.
func (d *Document) Missing() bool { return errors.Is(d.err, fs.ErrNotExist) }

// Create gives a document without a file an empty state; its Commit makes the
// file, if there is none by then.
func (d *Document) Create() *State {
	d.State = &State{Object: ordered.NewObject()}
	return d.State
}

// Lock keeps other hooks from committing to the file until it is unlocked.
func Lock(path string) (disk.Unlocker, error) {
	return disk.Lock(target(path), Patience)
}

// target is the file that a path with symbolic links leads to: that one is
// replaced, and the links stay.
func target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Commit writes the state back, with its version one higher than that on disk,
// if the file still holds the bytes that were loaded; else the error wraps
// [disk.ErrChanged] and nothing has happened. Where locked is not set, it takes the
// lock for the time.
func (d *Document) Commit(locked bool) error {
	d.State.bumpVersion()
	data := d.State.Object.Indent()
	path := target(d.Path)
	if !locked {
		lock, err := disk.Lock(path, Patience)
		if err != nil {
			return err
		}
		defer lock.Unlock()
	}
	if d.Missing() {
		return disk.New(path, data)
	}
	return disk.Swap(path, d.file, data)
}

// State is the document of a project. What a rule changes through Object, or
// through values of it, is written when the rules have run.
type State struct {
	Object  *ordered.Value
	touched bool
}

// Touch asks for a write even where nothing else has changed.
func (s *State) Touch() { s.touched = true }

// Changed tells whether the state is to be written.
func (s *State) Changed() bool { return s != nil && (s.touched || s.Object.Edited()) }

// bumpVersion raises state_version by one; a version that is no number or below
// 1 begins again at 1.
func (s *State) bumpVersion() {
	const field = "state_version"
	old := s.Object.Get(field)
	if n, err := strconv.ParseInt(old.Literal(), 10, 64); err == nil && n >= 1 && n+1 > 0 {
		s.Object.Set(field, n+1)
	} else if f, ok := old.Float(); ok && f >= 1 && f < 1e300 {
		s.Object.Set(field, f+1)
	} else {
		s.Object.Set(field, 1)
	}
}

// Get follows names through the document; see [ordered.Value.Get]. It works on
// a nil State.
func (s *State) Get(names ...string) *ordered.Value {
	if s == nil {
		return nil
	}
	return s.Object.Get(names...)
}

// Workflow is active_workflow where it is an object, else nil.
func (s *State) Workflow() *ordered.Value {
	if w := s.Get("active_workflow"); w.IsObject() {
		return w
	}
	return nil
}

// WorkflowPhase is the current phase of the active workflow as it is written,
// "" where there is none.
func (s *State) WorkflowPhase() string { return s.Workflow().Get("current_phase").Text() }

// CurrentPhase is the current phase as it is written: that of the active
// workflow, else the one at the top level, else "" (spec 00 §3.1).
func (s *State) CurrentPhase() string {
	if p := s.WorkflowPhase(); p != "" {
		return p
	}
	return s.Get("current_phase").Text()
}

// Phase is the record of the phase key, under its canonical key or an alias;
// nil where there is none that is an object.
func (s *State) Phase(key string) *ordered.Value {
	if r := phase.Lookup(s.Get("phases"), key); r.IsObject() {
		return r
	}
	return nil
}

// Enforced is false only where iteration_enforcement.enabled is exactly false.
func (s *State) Enforced() bool { return !s.Get("iteration_enforcement", "enabled").IsFalse() }
