// Package client does what Claude Code does with a hook that stands in its
// settings: finds the program behind a command, runs it on an event, and makes
// out what the answer means (spec claude-code.md, b to e).
package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"isdlc-hooks/scripts/internal/settings"
)

// Variables that the client sets for hooks.
const (
	projectVariable = "CLAUDE_PROJECT_DIR"
	pluginVariable  = "CLAUDE_PLUGIN_ROOT"
)

const (
	maxOutput = 16 << 20        // bytes of either output that are kept
	grace     = 2 * time.Second // between asking a program to end and killing it
)

// A Call is one run of a hook.
type Call struct {
	Hook    settings.Hook
	Event   []byte            // for standard input
	Project string            // the project of the session
	Plugin  string            // the folder of the plugin that the hook belongs to; "" for none
	Dir     string            // the working directory
	Env     map[string]string // beside the environment of this process
	Limit   time.Duration     // at most; 0: what the client allows
}

// A Result is what came of a run.
type Result struct {
	Stdout, Stderr string
	Exit           int
	TimedOut       bool
	Err            error // it could not be started, or was killed by something else
	Took           time.Duration
	Limit          time.Duration
}

// Limit is how long the client waits for a hook.
func Limit(h settings.Hook) time.Duration {
	switch {
	case h.Timeout > 0:
		return time.Duration(min(h.Timeout, 1e6) * float64(time.Second))
	case h.Event == "UserPromptSubmit":
		return 30 * time.Second
	case h.Event == "SessionEnd":
		return 1500 * time.Millisecond
	}
	return 600 * time.Second
}

// Run runs a hook of the type command to its end, or to its timeout. When ctx
// ends first, the error of the result is that of ctx.
func Run(ctx context.Context, c Call) Result {
	limit := Limit(c.Hook)
	if c.Limit > 0 {
		limit = min(limit, c.Limit)
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := c.command(timed)
	var stdout, stderr capped
	cmd.Dir, cmd.Env = c.Dir, c.environment()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.Event), &stdout, &stderr
	cmd.WaitDelay = grace
	start := time.Now()
	err := cmd.Run()
	r := Result{Stdout: stdout.String(), Stderr: stderr.String(), Took: time.Since(start), Limit: limit}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.Err = ctx.Err()
	case timed.Err() != nil:
		r.TimedOut = true
	case errors.As(err, &exit):
		if r.Exit = exit.ExitCode(); r.Exit < 0 {
			r.Err = err
		}
	case errors.Is(err, exec.ErrWaitDelay): // something that it started still holds its output open; it has answered
	case err != nil:
		r.Err = err
	}
	return r
}

func (c Call) command(ctx context.Context) *exec.Cmd {
	var cmd *exec.Cmd
	if c.Hook.Exec {
		words := slices.Concat([]string{c.Hook.Command}, c.Hook.Args)
		fill := strings.NewReplacer("${"+projectVariable+"}", c.Project, "${"+pluginVariable+"}", c.Plugin)
		for i := range words {
			words[i] = fill.Replace(words[i])
		}
		cmd = exec.CommandContext(ctx, words[0], words[1:]...)
	} else {
		cmd = c.shell(ctx)
	}
	together(cmd)
	return cmd
}

// environment is that of this process, with what the client and the settings
// add.
func (c Call) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		_, set := c.Env[name]
		return set || name == projectVariable || name == pluginVariable
	})
	for name, value := range c.Env {
		env = append(env, name+"="+value)
	}
	env = append(env, projectVariable+"="+c.Project)
	if c.Plugin != "" {
		env = append(env, pluginVariable+"="+c.Plugin)
	}
	return env
}

// Fault tells what went wrong with a run, so that the client would go on as if
// the hook had said nothing; empty where nothing did.
func (r Result) Fault() string {
	switch {
	case r.TimedOut:
		return fmt.Sprintf("no answer within %s", r.Limit)
	case r.Err != nil:
		return r.Err.Error()
	case r.Exit == 0:
		return ""
	}
	said, _, _ := strings.Cut(strings.TrimSpace(r.Stderr), "\n")
	if said != "" {
		said = ": " + said
	}
	return fmt.Sprintf("exit code %d%s", r.Exit, said)
}

// capped keeps the beginning of an output and swallows the rest.
type capped struct{ kept bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	c.kept.Write(p[:min(len(p), max(0, maxOutput-c.kept.Len()))])
	return len(p), nil
}

func (c *capped) String() string { return c.kept.String() }
