package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"isdlc-hooks/scripts/internal/registration"
)

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
	for verb, where := range map[string]string{"copy": "into", "replace": "in"} {
		if names := done[verb]; len(names) > 0 {
			p.add(verb, "%d %s %s %s: %s", len(names), plural(len(names), "program"), where, hooksFolder, strings.Join(names, ", "))
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
