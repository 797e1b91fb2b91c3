package project

import "strings"

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
