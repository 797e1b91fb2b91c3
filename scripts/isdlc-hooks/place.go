package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"isdlc-hooks/lib/config"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/state"
)

// A place is the project that a command is about: the one that a hook would
// find, or the one that is named.
type place struct {
	dir    string
	id     string
	plugin string
}

func (p *place) flags(flags *pflag.FlagSet) {
	flags.StringVar(&p.dir, "project", "", "the project `DIR`, or a folder in it (default: as a hook would find it)")
	flags.StringVar(&p.id, "id", "", "the `ID` of a project of a monorepo (default: by the folder)")
}

// pluginFlag is for what asks for the configuration.
func (p *place) pluginFlag(flags *pflag.FlagSet) {
	flags.StringVar(&p.plugin, "plugin-dir", "", "the `DIR` of the plugin that the hooks come in: its configuration counts where the project has none (default: CLAUDE_PLUGIN_ROOT)")
}

// config is the configuration that the hooks in a project go by.
func (p *place) config(found *project.Project) *config.Store {
	return &config.Store{Root: found.Root, Plugin: cmp.Or(p.plugin, os.Getenv("CLAUDE_PLUGIN_ROOT"))}
}

// find resolves the project.
func (p *place) find() (*project.Project, error) {
	if p.plugin != "" {
		if info, err := os.Stat(filepath.Join(p.plugin, config.PluginFolder)); err != nil || !info.IsDir() {
			return nil, &exit{misuse, fmt.Errorf("%s is no plugin of the hooks: it has no folder %s", p.plugin, config.PluginFolder)}
		}
	}
	getenv, getwd := os.Getenv, os.Getwd
	if p.dir != "" {
		dir, err := filepath.Abs(p.dir)
		if err != nil {
			return nil, fmt.Errorf("looking for the project: %w", err)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, &exit{misuse, fmt.Errorf("the project %s does not exist or is not a folder", p.dir)}
		}
		getwd = func() (string, error) { return dir, nil }
	}
	found := project.Find(func(name string) string {
		switch {
		case name == "CLAUDE_PROJECT_DIR" && p.dir != "":
			return "" // what is named comes first
		case name == "ISDLC_PROJECT" && p.id != "":
			return p.id
		}
		return getenv(name)
	}, getwd)
	if err := found.Err(); err != nil {
		return nil, &exit{misuse, err}
	}
	if p.id != "" && found.ID != p.id {
		return nil, &exit{misuse, fmt.Errorf("%s is no monorepo, so it has no project %s", found.Root, p.id)}
	}
	return found, nil
}

// rounds is how often a change is made anew when others write in between without
// asking for the lock.
const rounds = 10

// errNoState tells that there is nothing to work on.
var errNoState = errors.New("there is no state file")

// load reads a state that has to be one.
func load(path string) (*state.Document, error) {
	doc := state.Load(path)
	switch {
	case doc.Missing():
		return doc, fmt.Errorf("%w: %s", errNoState, path)
	case doc.Err() != nil:
		return doc, fmt.Errorf("read the state: %w", doc.Err())
	case doc.State == nil:
		return doc, fmt.Errorf("%s holds no JSON object; mend it by hand first", path)
	}
	return doc, nil
}

// update changes a state in one step: change sees it as it is on the disk, and
// what it makes of it is written whole, or nothing is. With create set, a state
// that is not there is begun. An error of change leaves the file alone.
func update(path string, create bool, change func(*state.State) error) error {
	if create {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the folder of the state: %w", err)
		}
	}
	for round := 1; ; round++ {
		err := once(path, create, change)
		if !errors.Is(err, disk.ErrChanged) || round == rounds {
			return err
		}
		time.Sleep(time.Duration(round) * time.Millisecond)
	}
}

func once(path string, create bool, change func(*state.State) error) error {
	doc, err := load(path)
	if create && errors.Is(err, errNoState) {
		doc.Create()
		err = nil
	}
	if err != nil {
		return err
	}
	if err := change(doc.State); err != nil {
		return err
	}
	if !doc.State.Changed() {
		return nil
	}
	if err := doc.Commit(false); err != nil {
		return fmt.Errorf("the state was not written: %w", err)
	}
	return nil
}
