package install

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"isdlc-hooks/scripts/internal/changeset"
)

// A Plan is what Install or Uninstall would do.
type Plan struct {
	// Dir is the project, as an absolute path.
	Dir string

	lines   []line
	remarks []string
	set     changeset.Set
	project *project
	record  *record
	planned map[string]bool // folders that will be made
	// For an uninstallation: originals that stay, and settings that somebody
	// has edited as they will be.
	kept     []string
	leftover map[string][]byte
	prove    func() (string, error)
}

// line is one thing that is done, in a form that fits before and after.
type line struct{ verb, text string }

var past = map[string]string{
	"copy": "copied", "replace": "replaced", "write": "wrote", "update": "updated", "register": "registered",
	"exchange": "exchanged", "remove": "removed", "restore": "restored", "keep": "kept", "edit": "edited",
}

func (p *Plan) add(verb, format string, args ...any) {
	p.lines = append(p.lines, line{verb, fmt.Sprintf(format, args...)})
}

func (p *Plan) remark(format string, args ...any) {
	p.remarks = append(p.remarks, fmt.Sprintf(format, args...))
}

// Nothing tells whether the project already is as it should be.
func (p *Plan) Nothing() bool { return p.set.Empty() }

// Steps says what is to be done, one line for each thing.
func (p *Plan) Steps() []string {
	var steps []string
	for _, l := range p.lines {
		steps = append(steps, l.verb+" "+l.text)
	}
	return steps
}

// Done says the same after it was done.
func (p *Plan) Done() []string {
	var done []string
	for _, l := range p.lines {
		done = append(done, past[l.verb]+" "+l.text)
	}
	return done
}

// Remarks are lines about what is not done, or what the user should know.
func (p *Plan) Remarks() []string { return p.remarks }

// Apply does it. The proof is a line that says how an installed program
// answered; it is empty where there was nothing to try. After an error the
// project is as it was.
func (p *Plan) Apply() (proof string, err error) {
	try := func() error {
		if p.prove == nil {
			return nil
		}
		proof, err = p.prove()
		return err
	}
	if p.set.Empty() {
		return proof, try()
	}
	if err := p.set.Apply(p.project.root, try); err != nil {
		return "", fmt.Errorf("%w; the project is as it was before", err)
	}
	return proof, nil
}

// Close lets go of the project.
func (p *Plan) Close() error { return p.project.root.Close() }

// folder has the folders above a file made where they are missing.
func (p *Plan) folder(file string) error {
	dir := path.Dir(file)
	if dir == "." || p.planned[dir] {
		return nil
	}
	_, err := p.project.root.Stat(dir)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking at %s: %w", dir, err)
	}
	if err := p.folder(dir); err != nil {
		return err
	}
	p.set.Folder(dir)
	if !slices.Contains(p.record.Folders, dir) {
		p.record.Folders = append(p.record.Folders, dir)
	}
	p.planned[dir] = true
	return nil
}
