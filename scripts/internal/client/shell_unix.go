//go:build unix

package client

import (
	"context"
	"os/exec"
	"syscall"
)

// shell runs the command of a hook by /bin/sh, whatever shell the user has.
func (c Call) shell(ctx context.Context) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", c.Hook.Command)
}

// together has the shell and what it started end together: they are asked to at
// the timeout, and killed when they do not.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
