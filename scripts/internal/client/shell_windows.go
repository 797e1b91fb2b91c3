package client

import (
	"context"
	"os"
	"os/exec"
)

// shell runs the program of a command directly where that is all it does: which
// shell the client finds here differs from machine to machine.
func (c Call) shell(ctx context.Context) *exec.Cmd {
	t := Find(c.Hook, c.Project, c.Plugin, os.Getenv)
	if t.Alone && t.Path != "" {
		return exec.CommandContext(ctx, t.Path, t.Args...)
	}
	return exec.CommandContext(ctx, "bash", "-c", c.Hook.Command)
}

func together(*exec.Cmd) {}
