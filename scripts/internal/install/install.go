package install

import (
	"fmt"
	"slices"
	"strings"

	"isdlc-hooks/scripts/internal/registration"
)

// Options say what is installed where.
type Options struct {
	Project string
	Bin     string   // folder of the built programs
	Links   bool     // make the programs names of few executables, where those are built
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
		func() error { return p.programs(o, built) },
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

func without(selected []registration.Registration, built map[string]bool) []string {
	var missing []string
	for _, r := range selected {
		if !built[r.Program] && !slices.Contains(missing, r.Program) {
			missing = append(missing, r.Program)
		}
	}
	return missing
}
