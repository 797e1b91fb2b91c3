package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

// Uninstall plans to take everything out of a project that [Install] put there
// and that is still as it was written. What the user has changed since stays
// and is named.
func Uninstall(dir string) (*Plan, error) {
	proj, err := openProject(dir)
	if err != nil {
		return nil, err
	}
	p := &Plan{Dir: proj.dir, project: proj, planned: map[string]bool{}}
	if err := p.uninstall(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Plan) uninstall() error {
	rec, _, err := p.project.readRecord()
	if err != nil || rec == nil {
		return err
	}
	p.record, p.leftover = rec, map[string][]byte{}
	// The settings come first: no command is registered without its program.
	for _, file := range rec.Settings {
		p.set.Sweep(path.Dir(file.Path))
		if err := p.restoreSettings(file); err != nil {
			return err
		}
	}
	if err := p.findLeftovers(); err != nil {
		return err
	}
	removed, restored := 0, 0
	for _, file := range rec.Files {
		p.set.Sweep(path.Dir(file.Path))
		verb, err := p.restoreFile(file)
		if err != nil {
			return err
		}
		switch verb {
		case "remove":
			removed++
		case "restore":
			restored++
		}
	}
	if removed > 0 {
		p.add("remove", "%d %s", removed, plural(removed, "file"))
	}
	if restored > 0 {
		p.add("restore", "%d %s that had been there before", restored, plural(restored, "file"))
	}
	if err := p.removeRecord(); err != nil {
		return err
	}
	folders := slices.Clone(rec.Folders)
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) }) // deepest first
	for _, folder := range folders {
		p.set.RemoveFolder(folder)
	}
	return nil
}

// findLeftovers names programs that are removed though somebody else has
// registered them.
func (p *Plan) findLeftovers() error {
	for _, file := range []string{settingsFile, localSettingsFile} {
		target, err := p.project.resolve(file)
		if err != nil {
			return err
		}
		rest, edited := p.leftover[target]
		if !edited {
			if p.record.settings(target) != nil {
				continue // will be as it was before
			}
			if rest, _, err = p.project.read(target); err != nil {
				return err
			}
		}
		for _, program := range registration.Programs() {
			command := registration.Registration{Program: program.Name, Kind: program.Kind}.Command()
			if p.record.file(program.Path()+exe) != nil && settings.Has(rest, command) {
				p.remark("%s still registers %s, which is removed: take that entry out", file, program.Name)
			}
		}
	}
	return nil
}

// removeRecord removes the record and the originals, which are restored by
// now. An original whose file the user has changed since stays.
func (p *Plan) removeRecord() error {
	err := fs.WalkDir(p.project.root.FS(), recordFolder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.Contains(p.kept, file) {
			return err
		}
		if file != recordFile {
			p.set.Remove(file)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("looking at %s: %w", recordFolder, err)
	}
	p.set.Remove(recordFile)
	return nil
}

// putBack has the original of a file written over it.
func (p *Plan) putBack(file fileRecord) error {
	stored := originalPath(file.Path)
	now, err := p.project.state(stored)
	if err != nil {
		return err
	}
	if now.sum != file.Original.Sum {
		return fmt.Errorf("the original of %s, %s, is gone or damaged", file.Path, stored)
	}
	p.set.Copy(file.Path, "", func() (io.ReadCloser, error) { return p.project.root.Open(stored) }, file.Original.Mode)
	return nil
}

// restoreFile decides what becomes of a program, a configuration file or the
// .gitignore.
func (p *Plan) restoreFile(file fileRecord) (verb string, err error) {
	data, now, err := p.project.read(file.Path)
	switch {
	case err != nil:
		return "", err
	case !now.exists:
		if file.Original != nil {
			return "restore", p.putBack(file)
		}
		return "", nil
	case file.Original != nil && now.sum == file.Original.Sum:
		return "", nil
	case file.ours(now) && file.Original != nil:
		return "restore", p.putBack(file)
	case file.ours(now):
		p.set.Remove(file.Path)
		return "remove", nil
	case path.Base(file.Path) == path.Base(ignoreFile):
		return p.restoreIgnore(file, data, now)
	}
	p.add("keep", "%s, which was changed since it was installed", file.Path)
	if file.Original != nil {
		p.kept = append(p.kept, originalPath(file.Path))
		p.remark("what %s was before the installation is in %s", file.Path, originalPath(file.Path))
	}
	return "", nil
}

func (p *Plan) restoreIgnore(file fileRecord, data []byte, now state) (verb string, err error) {
	rest := withoutIgnoreBlock(data)
	if file.Original == nil && len(bytes.TrimSpace(rest)) == 0 {
		p.set.Remove(file.Path)
		return "remove", nil
	}
	if !bytes.Equal(rest, data) {
		p.set.Write(file.Path, rest, now.mode, true)
	}
	p.add("keep", "your lines in %s", file.Path)
	return "", nil
}

func (p *Plan) restoreSettings(file settingsRecord) error {
	data, now, err := p.project.read(file.Path)
	switch {
	case err != nil:
		return err
	case file.asBefore(now):
		return nil
	case !now.exists:
		p.remark("%s is gone; nothing to restore in it", file.Path)
		return nil
	case now.sum == file.Sum && file.Original != nil:
		p.add("restore", "%s as it was before", file.Path)
		return p.putBack(file.fileRecord)
	case now.sum == file.Sum && !file.Existed:
		p.add("remove", "%s", file.Path)
		p.set.Remove(file.Path)
		return nil
	}
	rest, err := settings.Revert(data, file.Changes)
	if err != nil {
		if errors.Is(err, settings.ErrBroken) {
			return fmt.Errorf("%s: %w; mend it first, so that the registrations can be taken out", file.Path, err)
		}
		return fmt.Errorf("%s: %w", file.Path, err)
	}
	if !file.Existed && settings.Empty(rest) {
		p.add("remove", "%s", file.Path)
		p.set.Remove(file.Path)
		return nil
	}
	p.leftover[file.Path] = rest
	if !bytes.Equal(rest, data) {
		p.add("remove", "our registrations from %s; what you changed since stays", file.Path)
		p.set.Write(file.Path, rest, now.mode, true)
	}
	return nil
}
