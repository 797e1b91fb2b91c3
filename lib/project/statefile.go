package project

import (
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/disk"
)

// IsStateFile tells whether path, as somebody wrote it, ends like that of a
// state file: .isdlc/state.json or .isdlc/projects/<id>/state.json, with slashes
// or backslashes (spec 50 §0.3). Nothing is normalised before, so that a rule
// about a path judges what its caller sees.
func IsStateFile(path string) bool {
	rest, ok := cutElement(path, "state.json")
	if !ok {
		return false
	}
	if strings.HasSuffix(rest, Dir) {
		return true
	}
	end := strings.LastIndexAny(rest, `/\`)
	if end < 0 || end == len(rest)-1 {
		return false
	}
	rest, ok = cutElement(rest[:end], "projects")
	return ok && strings.HasSuffix(rest, Dir)
}

// cutElement takes the last element, which has to be name, and the separator in
// front of it off a path.
func cutElement(path, name string) (rest string, ok bool) {
	rest, ok = strings.CutSuffix(path, name)
	if !ok || rest == "" || !strings.ContainsAny(rest[len(rest)-1:], `/\`) {
		return path, false
	}
	return rest[:len(rest)-1], true
}

// StateFile is the state file that somebody means by path: that of the root or
// of one of the projects below it. It is "" for files elsewhere, state files of
// other roots and samples among them. A path that leads nowhere on this system
// stands for the active project.
func (p *Project) StateFile(path string) string {
	if !IsStateFile(path) {
		return ""
	}
	if !disk.Exists(path) {
		return p.State()
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	dir, elem := filepath.Dir(abs), []string{Dir}
	if filepath.Base(dir) != Dir {
		elem = append(elem, "projects", filepath.Base(dir))
		dir = filepath.Dir(filepath.Dir(dir))
	}
	own, err := filepath.Abs(p.Path(Dir))
	if err != nil || resolved(dir) != resolved(own) {
		return ""
	}
	return p.Path(append(elem, "state.json")...)
}
