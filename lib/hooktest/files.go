package hooktest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Files is what a project holds at one moment, by slash-separated path below it.
// Folders are not listed.
type Files map[string]File

// A File is one file or symbolic link.
type File struct {
	Mode fs.FileMode
	Data string // of a link, where it points to; of an unreadable file, the error
}

// Files takes a picture of the project, of everything but .git.
func (p *Project) Files() Files {
	p.t.Helper()
	return p.filesBelow(p.Dir)
}

// HomeFiles takes a picture of the home of the runs.
func (p *Project) HomeFiles() Files {
	p.t.Helper()
	return p.filesBelow(p.Home)
}

func (p *Project) filesBelow(root string) Files {
	p.t.Helper()
	files := Files{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir(): // an unreadable folder
			return fs.SkipDir
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return fs.SkipDir
		case d.Name() == ".git" || d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)] = File{info.Mode(), content(path, info.Mode())}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return files
}

func content(path string, mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return err.Error()
		}
		return target
	case !mode.IsRegular():
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// Changed lists the paths that are there only before or only after, or whose
// content or mode differs, sorted.
func (before Files) Changed(after Files) []string {
	changed := map[string]bool{}
	for name, file := range before {
		if now, there := after[name]; !there || now != file {
			changed[name] = true
		}
	}
	for name := range after {
		if _, there := before[name]; !there {
			changed[name] = true
		}
	}
	return slices.Sorted(maps.Keys(changed))
}
