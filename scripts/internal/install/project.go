// Package install puts the programs into a project, registers them with the
// client, and takes all of it away again.
//
// [Install] and [Uninstall] only look and make a [Plan]; [Plan.Apply] does it,
// all or nothing. What was done is recorded in the project, together with the
// files as they were, so that uninstalling leaves every byte as it was before.
package install

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

const (
	claudeFolder = ".claude"
	hooksFolder  = ".claude/hooks"

	settingsFile      = ".claude/settings.json"
	localSettingsFile = ".claude/settings.local.json"
)

// project is the folder that is worked on. Nothing outside of it can be
// reached, for all paths go through the root.
type project struct {
	dir  string // absolute
	root *os.Root
}

func openProject(dir string) (*project, error) {
	if dir == "" {
		return nil, errors.New("no project given: use --project DIR")
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the project %s does not exist", dir)
	case err != nil:
		return nil, fmt.Errorf("looking at the project: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("the project %s is not a folder", dir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("looking at the project: %w", err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	p := &project{abs, root}
	for _, folder := range []string{claudeFolder, hooksFolder, path.Join(hooksFolder, "dispatchers"), path.Join(hooksFolder, "config"), recordFolder, ".isdlc", ".isdlc/config"} {
		if err := p.checkFolder(folder); err != nil {
			root.Close()
			return nil, err
		}
	}
	return p, nil
}

// checkFolder refuses a folder that is something else, or a link that leads out
// of the project.
func (p *project) checkFolder(folder string) error {
	info, err := p.root.Stat(folder)
	if err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", folder)
		}
		return nil
	}
	if link, linkErr := p.root.Lstat(folder); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link that leads out of the project, or nowhere; nothing is written through it", folder)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("looking at %s: %w", folder, err)
}

// resolve is the path of the file itself, where there is a link at a path: the
// link stays and the file that it leads to is replaced.
func (p *project) resolve(file string) (string, error) {
	for range 10 {
		info, err := p.root.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return file, nil
		}
		if err != nil {
			return "", fmt.Errorf("looking at %s: %w", file, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if !info.Mode().IsRegular() {
				return "", fmt.Errorf("%s is not a file", file)
			}
			return file, nil
		}
		target, err := p.root.Readlink(file)
		if err != nil {
			return "", fmt.Errorf("looking at %s: %w", file, err)
		}
		next := path.Join(path.Dir(file), filepath.ToSlash(target))
		if path.IsAbs(filepath.ToSlash(target)) || !filepath.IsLocal(filepath.FromSlash(next)) {
			return "", fmt.Errorf("%s is a link that leads out of the project; nothing is written through it", file)
		}
		file = next
	}
	return "", fmt.Errorf("%s is a circle of links", file)
}

// state is what a file is like.
type state struct {
	exists bool
	mode   fs.FileMode
	sum    string
}

func (p *project) state(file string) (state, error) {
	f, err := p.root.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, fmt.Errorf("reading %s: %w", file, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return state{}, fmt.Errorf("reading %s: %w", file, err)
	}
	if !info.Mode().IsRegular() {
		return state{}, fmt.Errorf("%s is not a file", file)
	}
	sum, err := sumOf(f)
	if err != nil {
		return state{}, fmt.Errorf("reading %s: %w", file, err)
	}
	return state{true, info.Mode().Perm(), sum}, nil
}

// read is the content of a file and its state; no content where there is none.
func (p *project) read(file string) ([]byte, state, error) {
	s, err := p.state(file)
	if err != nil || !s.exists {
		return nil, s, err
	}
	data, err := p.root.ReadFile(file)
	if err != nil {
		return nil, s, fmt.Errorf("reading %s: %w", file, err)
	}
	return data, s, nil
}

func sumOf(r io.Reader) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

func sumOfBytes(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
