// Package scopes finds everything that registers hooks for a session in a
// project: the settings of the user, of the project, the local ones, and the
// plugins that these switch on.
package scopes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/scripts/internal/settings"
)

// A Kind is a place where hooks are registered.
type Kind string

// The kinds of scopes.
const (
	User    Kind = "user"
	Project Kind = "project"
	Local   Kind = "local"
	Plugin  Kind = "plugin"
)

// A Scope is one file that registers hooks.
type Scope struct {
	Kind Kind
	File string // absolute
	Name string // the file as a person knows it
	Root string // the folder of a plugin; "" for anything else

	Settings settings.File
	Err      error // it cannot be read, or the client would not apply it
}

// Options say where to look.
type Options struct {
	Project string // absolute
	// User is the folder of the user's settings; "" leaves them out, and the
	// plugins with them.
	User string
	// PluginDirs are folders of plugins beside those that are installed.
	PluginDirs []string
}

// UserFolder is where the client keeps the settings of the user.
func UserFolder(getenv func(string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	home := getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // without a home there are no settings in it
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".claude")
}

// Load reads all scopes that there are: files that do not exist are left out.
func Load(o Options) []Scope {
	var found []Scope
	add := func(s Scope) {
		same := func(other Scope) bool { return sameFile(s.File, other.File) }
		if slices.ContainsFunc(found, same) {
			return // a home that is itself the project, or a plugin that is named twice
		}
		data, err := disk.Read(s.File)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			s.Settings, err = settings.Read(data)
		}
		s.Err = err
		found = append(found, s)
	}
	claude := filepath.Join(o.Project, ".claude")
	add(Scope{Kind: Project, File: filepath.Join(claude, "settings.json"), Name: ".claude/settings.json"})
	add(Scope{Kind: Local, File: filepath.Join(claude, "settings.local.json"), Name: ".claude/settings.local.json"})
	if o.User != "" {
		file := filepath.Join(o.User, "settings.json")
		add(Scope{Kind: User, File: file, Name: file})
	}
	roots := slices.Clone(o.PluginDirs)
	if o.User != "" {
		installed, err := installedPlugins(o)
		if err != nil {
			found = append(found, Scope{Kind: Plugin, File: installed.file, Name: installed.file, Err: err})
		}
		for _, s := range found {
			for _, name := range s.Settings.Plugins {
				roots = append(roots, installed.roots[name]...)
			}
		}
	}
	for _, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			abs = root
		}
		file := filepath.Join(abs, "hooks", "hooks.json")
		add(Scope{Kind: Plugin, File: file, Name: file, Root: abs})
	}
	return found
}

type plugins struct {
	file  string
	roots map[string][]string // by name, as it stands in the settings
}

// installedPlugins reads the client's list of plugins. It has had two forms: one
// installation for each name, and a list of them.
// Some are for one project alone.
func installedPlugins(o Options) (plugins, error) {
	p := plugins{filepath.Join(o.User, "plugins", "installed_plugins.json"), map[string][]string{}}
	data, err := disk.Read(p.file)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("reading the list of plugins: %w", err)
	}
	list, err := ordered.Parse(data)
	if err != nil {
		return p, fmt.Errorf("reading the list of plugins: %w", err)
	}
	for _, m := range list.Get("plugins").Members() {
		entries := m.Value.Items()
		if m.Value.IsObject() {
			entries = []*ordered.Value{m.Value}
		}
		for _, entry := range entries {
			project := entry.Get("projectPath").Text()
			if root := entry.Get("installPath").Text(); filepath.IsAbs(root) && (project == "" || sameFile(project, o.Project)) {
				p.roots[m.Name] = append(p.roots[m.Name], root)
			}
		}
	}
	return p, nil
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// String names a scope in a line for a person.
func (s Scope) String() string {
	if s.Kind == Plugin && s.Root != "" {
		return "plugin " + filepath.Base(s.Root)
	}
	return s.Name
}
