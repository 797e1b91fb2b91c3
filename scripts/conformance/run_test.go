package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"isdlc-hooks/lib/hooktest"
)

// An outcome is one run beside what was expected of it.
type outcome struct {
	step
	form   form
	event  string // which the run is about
	legacy bool   // whether the environment asks for the legacy format
	ignore []string

	result        hooktest.Result
	before, after hooktest.Files
	home          hooktest.Files
}

// runCase plays a case in one form on a project of its own and tells what went
// otherwise than expected, one text for each expectation. The error is one of
// the vector, not of the program.
func runCase(t testing.TB, bases map[string]json.RawMessage, raw json.RawMessage, f form) (problems []string, err error) {
	t.Helper()
	now := time.Now().UTC()
	problems, err = play(t, bases, raw, f, now)
	if len(problems) > 0 && time.Now().UTC().Day() != now.Day() {
		return play(t, bases, raw, f, time.Now().UTC()) // {{today}} was yesterday
	}
	return problems, err
}

func play(t testing.TB, bases map[string]json.RawMessage, raw json.RawMessage, f form, now time.Time) (problems []string, err error) {
	t.Helper()
	p := hooktest.NewProject(t)
	sc := scene{project: p.Dir, now: now}
	v, err := sc.read(raw)
	if err != nil {
		return nil, err
	}
	if err := sc.stage(t, p, bases, v); err != nil {
		return nil, err
	}
	for i, s := range v.runs() {
		if v.Steps != nil {
			if err := sc.lay(t, p, bases, s.Files); err != nil {
				return nil, err
			}
		}
		o, err := perform(p, v, s, f)
		if err != nil {
			return nil, err
		}
		for _, problem := range o.problems() {
			if v.Steps != nil {
				problem = fmt.Sprintf("step %d, %s: %s", i+1, s.Program, problem)
			}
			problems = append(problems, problem)
		}
	}
	return problems, nil
}

// stage lays down what is there before the first run.
func (sc scene) stage(t testing.TB, p *hooktest.Project, bases map[string]json.RawMessage, v *vector) error {
	if !v.Configs.none {
		p.Configs(v.Configs.names...)
	}
	if err := sc.lay(t, p, bases, v.Files); err != nil {
		return err
	}
	if v.Git != nil {
		p.Git(hooktest.Repository(*v.Git))
	}
	for name, script := range v.Bin {
		p.Executable(name, script)
	}
	for name, mode := range v.Modes {
		bits, err := strconv.ParseUint(mode, 8, 12)
		if err != nil {
			return fmt.Errorf("mode of %s: %w", name, err)
		}
		p.Chmod(name, fs.FileMode(bits))
	}
	return nil
}

func (sc scene) lay(t testing.TB, p *hooktest.Project, bases map[string]json.RawMessage, files map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if string(files[name]) == "null" {
			p.Remove(name)
			continue
		}
		text, err := sc.content(t, bases, files[name])
		if err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
		p.Write(name, text)
	}
	return nil
}

func perform(p *hooktest.Project, v *vector, s step, f form) (*outcome, error) {
	if s.Expect == nil {
		return nil, fmt.Errorf("no expectation")
	}
	o := &outcome{step: s, form: f, event: eventName(s), ignore: v.Ignore}
	options := hooktest.Options{Env: map[string]string{}, Dir: s.Cwd}
	if options.Dir == "" {
		options.Dir = v.Cwd
	}
	if f == legacy {
		options.Env["ISDLC_BLOCK_FORMAT"] = "legacy"
	}
	for _, env := range []map[string]*string{v.Env, s.Env} {
		for name, to := range env {
			if to == nil {
				options.Unset = append(options.Unset, name)
				continue
			}
			options.Env[name] = *to
		}
	}
	o.legacy = options.Env["ISDLC_BLOCK_FORMAT"] == "legacy"
	stdin, err := f.stdin(s, p)
	if err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	o.before = p.Files()
	o.result = p.RunWith(s.Program, stdin, options)
	o.after = p.Files()
	o.home = p.HomeFiles()
	return o, nil
}
