package install

import (
	"context"
	"os/exec"
	"path/filepath"

	"isdlc-hooks/scripts/internal/registration"
)

// exe is the ending of programs.
const exe = ".exe"

// clientCommand runs the program of a registered command directly: which shell
// the client finds here differs from machine to machine.
func clientCommand(ctx context.Context, dir string, r registration.Registration) *exec.Cmd {
	return exec.CommandContext(ctx, filepath.Join(dir, filepath.FromSlash(r.Path())+exe))
}
