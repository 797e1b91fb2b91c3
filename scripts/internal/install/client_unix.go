//go:build unix

package install

import (
	"context"
	"os/exec"

	"isdlc-hooks/scripts/internal/registration"
)

// exe is the ending of programs.
const exe = ""

// clientCommand runs a registered command as the client does: by /bin/sh,
// whatever shell the user has.
func clientCommand(ctx context.Context, _ string, r registration.Registration) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", r.Command())
}
