package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/Masterminds/semver/v3"

	"isdlc-hooks/lib/config"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/provider"
	"isdlc-hooks/lib/state"
	"isdlc-hooks/scripts/internal/client"
)

// configurations looks at the files that rules read what they enforce from.
func (e *examination) configurations() {
	const check = "configuration"
	for _, known := range config.Files() {
		there := 0
		for _, folder := range known.Folders {
			file := filepath.ToSlash(filepath.Join(folder, known.Name))
			value, exists := e.document(check, file, "mend it; as it is, what it says is not enforced")
			if exists {
				there++
			}
			if value == nil {
				continue
			}
			version := value.Get("version")
			parsed, err := semver.NewVersion(version.Text())
			switch {
			case version == nil:
				e.add(OK, check, file, "", "is read; it names no version")
			case err != nil:
				e.add(Warning, check, file, "give it a version like 1.0.0", "its version %s is none", value.Get("version").Compact())
			case parsed.Major() > known.Major:
				e.add(Warning, check, file, "install a newer release of the hooks, or the older file", "has version %s; this release knows up to %d", parsed.Original(), known.Major)
			default:
				e.add(OK, check, file, "", "is read; version %s", parsed.Original())
			}
		}
		if brought := e.brought(known.Name); there == 0 && brought != "" {
			e.add(OK, check, brought, "", "counts, for the project has none of its own")
		} else if there == 0 {
			e.add(Warning, check, known.Folders[0]+"/"+known.Name, e.reinstall(), "is not there: rules that want it are not enforced")
		}
	}
	for _, folder := range config.SchemaFolders() {
		schemas, _ := filepath.Glob(e.path(folder, "*.schema.json")) // the pattern is a good one
		for _, file := range schemas {
			e.document(check, e.short(file), "mend it; as it is, the section of the state is not checked")
		}
	}
	e.document(check, project.Dir+"/monorepo.json", "mend it; as it is, no project of the monorepo is found by its folder")
	if file := e.path(project.Dir, provider.FileName); disk.Exists(file) {
		if _, err := provider.Load(file); err != nil {
			e.add(Error, check, e.short(file), "mend it; as it is, the built-in providers count", "cannot be read: %v", err)
		}
	}
}

// brought is the configuration file of a plugin with hooks of ours.
func (e *examination) brought(name string) string {
	for _, c := range e.commands {
		if file := filepath.Join(c.scope.Root, config.PluginFolder, name); c.scope.Root != "" && c.name != "" && disk.Exists(file) {
			return file
		}
	}
	return ""
}

// document reads a file that is to hold a JSON object, and says what is wrong
// with it; nil where there is none.
func (e *examination) document(check, file, remedy string) (value *ordered.Value, exists bool) {
	data, err := disk.Read(e.path(filepath.FromSlash(file)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err == nil {
		value, err = ordered.Parse(data)
	}
	switch {
	case err != nil:
		e.add(Error, check, file, remedy, "cannot be read: %v", err)
		return nil, true
	case !value.IsObject():
		e.add(Error, check, file, remedy, "holds no JSON object")
		return nil, true
	}
	return value, true
}

// states looks at the state of the project, or of all projects of a monorepo,
// and at its lock.
func (e *examination) states() {
	const check = "state"
	files := []string{project.Dir + "/state.json"}
	projects, _ := os.ReadDir(e.path(project.Dir, "projects")) // none is none
	for _, p := range projects {
		files = append(files, project.Dir+"/projects/"+p.Name()+"/state.json")
	}
	there := 0
	for _, file := range files {
		value, exists := e.document(check, file, "mend it, or put back its last good version; as it is, no rule sees the workflow")
		if !exists {
			continue
		}
		there++
		if !e.lock(check, file) || value == nil {
			continue
		}
		phase := (&state.State{Object: value}).CurrentPhase()
		if phase == "" {
			phase = "none"
		}
		e.add(OK, check, file, "", "is read, and its lock is free; phase: %s", phase)
	}
	if there == 0 {
		e.add(Note, check, files[0], "", "there is no state: no workflow is tracked")
	}
}

func (e *examination) lock(check, file string) bool {
	path := e.path(filepath.FromSlash(file))
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	lock, err := disk.Lock(path, e.Patience)
	if err != nil {
		remedy := "let its user write in that folder"
		if errors.Is(err, disk.ErrBusy) {
			remedy = "end the process that holds it; see lsof " + client.Quote(filepath.Dir(path))
		}
		e.add(Error, check, file, remedy, "its lock is not to be had within %s, so that hooks cannot write it: %v", e.Patience, trimmed(err, path))
		return false
	}
	if err := lock.Unlock(); err != nil {
		e.add(Error, check, file, "see what is wrong with that file system", "its lock cannot be released: %v", err)
		return false
	}
	return true
}

// trimmed is an error without the path that stands beside it anyway.
func trimmed(err error, path string) string {
	return strings.ReplaceAll(err.Error(), "lock "+path+": ", "")
}
