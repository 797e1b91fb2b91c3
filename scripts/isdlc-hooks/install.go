package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"isdlc-hooks/scripts/internal/install"
	"isdlc-hooks/scripts/internal/registration"
)

func installCommand() *cobra.Command {
	var o install.Options
	var c consent
	cmd := &cobra.Command{
		Use:   "install --project DIR",
		Short: "Install the hooks into a project and register them",
		Long: `Install copies the built programs to .claude/hooks, writes default configuration
where there is none, and registers the programs in .claude/settings.json, where it
changes nothing else. Registrations of .cjs hooks are exchanged. A second run
updates the programs; uninstall takes everything back.

Groups of registrations:
` + groupHelp(),
		Example: `  isdlc-hooks install --project ~/src/shop
  isdlc-hooks install --project . --yes --only bash,write
  isdlc-hooks install --project . --yes --with des --with taskie
  isdlc-hooks install --project . --dry-run`,
		// Further words belong to --only or --with, as in --only bash write.
		Args: func(cmd *cobra.Command, args []string) error {
			if len(o.Only)+len(o.With) == 0 {
				return wanted(cobra.NoArgs)(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(o.Only) > 0 {
				o.Only = append(o.Only, args...)
			} else {
				o.With = append(o.With, args...)
			}
			if o.Bin == "" {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("looking for the built programs: %w", err)
				}
				o.Bin = filepath.Dir(self)
			}
			plan, err := install.Install(o)
			if err != nil {
				return err
			}
			defer plan.Close()
			return c.carryOut(cmd, plan, "Everything is installed already")
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Project, "project", "", "the project `DIR`")
	flags.StringVar(&o.Bin, "bin", "", "the `DIR` of the built programs (default: that of this program)")
	flags.BoolVar(&o.Links, "links", true, "make most programs names of two executables, a quarter of the space; =false: executables of their own")
	flags.StringSliceVar(&o.Only, "only", nil, "register only these groups or programs (`GROUP`,...)")
	flags.StringSliceVar(&o.With, "with", nil, "register these groups or programs too (`GROUP`,...)")
	c.flags(flags)
	return cmd
}

func groupHelp() string {
	var help strings.Builder
	for _, g := range registration.Groups {
		when := ""
		if g.OptIn {
			when = " (only when asked for)"
		}
		fmt.Fprintf(&help, "  %-11s %s%s\n", g.Name, g.Doc, when)
	}
	return help.String()
}
