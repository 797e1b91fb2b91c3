// Package plugin lays out the hooks as a plugin of the client: a folder that is
// loaded as a whole, for all projects, without an installation in each.
//
//	.claude-plugin/plugin.json   what the plugin is
//	hooks/hooks.json             what is registered
//	hooks/, hooks/dispatchers/   the programs
//	config/                      configuration for projects that have none
package plugin

import (
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
	"isdlc-hooks/scripts/internal/defaults"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/release"
)

// Name is the name of the plugin.
const Name = "isdlc-hooks"

const (
	manifestFile = ".claude-plugin/plugin.json"
	hooksFile    = "hooks/hooks.json"

	description = "Holds a software-development workflow together: phases in order, gates, guarded commits, counted test runs, a state file that stays whole."
)

// Options say what is laid out where.
type Options struct {
	Out  string   // the folder; made anew where it is a plugin of ours or empty
	Bin  string   // folder of the built programs
	Only []string // groups or programs to register instead of the default
	With []string // groups or programs to register beside that
}

// A Layout is what was laid out.
type Layout struct {
	Dir           string   `json:"dir"` // absolute
	Version       string   `json:"version"`
	Programs      []string `json:"programs"`
	Registrations int      `json:"registrations"`
	Configuration []string `json:"configuration"`
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
	for _, step := range []func() error{
		func() error { return os.Chmod(stage, 0o755) },
		func() error { return l.programs(stage, o.Bin, selected) },
		func() error { return l.configuration(stage) },
		func() error { return l.describe(stage, selected) },
		func() error { return prove(ctx, stage, selected) },
		func() error { return swap(stage, dir) },
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("laying out the plugin: %w", err)
		}
	}
	return l, nil
}

// ours are the entries of a folder that a plugin of ours may have.
var ours = []string{".claude-plugin", "hooks", "config"}

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

func (l *Layout) programs(stage, bin string, selected []registration.Registration) error {
	var missing []string
	for _, r := range selected {
		if slices.Contains(l.Programs, r.Program) || slices.Contains(missing, r.Program) {
			continue
		}
		file := programFile(r)
		err := copyFile(filepath.Join(bin, path.Base(file)), filepath.Join(stage, filepath.FromSlash(file)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, r.Program)
		case err != nil:
			return err
		default:
			l.Programs = append(l.Programs, r.Program)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s not built in %s; build with make build", strings.Join(missing, ", "), bin)
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func (l *Layout) configuration(stage string) error {
	for _, file := range defaults.Files {
		name := path.Join(config.PluginFolder, file.Name)
		if err := put(stage, name, file.Content()); err != nil {
			return err
		}
		l.Configuration = append(l.Configuration, name)
	}
	return nil
}

func put(stage, name string, data []byte) error {
	file := filepath.Join(stage, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// swap puts the new layout in the place of the old one.
func swap(stage, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(stage, dir)
}
