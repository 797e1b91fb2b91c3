//go:build unix

package taskie

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// watchArgument makes the program a watcher.
const watchArgument = "--watch-review"

// A tie holds a command and all that it starts in one process group, which a
// watcher leads: this program once more, waiting at the end of a pipe. When this
// process ends, however it does, the system closes the pipe, and the watcher
// kills the group.
type tie struct {
	watcher *exec.Cmd
	alive   *os.File // the end of the pipe that only this process holds
}

func tieTo(cmd *exec.Cmd) (*tie, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	watcher := exec.Command(program, watchArgument)
	watcher.Stdin = read
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := watcher.Start(); err != nil {
		write.Close()
		return nil, err
	}
	t := &tie{watcher, write}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: watcher.Process.Pid}
	cmd.Cancel = t.kill
	return t, nil
}

func (t *tie) started(*os.Process) error { return nil } // it joins the group before it runs

// kill ends the group. That the watcher was not waited for yet keeps its number
// from being given to another one.
func (t *tie) kill() error {
	err := syscall.Kill(-t.watcher.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (t *tie) end() {
	_ = t.kill() // the closed pipe does it too
	_ = t.alive.Close()
	_ = t.watcher.Wait() // it was killed, and says so
}

// keepWatch is the whole work of a watcher. It returns false in a process that
// is none.
func keepWatch() bool {
	if len(os.Args) != 2 || os.Args[1] != watchArgument {
		return false
	}
	for {
		if n, err := os.Stdin.Read(make([]byte, 1)); n == 0 || err != nil {
			break // nothing is ever written
		}
	}
	if syscall.Getpgrp() == os.Getpid() { // started by hand, it is not the leader
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
	return true
}

// abandoned tells when the parent of this process is gone: a shell between the
// client and the hook may be ended alone, and then nobody wants the review.
func abandoned(ctx context.Context) <-chan struct{} {
	gone := make(chan struct{})
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if os.Getppid() != parent {
					close(gone)
					return
				}
			}
		}
	}()
	return gone
}
