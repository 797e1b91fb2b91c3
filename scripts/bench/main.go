// Command bench times the built programs as whole processes against an empty Go
// program that reads its input, in turn (A B A B …), so that a machine whose
// speed drifts slows both. It prints tables and judges nothing: each program on
// events that it turns away, reads everything for, and writes the state for; what
// the layouts of an installation take and cost; how time and memory grow with the
// state; what a whole session costs. What is timed is what the installer lays out.
//
//	go run ./scripts/bench -bin bin [-n 200] [-run REGEXP]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	bin := flag.String("bin", "bin", "the folder of the built programs")
	n := flag.Int("n", 200, "timed runs of each program and event")
	only := flag.String("run", "", "time only programs whose name matches this expression")
	of := flag.String("peak", "", "run this `PROGRAM` on the standard input and print its peak memory in bytes")
	flag.Parse()
	var err error
	if *of != "" {
		err = printPeak(*of)
	} else {
		err = run(*bin, *n, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(bin string, n int, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("read -run: %w", err)
	}
	work, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	empty, err := buildEmpty(work)
	if err != nil {
		return err
	}
	project, err := newProject(filepath.Join(work, "project"))
	if err != nil {
		return err
	}
	linked, err := lay(project.dir, bin, true)
	if err != nil {
		return err
	}

	fmt.Printf("whole-process wall time of %d runs each, ratio to an empty Go program (%s/%s, %d cores)\n\n",
		n, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "program\tevent\tmedian\tempty\tratio\tratio of minima\t")
	ran := 0
	for _, p := range programs {
		path := linked.program(p.name)
		if path == "" || !match.MatchString(p.name) {
			continue
		}
		for _, e := range p.events() {
			a, b, err := pair(project, path, empty, e.json, n)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name, e.name, err)
			}
			fmt.Fprintf(table, "%s\t%s\t%.2f ms\t%.2f ms\t%.2f\t%.2f\t\n", p.name, e.name,
				ms(median(a)), ms(median(b)), ratio(median(a), median(b)), ratio(slices.Min(a), slices.Min(b)))
			ran++
		}
	}
	if ran == 0 {
		return fmt.Errorf("no program in %s", bin)
	}
	if err := table.Flush(); err != nil || only != "" {
		return err
	}
	if err := layouts(project, linked, filepath.Join(work, "separate"), bin, empty, n); err != nil {
		return err
	}
	if err := growth(project, linked, empty, n); err != nil {
		return err
	}
	return session(project, linked, empty)
}

// buildEmpty builds what all are measured against, and copies it as an installer
// copies: a file that the linker has just mapped and written starts more slowly.
func buildEmpty(work string) (string, error) {
	built := filepath.Join(work, "built")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", built, "isdlc-hooks/scripts/bench/empty")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the empty program: %w\n%s", err, out)
	}
	data, err := os.ReadFile(built)
	if err != nil {
		return "", err
	}
	empty := filepath.Join(work, "empty")
	return empty, os.WriteFile(empty, data, 0o755)
}

// pair times program and empty in turn on the same event.
func pair(p *project, program, empty, event string, n int) (a, b []time.Duration, err error) {
	for i := range n + n/10 + 1 {
		if err := p.reset(); err != nil {
			return nil, nil, err
		}
		timeA, err := p.time(program, event)
		if err != nil {
			return nil, nil, err
		}
		timeB, err := p.time(empty, event)
		if err != nil {
			return nil, nil, err
		}
		if i > n/10 { // the first ones warm up
			a, b = append(a, timeA), append(b, timeB)
		}
	}
	return a, b, nil
}

func median(d []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(d))
	return s[len(s)/2]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// A project is a scratch project with a state of the size that working ones
// have.
type project struct {
	dir   string
	state []byte
	input string
}

const stateSize = 60 << 10

func newProject(dir string) (*project, error) {
	p := &project{dir: dir, input: filepath.Join(dir, "event.json")}
	config := filepath.Join(dir, ".claude", "hooks", "config")
	isdlc := filepath.Join(dir, ".isdlc", "config")
	docs := filepath.Join(dir, "docs", "isdlc")
	for _, d := range []string{config, isdlc, docs} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	for file, folder := range map[string]string{
		"iteration-requirements.json": config, "skills-manifest.json": config, "artifact-paths.json": config, "workflows.json": isdlc,
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "config", file))
		if err != nil {
			return nil, fmt.Errorf("run this in the folder of the repository: %w", err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), data, 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(docs, "tasks.md"), []byte("# Tasks\n\n- [ ] T0001 Do it\n"), 0o644); err != nil {
		return nil, err
	}
	p.state = state(stateSize)
	return p, nil
}

const stateHead = `{
  "state_version": 7,
  "iteration_enforcement": {
    "enabled": true
  },
  "active_workflow": {
    "type": "feature",
    "current_phase": "06-implementation",
    "current_phase_index": 0,
    "phases": [
      "06-implementation",
      "08-code-review"
    ]
  },
  "skill_usage_log": [LOG
  ],
  "phases": {
    "06-implementation": {
      "status": "in_progress",
      "iteration_requirements": {
        "test_iteration": {
          "completed": false,
          "last_test_result": "failed",
          "current_iteration": 1,
          "max_iterations": 10,
          "history": []
        }
      }
    }
  }
}`

// reset puts the state back as it was, flushed as a hook leaves it. The activity
// log stays: a project that is worked on has one.
func (p *project) reset() error {
	f, err := os.Create(filepath.Join(p.dir, ".isdlc", "state.json"))
	if err != nil {
		return err
	}
	_, err = f.Write(p.state)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// time runs a program once on an event.
func (p *project) time(program, event string) (time.Duration, error) {
	if err := os.WriteFile(p.input, []byte(event), 0o644); err != nil {
		return 0, err
	}
	in, err := os.Open(p.input)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	program, err = filepath.Abs(program)
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(program)
	cmd.Dir = p.dir
	cmd.Env = []string{"CLAUDE_PROJECT_DIR=" + p.dir, "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = in
	start := time.Now()
	err = cmd.Run()
	elapsed := time.Since(start)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		err = nil // the DES programs tell their answer by it, too
	}
	return elapsed, err
}
