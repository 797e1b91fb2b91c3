package e2e

import "os/exec"

// ownGroup does nothing here: the command alone is ended.
func ownGroup(*exec.Cmd) {}

func endGroup(command *exec.Cmd) error { return command.Process.Kill() }
