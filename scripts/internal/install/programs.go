package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

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
func (p *Plan) programs(o Options, built map[string]bool) error {
	shares, err := p.shares(o)
	if err != nil {
		return err
	}
	done := map[string][]string{}
	shared := 0
	for _, program := range registration.Programs() {
		if !built[program.Name] {
			continue
		}
		source := filepath.Join(o.Bin, program.Name+exe)
		share := shares[program.Name]
		if share != "" {
			source = filepath.Join(o.Bin, share+exe)
			shared++
		}
		sum, err := sumOfFile(source)
		if err != nil {
			return err
		}
		verb, err := p.program(program.Path()+exe, share, sum, func() (io.ReadCloser, error) { return os.Open(source) })
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
	if shared > 0 {
		p.remark("%d of the programs are names of %s", shared, strings.Join(multicall, " and "))
	}
	return nil
}

// multicall are the executables that can be many programs.
var multicall = []string{"isdlc-hooks-plain", "isdlc-hooks-shell"}

// shares is what Shares says, as far as links are wanted.
func (p *Plan) shares(o Options) (map[string]string, error) {
	if !o.Links {
		return nil, nil
	}
	shares, remark, err := Shares(o.Bin)
	if remark != "" {
		p.remark("%s", remark)
	}
	return shares, err
}

// Shares tells of each program which executable in bin it is to be a name of; those
// that are not in it are executables of their own. So are all, where one is not built
// that can be many: a remark for the user says so then.
func Shares(bin string) (shares map[string]string, remark string, err error) {
	bin, err = filepath.Abs(bin) // a bare name would be looked up in PATH
	if err != nil {
		return nil, "", fmt.Errorf("looking for the built programs: %w", err)
	}
	shares = map[string]string{}
	for _, executable := range multicall {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		out, err := exec.CommandContext(ctx, filepath.Join(bin, executable+exe)).Output()
		if errors.Is(err, fs.ErrNotExist) {
			return nil, executable + " is not built: every program is an executable of its own", nil
		}
		if err != nil {
			return nil, "", fmt.Errorf("asking %s what it can be: %w", executable, err)
		}
		for name := range strings.FieldsSeq(string(out)) {
			shares[name] = executable
		}
	}
	return shares, "", nil
}

func (p *Plan) program(file, share, sum string, open func() (io.ReadCloser, error)) (verb string, err error) {
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
	p.set.Copy(target, share, open, 0o755)
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
