//go:build unix

package e2e

import (
	"os/exec"
	"syscall"
)

// ownGroup lets the end of the command be the end of all that it started.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return endGroup(command) }
}

// endGroup kills whatever the command left behind.
func endGroup(command *exec.Cmd) error {
	return syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
}
