package copytree

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"isdlc-hooks/lib/disk"
)

// Folders of a repository that belong to its state; what else there is (objects,
// hooks, reflogs, the repositories of submodules) is not wanted in a copy.
var stateFolders = []string{"refs", "reftable", "info"}

// repository plans a .git, be it the repository or a file that says where it
// is; not ok where it is neither. The copy is a repository of its own on the
// same commit, with the same index, that looks for objects in the original.
func (p *plan) repository(source, rel string) (ok bool) {
	info, err := os.Stat(source)
	if err != nil {
		return false
	}
	own := source // HEAD and index
	if !info.IsDir() {
		data, err := disk.Read(source)
		path, found := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir:")
		if err != nil || !found {
			return false
		}
		own = absolute(filepath.Dir(source), strings.TrimSpace(path))
	}
	common := own // all that worktrees share
	if data, err := disk.Read(filepath.Join(own, "commondir")); err == nil {
		common = absolute(own, strings.TrimSpace(string(data)))
	}
	if !disk.Exists(filepath.Join(own, "HEAD")) || !disk.Exists(filepath.Join(common, "objects")) {
		return false
	}
	p.steps = append(p.steps, step{rel: rel, mode: os.ModeDir | 0o755})
	p.state(common, rel, nil)
	if own != common {
		p.state(own, rel, []string{"commondir", "gitdir", "config"})
	}
	objects := filepath.Join(rel, "objects")
	for _, folder := range []string{objects, filepath.Join(objects, "info"), filepath.Join(objects, "pack"), filepath.Join(rel, "refs")} {
		p.steps = append(p.steps, step{rel: folder, mode: os.ModeDir | 0o755})
	}
	from, err := filepath.EvalSymlinks(filepath.Join(common, "objects"))
	if err != nil {
		return false
	}
	p.steps = append(p.steps, step{rel: filepath.Join(objects, "info", "alternates"), mode: 0o644, text: []byte(from + "\n")})
	return true
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// worktree is where the configuration of a repository says that its files are;
// in the copy they are beside it.
func worktree() *regexp.Regexp { return regexp.MustCompile(`(?im)^[ \t]*worktree[ \t]*=.*$`) }

// state plans the files and folders that make up the state of a repository.
func (p *plan) state(source, rel string, without []string) {
	entries, err := os.ReadDir(source)
	if err != nil {
		p.missing(rel)
		return
	}
	for _, entry := range entries {
		name, file := entry.Name(), filepath.Join(source, entry.Name())
		info, err := entry.Info()
		switch {
		case err != nil || slices.Contains(without, name) || strings.HasSuffix(name, ".lock"):
		case entry.IsDir() && slices.Contains(stateFolders, name):
			_ = p.folder(file, filepath.Join(rel, name), info) // fails only for the project itself
		case !info.Mode().IsRegular():
		case name == "config":
			if data, err := disk.Read(file); err == nil {
				p.replace(step{rel: filepath.Join(rel, name), mode: info.Mode().Perm(), text: worktree().ReplaceAll(data, nil)})
			}
		default:
			p.replace(step{rel: filepath.Join(rel, name), mode: info.Mode().Perm(), info: info, source: file})
			p.Files++
			p.Bytes += info.Size()
		}
	}
}

// replace plans a step in place of an earlier one for the same file: what a
// worktree has of its own counts.
func (p *plan) replace(s step) {
	for i := range p.steps {
		if p.steps[i].rel == s.rel {
			p.steps[i] = s
			return
		}
	}
	p.steps = append(p.steps, s)
}
