package install

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

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
		switch {
		case c.Was != nil && c.Was.Hook != "":
			p.add("remove", "%s: %s from %s, for %s does its work", what, c.Was.Command, file, program)
			continue
		case c.Was != nil:
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
	p.record.Settings = append(p.record.Settings, settingsRecord{fileRecord{Path: target, Sum: sum, Original: kept}, now.exists, changes})
	return nil
}
