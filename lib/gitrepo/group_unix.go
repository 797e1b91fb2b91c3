//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a cancelled command take its children with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
