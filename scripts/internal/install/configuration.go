package install

import (
	"isdlc-hooks/scripts/internal/defaults"
)

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
