// Package config reads the configuration files of a project, each when a rule
// first asks for it (spec 00 §4).
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

// A file is one configuration file: where it is looked for and how new a version
// of it this release knows.
type file struct {
	name    string
	folders [2]string
	known   uint64 // the newest known major version; 0: not versioned
	first   bool   // the first folder that has the file decides, even when it does not parse
}

const (
	hooksFolder = ".claude/hooks/config"
	isdlcFolder = ".isdlc/config"

	// PluginFolder is where a plugin brings configuration.
	PluginFolder = "config"
)

var (
	manifest     = file{"skills-manifest.json", [2]string{hooksFolder, isdlcFolder}, 4, true}
	requirements = file{"iteration-requirements.json", [2]string{hooksFolder, isdlcFolder}, 2, false}
	workflows    = file{"workflows.json", [2]string{isdlcFolder, hooksFolder}, 1, false}
	artifacts    = file{"artifact-paths.json", [2]string{hooksFolder, isdlcFolder}, 1, false}
)

// A Known is a configuration file as this release knows it.
type Known struct {
	Name    string
	Folders []string // below the project, in the order in which they are searched
	Major   uint64   // the newest known major version
}

// Files are the configuration files that have versions.
func Files() []Known {
	var known []Known
	for _, f := range []file{manifest, requirements, workflows, artifacts} {
		known = append(known, Known{f.name, f.folders[:], f.known})
	}
	return known
}

// SchemaFolders are where the shapes of the sections of the state are looked
// for.
func SchemaFolders() []string {
	return []string{filepath.Join(requirements.folders[0], "schemas"), filepath.Join(requirements.folders[1], "schemas")}
}

// A Store reads configuration for one project root and keeps what it has read
// for as long as the file does not change. The zero value with a Root works. The
// values that it gives are shared and must not be edited.
type Store struct {
	Root string
	// Plugin is the folder of the plugin that the hooks come in, "" where they
	// belong to the project. What it brings counts where the project has nothing.
	Plugin string

	// Hits and Misses count look-ups that were answered from memory and those
	// that read a file.
	Hits, Misses int

	cache    map[string]cached
	warnings []string
}

type cached struct {
	value    *ordered.Value
	modified time.Time
	size     int64
}

// Manifest is skills-manifest.json: who owns which phase and which skills. It is
// nil where there is none that can be read.
func (s *Store) Manifest() *ordered.Value { return s.load(manifest) }

// Requirements is iteration-requirements.json, nil where there is none.
func (s *Store) Requirements() *ordered.Value { return s.load(requirements) }

// Workflows is workflows.json, nil where there is none.
func (s *Store) Workflows() *ordered.Value { return s.load(workflows) }

// ArtifactPaths is artifact-paths.json, nil where there is none.
func (s *Store) ArtifactPaths() *ordered.Value { return s.load(artifacts) }

// Schema is schemas/<id>.schema.json, the shape of a section of the state, nil
// where there is none.
func (s *Store) Schema(id string) *ordered.Value {
	return s.load(file{name: filepath.Join("schemas", id+".schema.json"), folders: requirements.folders})
}

// Warnings lists, each once, what somebody should know about the files that were
// read: versions that are newer than this release.
func (s *Store) Warnings() []string { return s.warnings }

func (s *Store) load(f file) *ordered.Value {
	for _, folder := range f.folders {
		path := filepath.Join(s.Root, folder, f.name)
		value, err := s.read(path)
		if err == nil && value.Kind() > ordered.Null {
			s.checkVersion(f, value)
			return value
		}
		if f.first && !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if s.Plugin != "" {
		if value, err := s.read(filepath.Join(s.Plugin, PluginFolder, f.name)); err == nil && value.Kind() > ordered.Null {
			s.checkVersion(f, value)
			return value
		}
	}
	return nil
}

// read gives the document at path, from memory while the file is the one that
// was read. A failure is not remembered.
func (s *Store) read(path string) (*ordered.Value, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if c, ok := s.cache[path]; ok && c.modified.Equal(info.ModTime()) && c.size == info.Size() {
		s.Hits++
		return c.value, nil
	}
	s.Misses++
	data, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	value, err := ordered.Parse(data)
	if err != nil {
		return nil, err
	}
	if s.cache == nil {
		s.cache = make(map[string]cached, 4)
	}
	s.cache[path] = cached{value, info.ModTime(), info.Size()}
	return value, nil
}

func (s *Store) checkVersion(f file, value *ordered.Value) {
	version := value.Get("version").Text()
	if major, ok := Major(version); !ok || f.known == 0 || major <= f.known {
		return
	}
	warning := fmt.Sprintf("%s has version %s; this release knows up to %d", f.name, version, f.known)
	for _, w := range s.warnings {
		if w == warning {
			return
		}
	}
	s.warnings = append(s.warnings, warning)
}

// Major is the first number of a semantic version, with or without a v in front.
//
// It agrees with Masterminds/semver, which the tests hold it against; that
// package compiles its grammar at start-up, a quarter of the time that a hook
// takes in all, so only the isdlc-hooks tool links it.
func Major(version string) (major uint64, ok bool) {
	digits, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	major, err := strconv.ParseUint(digits, 10, 64)
	return major, err == nil && digits[0] != '+'
}
