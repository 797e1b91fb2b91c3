package shellcmd

import "strings"

const maxPath = 8 << 10 // bytes

// Join gives the path of name seen from dir, with . and .. resolved. A part that
// is unknown is never taken away by a ..; a name that begins with one stands for
// itself, for nobody knows where it starts. What is longer than any path is
// unknown.
func Join(dir, name string) string {
	if !absolute(name) && !strings.HasPrefix(name, unknown) && dir != "" {
		name = dir + "/" + name
	}
	if len(name) > maxPath {
		return unknown
	}
	root := ""
	if strings.HasPrefix(name, "/") {
		root = "/"
	}
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		switch last := len(parts) - 1; {
		case part == "" || part == ".":
		case part != "..":
			parts = append(parts, part)
		case last >= 0 && parts[last] != ".." && Known(parts[last]):
			parts = parts[:last]
		case last < 0 && root != "":
		default:
			parts = append(parts, part)
		}
	}
	return root + strings.Join(parts, "/")
}

// absolute tells whether a path starts at a root, that of a Windows drive
// included.
func absolute(path string) bool {
	return strings.HasPrefix(path, "/") || len(path) > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\')
}

// base is the last part of a path, with separators of either kind.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// programName is the name by which a program is known: its file without .exe.
func programName(w Word) string {
	if !w.Known() && !Known(base(w.Text)) {
		return ""
	}
	name := base(w.Text)
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], ".exe") {
		name = name[:len(name)-4]
	}
	return name
}
