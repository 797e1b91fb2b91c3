package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/plugin"
)

func pluginCommand() *cobra.Command {
	var o plugin.Options
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plugin --out DIR",
		Short: "Lay out the hooks as a plugin of the client",
		Long: `Plugin makes a folder that Claude Code loads as a plugin: claude --plugin-dir DIR. It
holds the built programs, their registrations, and the default configuration, which
counts in projects that have none of their own. A folder that was laid out before is
made anew; any other one that is not empty is refused.

Do not use it in a project where the hooks are installed, too: each would run twice.

Groups of registrations:
` + groupHelp() + `
Exit codes: 0 laid out, 1 failed and nothing was changed, 2 wrong command line.`,
		Example: `  isdlc-hooks plugin --out dist/plugin
  isdlc-hooks plugin --out dist/plugin --with des
  claude --plugin-dir dist/plugin`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Out == "" {
				return misused("no folder given: use --out DIR")
			}
			if o.Bin == "" {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("looking for the built programs: %w", err)
				}
				o.Bin = filepath.Dir(self)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			l, err := plugin.Write(ctx, o)
			if err != nil {
				return err
			}
			if asJSON {
				return encodeJSON(cmd.OutOrStdout(), l)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s is in %s: %d %s, %d %s, %d configuration files\nload it with: claude --plugin-dir %s\n",
				plugin.Name, l.Version, l.Dir, len(l.Programs), plural(len(l.Programs), "program"),
				l.Registrations, plural(l.Registrations, "registration"), len(l.Configuration), client.Quote(l.Dir))
			show(cmd.OutOrStdout(), "note: ", l.Remarks)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Out, "out", "", "the `DIR` to be made")
	flags.StringVar(&o.Bin, "bin", "", "the `DIR` of the built programs (default: that of this program)")
	flags.BoolVar(&o.Links, "links", true, "make most programs names of two executables, half of the space or less; =false: executables of their own")
	flags.StringSliceVar(&o.Only, "only", nil, "register only these groups or programs (`GROUP`,...)")
	flags.StringSliceVar(&o.With, "with", nil, "register these groups or programs too (`GROUP`,...)")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	for _, name := range []string{"out", "bin"} {
		if err := cmd.MarkFlagDirname(name); err != nil {
			panic(err) // a flag that is not defined
		}
	}
	complete(cmd, "only", groupAndProgramNames)
	complete(cmd, "with", groupAndProgramNames)
	return cmd
}
