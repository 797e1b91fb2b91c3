// Package project finds the project that a hook works for and the places in it
// (spec 00 §2).
package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

// Dir is the folder below the root that holds everything of the framework.
const Dir = ".isdlc"

// A Project is the root folder and, in a monorepo, the active project in it.
type Project struct {
	Root string // as CLAUDE_PROJECT_DIR has it, else absolute
	ID   string // of the active project; "" in a single project and where none applies

	docs string // the project's docs folder, relative to Root
	err  error
}

// Find resolves the project of a process from its environment and working
// directory, which is asked for only when it is needed (spec 00 §2.1, §2.2). It
// always gives a usable project; see [Project.Err].
func Find(getenv func(string) string, getwd func() (string, error)) *Project {
	p := &Project{Root: getenv("CLAUDE_PROJECT_DIR"), docs: "docs"}
	if p.Root == "" {
		p.Root = root(workDir(getwd))
	}
	p.choose(getenv("ISDLC_PROJECT"), getwd)
	return p
}

func workDir(getwd func() (string, error)) string {
	dir, err := getwd()
	if err != nil {
		return "." // it was removed: there is nothing below it to find
	}
	return dir
}

// Err tells what was wrong with the choice of the active project, nil if
// nothing: an id that would lead out of the projects folder.
func (p *Project) Err() error { return p.err }

func root(workDir string) string {
	for dir := workDir; ; {
		parent := filepath.Dir(dir)
		if parent == dir { // the root of the file system is not tried
			return workDir
		}
		if disk.Exists(filepath.Join(dir, Dir)) {
			return dir
		}
		dir = parent
	}
}

// choose finds the active project of a monorepo.
func (p *Project) choose(fromEnv string, getwd func() (string, error)) {
	data, err := disk.Read(p.Path(Dir, "monorepo.json"))
	if err != nil && os.IsNotExist(err) {
		return
	}
	var registry *ordered.Value // stays nil where the file cannot be read: only the environment counts then
	if err == nil {
		registry, _ = ordered.Parse(data)
	}
	id := fromEnv
	if id == "" {
		id = registered(registry, p.Root, workDir(getwd))
	}
	if id == "" {
		id = registry.Get("default_project").Text()
	}
	if id == "" {
		return
	}
	if !plain(id) {
		p.err = fmt.Errorf("project id %q leads out of the projects folder: no project is active", id)
		return
	}
	p.ID = id
	p.docs = filepath.Join("docs", id)
	entry := registry.Get("projects", id)
	if path := entry.Get("path").Text(); path != "" && docsWithProject(registry, entry) {
		if local := filepath.FromSlash(path); filepath.IsLocal(local) {
			p.docs = filepath.Join(local, "docs")
		}
	}
}

func docsWithProject(registry, entry *ordered.Value) bool {
	return entry.Get("docs_location").Text() == "project" || registry.Get("docs_location").Text() == "project"
}

// registered is the id of the registered project that holds workDir, the
// deepest one where several do, "" where none does.
func registered(registry *ordered.Value, root, workDir string) string {
	rel, err := filepath.Rel(resolved(root), resolved(workDir))
	if err != nil {
		return ""
	}
	rel = filepath.ToSlash(rel)
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return ""
	}
	id, longest := "", 0
	for _, m := range registry.Get("projects").Members() {
		path := strings.TrimRight(m.Value.Get("path").Text(), "/")
		if len(path) > longest && (rel == path || strings.HasPrefix(rel, path+"/")) {
			id, longest = m.Name, len(path)
		}
	}
	return id
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// plain tells whether id is a single name: nothing that leads elsewhere.
func plain(id string) bool {
	return id != "" && id != "." && id != ".." && !strings.ContainsAny(id, "/\\\x00")
}

// Path joins elements to the root.
func (p *Project) Path(elem ...string) string {
	return filepath.Join(append([]string{p.Root}, elem...)...)
}

// State is the path of state.json.
func (p *Project) State() string {
	if p.ID == "" {
		return p.Path(Dir, "state.json")
	}
	return p.Path(Dir, "projects", p.ID, "state.json")
}

// Log is the path of the activity log, one for all projects of a monorepo.
func (p *Project) Log() string { return p.Path(Dir, "hook-activity.log") }

// Docs is the docs folder of the active project.
func (p *Project) Docs() string { return p.Path(p.docs) }

// Doc is where the document name (constitution.md, tasks.md, …) is: the old
// place where only that one has it, else the new place.
func (p *Project) Doc(name string) string {
	path := p.NewDoc(name)
	if disk.Exists(path) {
		return path
	}
	if old := p.oldDoc(name); disk.Exists(old) {
		return old
	}
	return path
}

// NewDoc is the place below docs/isdlc where the document name belongs.
func (p *Project) NewDoc(name string) string {
	if p.ID == "" {
		return p.Path("docs", "isdlc", name)
	}
	return p.Path("docs", "isdlc", "projects", p.ID, name)
}

func (p *Project) oldDoc(name string) string {
	if p.ID == "" {
		return p.Path(Dir, name)
	}
	return p.Path(Dir, "projects", p.ID, name)
}

// ExternalManifest is where the manifest of skills from outside is.
func (p *Project) ExternalManifest() string { return p.Doc("external-skills-manifest.json") }

// ExternalSkills is the folder of skills from outside.
func (p *Project) ExternalSkills() string {
	if p.ID == "" {
		return p.Path(".claude", "skills", "external")
	}
	return p.Path(Dir, "projects", p.ID, "skills", "external")
}
