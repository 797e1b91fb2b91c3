package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"isdlc-hooks/scripts/internal/doctor"
	"isdlc-hooks/scripts/internal/scopes"
)

func doctorCommand() *cobra.Command {
	var project, bin string
	var plugins []string
	var quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out whether the hooks of a project work",
		Long: `Doctor looks at everything that has to be right for the hooks of a project to work:
the settings of the user, of the project and of plugins; each program that they name;
the configuration, the state with its lock, and the activity log. It runs each of our
programs once, as the client does, on an event that no rule is about, in a scratch
folder with a copy of the state. It changes nothing in the project.

Each line is one thing: ok, note, warning or error, and for the last two what mends
it.

Exit codes: 0 all is well, 1 there are warnings or errors, 2 wrong command line.`,
		Example: `  isdlc-hooks doctor --project ~/src/shop
  isdlc-hooks doctor --quiet || echo "something is wrong"
  isdlc-hooks doctor --json | jq '.hooks[] | [.program, .milliseconds]'
  isdlc-hooks doctor --plugin-dir dist/plugin`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := projectFolder(project)
			if err != nil {
				return err
			}
			if bin == "" {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("looking for the programs of this release: %w", err)
				}
				bin = filepath.Dir(self)
			} else if !isFolder(bin) {
				return misused("the folder of programs %s does not exist", bin)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			report, err := doctor.Examine(ctx, doctor.Options{
				Project: dir, Bin: bin, User: scopes.UserFolder(os.Getenv), PluginDirs: plugins, Getenv: os.Getenv, Now: time.Now(),
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = reportJSON(cmd.OutOrStdout(), report)
			} else {
				err = reportTable(cmd.OutOrStdout(), report, quiet)
			}
			if err != nil {
				return err
			}
			if errors, warnings := report.Findings(); errors+warnings > 0 {
				return &exit{code: failed}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	projectFlag(cmd, &project)
	flags.StringVar(&bin, "bin", "", "the `DIR` of the programs of this release (default: that of this program)")
	flags.StringSliceVar(&plugins, "plugin-dir", nil, "look at the plugin in this `DIR` too, as the client's flag of this name loads it")
	flags.BoolVarP(&quiet, "quiet", "q", false, "print only what is wrong")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	for _, name := range []string{"bin", "plugin-dir"} {
		if err := cmd.MarkFlagDirname(name); err != nil {
			panic(err) // a flag that is not defined
		}
	}
	return cmd
}

func reportJSON(out io.Writer, report *doctor.Report) error {
	errors, warnings := report.Findings()
	return encodeJSON(out, struct {
		Healthy  bool `json:"healthy"`
		Errors   int  `json:"errors"`
		Warnings int  `json:"warnings"`
		*doctor.Report
	}{errors+warnings == 0, errors, warnings, report})
}

func reportTable(out io.Writer, report *doctor.Report, quiet bool) error {
	errors, warnings := report.Findings()
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range report.Lines {
		if quiet && (l.Severity == doctor.OK || l.Severity == doctor.Note) {
			continue
		}
		text := l.What
		if l.Remedy != "" {
			text += "; remedy: " + l.Remedy
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", paint(severityColour(l.Severity), string(l.Severity)), l.Check, dash(l.Where), printable(text))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if quiet && errors+warnings == 0 {
		return nil
	}
	summary, colour := "All is well", color.FgGreen
	if errors+warnings > 0 {
		summary, colour = fmt.Sprintf("%d %s, %d %s", errors, plural(errors, "error"), warnings, plural(warnings, "warning")), color.FgRed
	}
	_, err := fmt.Fprintf(out, "\n%s in %s.\n", paint(colour, summary), report.Project)
	return err
}

func severityColour(s doctor.Severity) color.Attribute {
	switch s {
	case doctor.Error:
		return color.FgRed
	case doctor.Warning:
		return color.FgYellow
	case doctor.OK:
		return color.FgGreen
	}
	return color.Reset
}
