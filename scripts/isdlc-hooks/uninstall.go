package main

import (
	"github.com/spf13/cobra"

	"isdlc-hooks/scripts/internal/install"
)

func uninstallCommand() *cobra.Command {
	var project string
	var c consent
	cmd := &cobra.Command{
		Use:   "uninstall --project DIR",
		Short: "Take the hooks out of a project",
		Long: `Uninstall removes what install put into a project, as far as it is still as it was
written, and leaves every file as it was before. Files that were changed since stay
and are named; from changed settings only our registrations are taken out.`,
		Example: `  isdlc-hooks uninstall --project ~/src/shop
  isdlc-hooks uninstall --project . --yes`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			plan, err := install.Uninstall(project)
			if err != nil {
				return err
			}
			defer plan.Close()
			return c.carryOut(cmd, plan, "There is nothing to uninstall")
		},
	}
	cmd.Flags().StringVar(&project, "project", "", "the project `DIR`")
	c.flags(cmd.Flags())
	return cmd
}
