// Command isdlc-hooks looks after the hooks of a project: it installs them and
// takes them out again.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	if err := root().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "isdlc-hooks: "+strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "isdlc-hooks",
		Short:         "Look after the workflow hooks of a Claude Code project",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(installCommand(), uninstallCommand())
	return cmd
}
