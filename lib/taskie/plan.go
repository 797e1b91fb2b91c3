package taskie

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

const (
	plansFolder = ".taskie/plans"
	stateName   = "state.json"
)

// A Plan is one plan directory.
type Plan struct {
	ID string // the name of the directory
}

// Path is where a file of the plan is, relative to the project; with "", the
// directory itself.
func (p Plan) Path(name string) string { return path.Join(plansFolder, p.ID, name) }

// newestPlan finds the plan that holds the latest regular file called *.md or
// state.json, directly in it (spec 70 §3); of two with the same time the first
// by name. ok is false where there is none.
func newestPlan() (plan Plan, ok bool, err error) {
	switch info, err := os.Stat(plansFolder); {
	case errors.Is(err, fs.ErrPermission):
		return Plan{}, false, err
	case err != nil || !info.IsDir():
		return Plan{}, false, nil
	}
	folders, err := os.ReadDir(plansFolder)
	if err != nil {
		return Plan{}, false, err
	}
	var newest time.Time
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		p := Plan{folder.Name()}
		files, err := os.ReadDir(p.Path(""))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err != nil {
			return Plan{}, false, err
		}
		for _, file := range files {
			if !file.Type().IsRegular() || file.Name() != stateName && !strings.HasSuffix(file.Name(), ".md") {
				continue
			}
			info, err := file.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return Plan{}, false, fmt.Errorf("look at the files of a plan: %w", err)
			}
			if !ok || info.ModTime().After(newest) {
				plan, newest, ok = p, info.ModTime(), true
			}
		}
	}
	return plan, ok, nil
}

// isFile tells whether there is a regular file, or a link to one.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
