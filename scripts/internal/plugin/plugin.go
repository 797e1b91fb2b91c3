// Package plugin lays out the hooks as a plugin of the client: a folder that is
// loaded as a whole, for all projects, without an installation in each.
//
//	.claude-plugin/plugin.json   what the plugin is
//	hooks/hooks.json             what is registered
//	hooks/, hooks/dispatchers/   the programs, most of them names of two executables
//	config/                      configuration for projects that have none
package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"isdlc-hooks/lib/config"
	"isdlc-hooks/scripts/internal/changeset"
	"isdlc-hooks/scripts/internal/defaults"
	"isdlc-hooks/scripts/internal/install"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/release"
)

// Name is the name of the plugin.
const Name = "isdlc-hooks"

const (
	manifestFile = ".claude-plugin/plugin.json"
	hooksFile    = "hooks/hooks.json"

	dispatchersFolder = "hooks/dispatchers"

	description = "Holds a software-development workflow together: phases in order, gates, guarded commits, counted test runs, a state file that stays whole."
)

// Options say what is laid out where.
type Options struct {
	Out   string   // the folder; made anew where it is a plugin of ours or empty
	Bin   string   // folder of the built programs
	Links bool     // make the programs names of few executables, where those are built
	Only  []string // groups or programs to register instead of the default
	With  []string // groups or programs to register beside that
}

// A Layout is what was laid out.
type Layout struct {
	Dir           string   `json:"dir"` // absolute
	Version       string   `json:"version"`
	Programs      []string `json:"programs"`
	Registrations int      `json:"registrations"`
	Configuration []string `json:"configuration"`
	Remarks       []string `json:"remarks,omitempty"` // what the user should know
}

// manifest is the file that makes a folder a plugin.
type manifest struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

// Write lays out the plugin. It is made beside its place and proved there, so
// that after an error what was in the place before is still there.
func Write(ctx context.Context, o Options) (*Layout, error) {
	selected, err := registration.Select(o.Only, o.With)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(o.Out)
	if err != nil {
		return nil, fmt.Errorf("laying out the plugin: %w", err)
	}
	if err := free(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("laying out the plugin: %w", err)
	}
	stage, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return nil, fmt.Errorf("laying out the plugin: %w", err)
	}
	defer os.RemoveAll(stage) // gone already when all went well
	l := &Layout{Dir: dir, Version: release.Version, Registrations: len(selected)}
	var set changeset.Set
	for _, folder := range slices.Concat(ours, []string{dispatchersFolder}) {
		set.Folder(folder)
	}
	set.RemoveFolder(dispatchersFolder) // where no dispatcher is selected
	l.configuration(&set)
	for _, step := range []func() error{
		func() error { return os.Chmod(stage, 0o755) },
		func() error { return l.programs(&set, o, selected) },
		func() error { return l.describe(&set, selected) },
		func() error { return fill(stage, &set, func() error { return prove(ctx, stage, selected) }) },
		func() error { return swap(stage, dir) },
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("laying out the plugin: %w", err)
		}
	}
	return l, nil
}

// ours are the entries of a folder that a plugin of ours may have.
var ours = []string{path.Dir(manifestFile), path.Dir(hooksFile), config.PluginFolder}

// free tells whether a plugin may be put at a place: there is nothing, or an
// older one of ours and nothing else.
func free(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at %s: %w", dir, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(manifestFile)))
	var m manifest
	if err != nil || json.Unmarshal(data, &m) != nil || m.Name != Name {
		return fmt.Errorf("%s is neither empty nor an older layout of this plugin; nothing was changed", dir)
	}
	for _, entry := range entries {
		if !slices.Contains(ours, entry.Name()) {
			return fmt.Errorf("%s holds %s, which is not part of the plugin; move it away first", dir, entry.Name())
		}
	}
	return nil
}

func (l *Layout) programs(set *changeset.Set, o Options, selected []registration.Registration) error {
	var shares map[string]string
	if o.Links {
		var remark string
		var err error
		if shares, remark, err = install.Shares(o.Bin); err != nil {
			return err
		}
		if remark != "" {
			l.Remarks = append(l.Remarks, remark)
		}
	}
	var missing []string
	for _, r := range selected {
		if slices.Contains(l.Programs, r.Program) || slices.Contains(missing, r.Program) {
			continue
		}
		share := shares[r.Program]
		source := filepath.Join(o.Bin, cmp.Or(share, r.Program)+exe())
		_, err := os.Stat(source)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, r.Program)
		case err != nil:
			return err
		default:
			set.Copy(programFile(r), share, func() (io.ReadCloser, error) { return os.Open(source) }, 0o755)
			l.Programs = append(l.Programs, r.Program)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s not built in %s; build with make build", strings.Join(missing, ", "), o.Bin)
	}
	return nil
}

func (l *Layout) configuration(set *changeset.Set) {
	for _, file := range defaults.Files {
		name := path.Join(config.PluginFolder, file.Name)
		set.Write(name, file.Content(), 0o644, false)
		l.Configuration = append(l.Configuration, name)
	}
}

// fill makes the files in the folder that is to be the plugin.
func fill(stage string, set *changeset.Set, prove func() error) error {
	root, err := os.OpenRoot(stage)
	if err != nil {
		return err
	}
	defer root.Close()
	return set.Apply(root, prove)
}

// swap puts the new layout in the place of the old one, which stays where that
// fails.
func swap(stage, dir string) error {
	old := stage + ".old"
	err := os.Rename(dir, old)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Rename(stage, dir)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(stage, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}
