// Command isdlc-hooks looks after the hooks of a project: it installs them and
// takes them out again, moves a workflow from phase to phase, and checks its state.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"isdlc-hooks/scripts/internal/release"
)

func main() {
	os.Exit(execute(root(), os.Stderr))
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "isdlc-hooks",
		Short:         "Look after the workflow hooks of a Claude Code project",
		Version:       release.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(installCommand(), uninstallCommand(), handshakeCommand(), auditCommand(), desCommand())
	cmd.AddCommand(logCommand())
	cmd.AddCommand(doctorCommand())
	cmd.AddCommand(replayCommand())
	cmd.AddCommand(pluginCommand())
	return cmd
}
