package taskie

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// maxOutput bounds what is kept of the reviewer's standard output.
const maxOutput = 16 << 20

var (
	errTimedOut    = errors.New("claude timed out")
	errInterrupted = errors.New("the review was interrupted")
)

// A Command is a program that a [Runner] runs. Its standard input is empty.
type Command struct {
	Path   string
	Args   []string // without the program
	Dir    string
	Env    []string
	Stderr io.Writer
}

// A Runner runs a command until it ends or ctx does, and gives its standard
// output. Whatever the command has started is gone when it returns. The error is
// an [*ExitError], the cause of ctx, or that of the start.
type Runner func(ctx context.Context, c Command) (stdout []byte, err error)

// An ExitError tells that a program did not end well.
type ExitError struct {
	Status int    // as a shell gives it: 128 and the number of the signal, if one ended it
	Signal string // its name, "" without one
}

func (e *ExitError) Error() string {
	if e.Signal != "" {
		return fmt.Sprintf("claude was ended by a signal (%s, exit status %d)", e.Signal, e.Status)
	}
	return fmt.Sprintf("claude ended with exit status %d", e.Status)
}

// Run is the [Runner] for real processes. The command and all that it starts are
// tied to this process: they end with the command, and also when this process is
// killed meanwhile; how, depends on the system.
func Run(ctx context.Context, c Command) ([]byte, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout = &limited{w: &out, left: maxOutput}
	cmd.Stderr = c.Stderr
	cmd.WaitDelay = time.Second // then output that somebody else holds open is given up
	tie, err := tieTo(cmd)
	if err != nil {
		return nil, fmt.Errorf("claude could not be started: %w", err)
	}
	defer tie.end()
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("claude could not be started: %w", err)
	}
	if err := tie.started(cmd.Process); err != nil {
		_ = cmd.Cancel()
		_ = cmd.Wait() // the error that counts is told
		return nil, fmt.Errorf("claude could not be started: %w", err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &exit):
		return nil, exitError(exit.ProcessState)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("claude: %w", err)
	}
	return out.Bytes(), nil
}

func exitError(p *os.ProcessState) *ExitError {
	if status, ok := p.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return &ExitError{Status: 128 + int(status.Signal()), Signal: status.Signal().String()}
	}
	return &ExitError{Status: p.ExitCode()}
}

// interruptible gives a context that ends when the hook is told to end, or is
// left alone, with errInterrupted as the cause. Until release the signals do
// nothing else.
func interruptible() (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case s := <-signals:
			cancel(fmt.Errorf("%w: %v", errInterrupted, s))
		case <-abandoned(ctx):
			cancel(fmt.Errorf("%w: whoever asked for it is gone", errInterrupted))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		signal.Stop(signals)
	}
}

// limited hands on the first bytes that are written to it and takes the rest
// without a word, so that the writer is never held up.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	kept := p[:min(len(p), l.left)]
	l.left -= len(kept)
	if _, err := l.w.Write(kept); err != nil {
		l.left = 0
	}
	return len(p), nil
}
