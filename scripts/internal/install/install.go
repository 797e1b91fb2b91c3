package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"isdlc-hooks/scripts/internal/defaults"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

// Options say what is installed where.
type Options struct {
	Project string
	Bin     string   // folder of the built programs
	Only    []string // groups or programs to register instead of the default
	With    []string // groups or programs to register beside that
}

// Install plans an installation. Everything that can be refused is refused
// here, before anything has changed.
func Install(o Options) (*Plan, error) {
	selected, err := registration.Select(o.Only, o.With)
	if err != nil {
		return nil, err
	}
	proj, err := openProject(o.Project)
	if err != nil {
		return nil, err
	}
	p := &Plan{Dir: proj.dir, project: proj, planned: map[string]bool{}}
	if err := p.install(o, selected); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Plan) install(o Options, selected []registration.Registration) error {
	before, recorded, err := p.project.readRecord()
	if err != nil {
		return err
	}
	p.record = before
	if p.record == nil {
		p.record = &record{Version: recordVersion}
	}
	built, err := builtPrograms(o.Bin)
	if err != nil {
		return err
	}
	available := slices.DeleteFunc(slices.Clone(selected), func(r registration.Registration) bool { return !built[r.Program] })
	if missing := without(selected, built); len(missing) > 0 {
		if len(available) == 0 {
			return fmt.Errorf("nothing to register: %s is not built in %s", strings.Join(missing, ", "), o.Bin)
		}
		p.remark("left out, because not built: %s", strings.Join(missing, ", "))
	}

	// The record is written first and the settings last: whatever a crash
	// leaves behind is known, and no command is registered without its program.
	w := wish(available, built, len(o.Only) == 0)
	steps := []func() error{
		func() error { return p.programs(o.Bin, built) },
		p.configuration,
		p.ignore,
		func() error { return p.settings(settingsFile, w) },
		func() error { return p.localSettings(w) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	p.prove = func() (string, error) { return prove(p.project.dir, available) }
	return p.writeRecord(recorded)
}

// writeRecord puts the record in front of all other changes, if there are any.
func (p *Plan) writeRecord(recorded state) error {
	if p.set.Empty() {
		return nil
	}
	if err := p.folder(recordFile); err != nil {
		return err
	}
	data, err := p.record.encode()
	if err != nil {
		return err
	}
	p.set.WriteFirst(recordFile, data, 0o644, recorded.exists)
	return nil
}

// builtPrograms are the programs that lie in a folder.
func builtPrograms(bin string) (map[string]bool, error) {
	built := map[string]bool{}
	for _, program := range registration.Programs() {
		info, err := os.Stat(filepath.Join(bin, program.Name+exe))
		switch {
		case err == nil && info.Mode().IsRegular():
			built[program.Name] = true
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("looking for the built programs: %w", err)
		}
	}
	if len(built) == 0 {
		return nil, fmt.Errorf("no built programs in %s; build them with make build", bin)
	}
	return built, nil
}

func without(selected []registration.Registration, built map[string]bool) []string {
	var missing []string
	for _, r := range selected {
		if !built[r.Program] && !slices.Contains(missing, r.Program) {
			missing = append(missing, r.Program)
		}
	}
	return missing
}

// programs copies all that are built, registered or not: a person may register
// one alone.
func (p *Plan) programs(bin string, built map[string]bool) error {
	done := map[string][]string{}
	for _, program := range registration.Programs() {
		if !built[program.Name] {
			continue
		}
		source := filepath.Join(bin, program.Name+exe)
		sum, err := sumOfFile(source)
		if err != nil {
			return err
		}
		verb, err := p.program(program.Path()+exe, sum, func() (io.ReadCloser, error) { return os.Open(source) })
		if err != nil {
			return err
		}
		done[verb] = append(done[verb], program.Name)
	}
	for _, verb := range []string{"copy", "replace"} {
		if names := done[verb]; len(names) > 0 {
			p.add(verb, "%d %s in %s: %s", len(names), plural(len(names), "program"), hooksFolder, strings.Join(names, ", "))
		}
	}
	return nil
}

func (p *Plan) program(file, sum string, open func() (io.ReadCloser, error)) (verb string, err error) {
	target, err := p.project.resolve(file)
	if err != nil {
		return "", err
	}
	now, err := p.project.state(target)
	if err != nil {
		return "", err
	}
	if now.exists && now.sum == sum {
		if rec := p.record.file(target); rec != nil {
			rec.Sum = sum
		}
		return "", nil
	}
	if err := p.own(target, sum, now); err != nil {
		return "", err
	}
	p.set.Copy(target, open, 0o755)
	if now.exists {
		return "replace", nil
	}
	return "copy", nil
}

// own records that a file will have the given sum, and keeps what is there now
// where it is not ours.
func (p *Plan) own(file, sum string, now state) error {
	if err := p.folder(file); err != nil {
		return err
	}
	if rec := p.record.file(file); rec != nil && !rec.asBefore(now) {
		rec.Sum = sum
		return nil
	}
	kept, err := p.keep(file, now)
	if err != nil {
		return err
	}
	p.record.Files = slices.DeleteFunc(p.record.Files, func(f fileRecord) bool { return f.Path == file })
	p.record.Files = append(p.record.Files, fileRecord{Path: file, Sum: sum, Original: kept})
	return nil
}

// keep copies a file to the originals; nil where there is no file.
func (p *Plan) keep(file string, now state) (*original, error) {
	if !now.exists {
		return nil, nil
	}
	if err := p.folder(originalPath(file)); err != nil {
		return nil, err
	}
	p.set.Copy(originalPath(file), func() (io.ReadCloser, error) { return p.project.root.Open(file) }, 0o600)
	return &original{Sum: now.sum, Mode: now.mode}, nil
}

// configuration writes the files that hooks read where the project has none,
// and renews those of an older release that nobody has touched.
func (p *Plan) configuration() error {
	for _, file := range defaults.Files {
		content := file.Content()
		present, target := "", ""
		for _, folder := range file.Folders {
			candidate, err := p.project.resolve(folder + "/" + file.Name)
			if err != nil {
				return err
			}
			if target == "" {
				target = candidate
			}
			if s, err := p.project.state(candidate); err != nil {
				return err
			} else if s.exists && present == "" {
				present = candidate
			}
		}
		now := state{}
		if present != "" {
			var err error
			if now, err = p.project.state(present); err != nil {
				return err
			}
			rec := p.record.file(present)
			if rec == nil || rec.Sum != now.sum || now.sum == sumOfBytes(content) {
				continue
			}
			target = present
		}
		if err := p.own(target, sumOfBytes(content), now); err != nil {
			return err
		}
		if now.exists {
			p.set.Write(target, content, now.mode, true)
			p.add("update", "%s to the defaults of this release", target)
			continue
		}
		p.set.Write(target, content, 0o644, false)
		p.add("write", "%s with defaults", target)
	}
	return nil
}

func (p *Plan) ignore() error {
	target, err := p.project.resolve(ignoreFile)
	if err != nil {
		return err
	}
	data, now, err := p.project.read(target)
	if err != nil {
		return err
	}
	wanted := withIgnoreBlock(data)
	sum := sumOfBytes(wanted)
	if now.exists && now.sum == sum {
		return nil
	}
	rec := p.record.file(target)
	edited := rec != nil && now.exists && rec.Sum != now.sum && !rec.asBefore(now)
	if err := p.own(target, sum, now); err != nil {
		return err
	}
	if edited {
		p.record.file(target).Sum = "" // only the block can be taken out again
	}
	mode := fs.FileMode(0o644)
	if now.exists {
		mode = now.mode
	}
	p.set.Write(target, wanted, mode, now.exists)
	p.add("write", "%s, so that the programs are not committed", target)
	return nil
}

// wish is what a settings file is to hold. Without a choice by the user every
// .cjs hook of which we have the program is exchanged, also where the table
// does not register it.
func wish(available []registration.Registration, built map[string]bool, all bool) settings.Wish {
	w := settings.Wish{Known: func(name string) bool {
		_, known := registration.Alone(name)
		return known
	}}
	for _, r := range available {
		w.Entries = append(w.Entries, entry(r))
	}
	w.Exchange = func(event, name string) []settings.Entry {
		var candidates []settings.Entry
		for _, r := range available {
			if r.Event == event && slices.Contains(r.Replaces, name) {
				candidates = append(candidates, entry(r))
			}
		}
		if alone, found := registration.Alone(name); all && found && built[name] {
			candidates = append(candidates, settings.Entry{Command: alone.Command(), Timeout: alone.Timeout})
		}
		return candidates
	}
	return w
}

func entry(r registration.Registration) settings.Entry {
	return settings.Entry{Event: r.Event, Matcher: r.Matcher, Command: r.Command(), Timeout: r.Timeout}
}

func (p *Plan) localSettings(w settings.Wish) error {
	w.Entries = nil
	err := p.settings(localSettingsFile, w)
	if errors.Is(err, settings.ErrBroken) {
		p.remark("left alone: %v", err)
		return nil
	}
	return err
}

func (p *Plan) settings(file string, w settings.Wish) error {
	target, err := p.project.resolve(file)
	if err != nil {
		return err
	}
	data, now, err := p.project.read(target)
	if err != nil {
		return err
	}
	edited, changes, remarks, err := settings.Edit(data, w)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, remark := range remarks {
		p.remark("%s: %s", file, remark)
	}
	if len(changes) == 0 {
		return nil
	}
	if err := p.ownSettings(target, sumOfBytes(edited), now, changes); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if now.exists {
		mode = now.mode
	}
	p.set.Write(target, edited, mode, now.exists)
	for _, c := range changes {
		what := c.Event
		if c.Matcher != "" {
			what += " " + c.Matcher
		}
		program := strings.TrimPrefix(c.Command, `"$CLAUDE_PROJECT_DIR"/`)
		if c.Was != nil {
			p.add("exchange", "%s: %s for %s in %s", what, c.Was.Command, program, file)
			continue
		}
		p.add("register", "%s: %s (%d s) in %s", what, program, c.Timeout, file)
	}
	return nil
}

func (p *Plan) ownSettings(target, sum string, now state, changes []settings.Change) error {
	if err := p.folder(target); err != nil {
		return err
	}
	if rec := p.record.settings(target); rec != nil && !rec.asBefore(now) {
		if rec.Sum != now.sum {
			rec.Original = nil
			rec.Sum = ""
		} else {
			rec.Sum = sum
		}
		rec.Changes = append(rec.Changes, changes...)
		return nil
	}
	kept, err := p.keep(target, now)
	if err != nil {
		return err
	}
	p.record.Settings = slices.DeleteFunc(p.record.Settings, func(f settingsRecord) bool { return f.Path == target })
	p.record.Settings = append(p.record.Settings, settingsRecord{fileRecord{target, sum, kept}, now.exists, changes})
	return nil
}

func sumOfFile(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("reading the built programs: %w", err)
	}
	defer f.Close()
	sum, err := sumOf(f)
	if err != nil {
		return "", fmt.Errorf("reading the built programs: %w", err)
	}
	return sum, nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
