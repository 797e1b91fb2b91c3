package replay

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
)

// A Change is a field of a state file that is not what it was.
type Change struct {
	File   string `json:"file"`
	Field  string `json:"field"`
	Before string `json:"before,omitempty"` // JSON; "" where it was not there
	After  string `json:"after,omitempty"`  // JSON; "" where it is gone
}

// stateFiles are the state files of a project as they were seen last.
type stateFiles map[string][]byte

// read notes the state files as they are.
func (f *stateFiles) read(root string) { *f = readStates(root) }

func readStates(root string) stateFiles {
	files := stateFiles{}
	names := []string{project.Dir + "/state.json"}
	projects, _ := os.ReadDir(filepath.Join(root, project.Dir, "projects")) // none is none
	for _, p := range projects {
		names = append(names, project.Dir+"/projects/"+p.Name()+"/state.json")
	}
	for _, name := range names {
		if data, err := disk.Read(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			files[name] = data
		}
	}
	return files
}

// changed tells what has changed since the files were seen last.
func (f *stateFiles) changed(root string) []Change {
	before, after := *f, readStates(root)
	*f = after
	var names []string
	for name := range before {
		names = append(names, name)
	}
	for name := range after {
		names = append(names, name)
	}
	slices.Sort(names)
	var changes []Change
	for _, name := range slices.Compact(names) {
		if bytes.Equal(before[name], after[name]) {
			continue
		}
		old, _ := ordered.Parse(before[name]) // what is no JSON is no value
		now, _ := ordered.Parse(after[name])
		compare(name, "", old, now, &changes)
	}
	return changes
}

// compare lists the fields that differ, as deep as both sides have the same
// kind of value.
func compare(file, field string, old, now *ordered.Value, changes *[]Change) {
	switch {
	case bytes.Equal(old.Compact(), now.Compact()):
	case old.IsObject() && now.IsObject():
		for _, m := range old.Members() {
			compare(file, join(field, m.Name), m.Value, now.Get(m.Name), changes)
		}
		for _, m := range now.Members() {
			if old.Get(m.Name) == nil {
				compare(file, join(field, m.Name), nil, m.Value, changes)
			}
		}
	case old.IsArray() && now.IsArray():
		a, b := old.Items(), now.Items()
		for i := range max(len(a), len(b)) {
			var x, y *ordered.Value
			if i < len(a) {
				x = a[i]
			}
			if i < len(b) {
				y = b[i]
			}
			compare(file, field+"["+strconv.Itoa(i)+"]", x, y, changes)
		}
	default:
		*changes = append(*changes, Change{file, field, string(old.Compact()), string(now.Compact())})
	}
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
