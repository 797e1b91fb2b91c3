// Package copytree makes a copy of a project that programs can be let loose on:
// nothing that is written in the copy reaches the original, neither through a
// link nor through git.
//
// Left out are folders that hold what a tool can make again: those that are
// called as in [Skipped] or hold a file CACHEDIR.TAG. Of a git repository all is
// copied but the objects, which the copy reads from the original. Links that
// lead to another place in the project lead to that place in the copy; of links
// that lead out of it the target is copied; links that lead nowhere, pipes and
// devices are left out.
package copytree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"isdlc-hooks/lib/disk"
)

// Skipped are the names of folders that are left out wherever they are.
var Skipped = []string{
	"node_modules", "bower_components", ".pnpm-store", ".venv", "venv", ".tox", ".nox", "__pycache__",
	".gradle", ".next", ".nuxt", ".terraform", ".cache", "Pods", "DerivedData",
}

const cacheTag = "CACHEDIR.TAG"

// Limits of a copy where [Options] name none.
const (
	MaxBytes = 512 << 20
	MaxFiles = 100_000
)

// Options say what is copied.
type Options struct {
	Skip     []string // names of folders that are left out, too
	MaxBytes int64
	MaxFiles int
}

// A Summary tells what was copied.
type Summary struct {
	Files   int
	Bytes   int64
	Skipped []string // folders that were left out, relative to the project
	Missing []string // what could not be read, or led nowhere
}

// A sighting is what two names of one file have in common.
type sighting struct {
	size     int64
	modified time.Time
}

// ErrTooLarge is wrapped where the project is above the limits.
var ErrTooLarge = errors.New("the project is too large to be copied")

// A step is one thing to be made in the copy.
type step struct {
	rel    string
	mode   fs.FileMode
	info   fs.FileInfo
	source string // of a file
	link   string // the target of a link
	same   string // what is copied already and has this as another name
	text   []byte // of a file that is made up
}

type plan struct {
	Options
	Summary
	from, to string // from without links in it
	steps    []step
	sizes    map[string]int64 // of the folders directly in the project
	within   []string         // targets of links out of the project that are being copied
	names    map[sighting][]step
}

// Copy copies the project at from to the folder to, which must not exist. What
// cannot be copied within the limits is refused before anything is written.
func Copy(from, to string, o Options) (Summary, error) {
	real, err := filepath.EvalSymlinks(from)
	if err != nil {
		return Summary{}, fmt.Errorf("copying the project: %w", err)
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = MaxBytes
	}
	if o.MaxFiles == 0 {
		o.MaxFiles = MaxFiles
	}
	p := &plan{Options: o, from: real, to: to, sizes: map[string]int64{}, names: map[sighting][]step{}}
	info, err := os.Stat(real)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", from)
	}
	if err == nil {
		err = p.folder(real, "", info)
	}
	if err != nil {
		return Summary{}, fmt.Errorf("copying the project: %w", err)
	}
	if p.Bytes > o.MaxBytes || p.Files > o.MaxFiles {
		return Summary{}, p.refusal()
	}
	if err := p.carryOut(); err != nil {
		return Summary{}, fmt.Errorf("copying the project: %w", errors.Join(err, os.RemoveAll(to)))
	}
	return p.Summary, nil
}

func (p *plan) refusal() error {
	type share struct {
		name string
		size int64
	}
	var shares []share
	for name, size := range p.sizes {
		shares = append(shares, share{name, size})
	}
	slices.SortFunc(shares, func(a, b share) int { return int(min(1, max(-1, b.size-a.size))) })
	var names []string
	for _, s := range shares[:min(3, len(shares))] {
		names = append(names, fmt.Sprintf("%s (%d MB)", s.name, s.size>>20))
	}
	return fmt.Errorf("%w: %d MB in %d files, at most %d MB in %d; the largest: %s",
		ErrTooLarge, p.Bytes>>20, p.Files, p.Options.MaxBytes>>20, p.Options.MaxFiles, strings.Join(names, ", "))
}

// folder plans a folder and all that is in it.
func (p *plan) folder(source, rel string, info fs.FileInfo) error {
	if rel != "" {
		if slices.Contains(Skipped, filepath.Base(rel)) || slices.Contains(p.Skip, filepath.Base(rel)) || disk.Exists(filepath.Join(source, cacheTag)) {
			p.Skipped = append(p.Skipped, filepath.ToSlash(rel))
			return nil
		}
	}
	entries, err := os.ReadDir(source)
	if err != nil {
		if rel == "" {
			return err
		}
		p.missing(rel)
		return nil
	}
	p.steps = append(p.steps, step{rel: rel, mode: fs.ModeDir | info.Mode().Perm() | 0o700})
	for _, entry := range entries {
		if p.Bytes > 100*p.Options.MaxBytes || p.Files > 100*p.Options.MaxFiles {
			return nil // it is refused anyway
		}
		child, childRel := filepath.Join(source, entry.Name()), filepath.Join(rel, entry.Name())
		if entry.Name() == ".git" && p.repository(child, childRel) {
			continue
		}
		if err := p.entry(child, childRel); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) entry(source, rel string) error {
	info, err := os.Lstat(source)
	switch {
	case err != nil:
		p.missing(rel)
	case info.IsDir():
		return p.folder(source, rel, info)
	case info.Mode()&fs.ModeSymlink != 0:
		return p.link(source, rel)
	case info.Mode().IsRegular():
		p.file(source, rel, info)
	}
	return nil
}

func (p *plan) file(source, rel string, info fs.FileInfo) {
	p.Files++
	s := step{rel: rel, mode: info.Mode().Perm(), info: info, source: source}
	seen := sighting{info.Size(), info.ModTime()}
	for _, other := range p.names[seen] {
		if os.SameFile(other.info, info) {
			s.same = other.rel
			p.steps = append(p.steps, s)
			return
		}
	}
	p.names[seen] = append(p.names[seen], s)
	p.Bytes += info.Size()
	top, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	p.sizes[top] += info.Size()
	p.steps = append(p.steps, s)
}

// link plans a link so that it does not lead back to the original.
func (p *plan) link(source, rel string) error {
	target, err := filepath.EvalSymlinks(source)
	if err != nil {
		p.missing(rel)
		return nil
	}
	if inside, err := filepath.Rel(p.from, target); err == nil && filepath.IsLocal(inside) {
		p.steps = append(p.steps, step{rel: rel, mode: fs.ModeSymlink, link: filepath.Join(p.to, inside)})
		return nil
	}
	if slices.Contains(p.within, target) || len(p.within) > 20 {
		p.missing(rel) // a circle
		return nil
	}
	p.within = append(p.within, target)
	defer func() { p.within = p.within[:len(p.within)-1] }()
	return p.entry(target, rel)
}

func (p *plan) missing(rel string) { p.Missing = append(p.Missing, filepath.ToSlash(rel)) }
