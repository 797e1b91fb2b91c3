package hooktest

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Options are what a run can differ in. The zero value is an ordinary run.
type Options struct {
	Args    []string          // of the command line
	Env     map[string]string // added to the environment, or in place of what is there
	Unset   []string          // variables that are taken out of it
	Dir     string            // working directory below the project, made where it is missing
	Timeout time.Duration     // 60 s when zero; the program is killed then
}

// A Result is what a program did besides changing files.
type Result struct {
	Stdout, Stderr string
	Exit           int // -1 when a signal ended the program
	TimedOut       bool
	Lingering      bool // a child of the program outlived it and kept its output open
	Duration       time.Duration
}

// Run runs a program with stdin and waits for it. The name is that of a program
// of the checkout, or a path.
func (p *Project) Run(program, stdin string) Result {
	p.t.Helper()
	return p.RunWith(program, stdin, Options{})
}

// RunWith is [Project.Run] with options.
func (p *Project) RunWith(program, stdin string, o Options) Result {
	p.t.Helper()
	if !strings.ContainsRune(program, filepath.Separator) {
		program = Program(p.t, program)
	}
	if o.Timeout == 0 {
		o.Timeout = 60 * time.Second
	}
	ctx, cancel := context.WithTimeout(context.Background(), o.Timeout)
	defer cancel()

	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, program, o.Args...)
	command.Dir = p.Path(o.Dir)
	command.Env = p.environment(o)
	command.Stdin = strings.NewReader(stdin)
	command.Stdout, command.Stderr = &stdout, &stderr
	command.WaitDelay = 2 * time.Second // then output that a left-over child holds open is given up
	if err := os.MkdirAll(command.Dir, 0o755); err != nil {
		p.t.Fatal(err)
	}

	start := time.Now()
	err := command.Run()
	if command.ProcessState == nil {
		p.t.Fatalf("starting %s: %v", program, err)
	}
	return Result{
		Stdout:    stdout.String(),
		Stderr:    stderr.String(),
		Exit:      command.ProcessState.ExitCode(),
		TimedOut:  ctx.Err() != nil,
		Lingering: errors.Is(err, exec.ErrWaitDelay),
		Duration:  time.Since(start),
	}
}

// environment holds what a run is promised and nothing else, so that neither the
// settings nor the git configuration of the person who tests can matter.
func (p *Project) environment(o Options) []string {
	env := map[string]string{
		"PATH":                os.Getenv("PATH"),
		"HOME":                p.Home,
		"TZ":                  "UTC",
		"LANG":                "C.UTF-8",
		"CLAUDE_PROJECT_DIR":  p.Dir,
		"GIT_CONFIG_GLOBAL":   os.DevNull,
		"GIT_CONFIG_NOSYSTEM": "1",
	}
	maps.Copy(env, o.Env)
	for _, name := range o.Unset {
		delete(env, name)
	}
	if p.bin != "" {
		env["PATH"] = p.bin + string(filepath.ListSeparator) + env["PATH"]
	}
	list := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}
