package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"isdlc-hooks/scripts/internal/install"
)

// consent is how the user agrees to a plan.
type consent struct {
	yes    bool
	dryRun bool
}

func (c *consent) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&c.yes, "yes", false, "do not ask")
	flags.BoolVar(&c.dryRun, "dry-run", false, "only show what would be done")
}

// carryOut shows a plan, asks, applies it and says what was done. With nothing
// to do it says that.
func (c *consent) carryOut(cmd *cobra.Command, plan *install.Plan, nothing string) error {
	out := cmd.OutOrStdout()
	if plan.Nothing() {
		fmt.Fprintf(out, "%s in %s.\n", nothing, plan.Dir)
		show(out, "note: ", plan.Remarks())
		if c.dryRun {
			return nil
		}
		return apply(out, plan)
	}
	switch {
	case c.dryRun:
		fmt.Fprintf(out, "This would be done in %s:\n", plan.Dir)
		show(out, "  ", plan.Steps())
		show(out, "note: ", plan.Remarks())
		return nil
	case !c.yes:
		if !interactive(cmd) {
			return errors.New("there is no terminal to ask on: say --yes to go ahead, or --dry-run to look first")
		}
		fmt.Fprintf(out, "This is to be done in %s:\n", plan.Dir)
		show(out, "  ", plan.Steps())
		show(out, "note: ", plan.Remarks())
		if !ask(cmd.InOrStdin(), out) {
			return errors.New("nothing was changed")
		}
	}
	if err := apply(out, plan); err != nil {
		return err
	}
	if c.yes {
		show(out, "note: ", plan.Remarks())
	}
	return nil
}

func apply(out io.Writer, plan *install.Plan) error {
	proof, err := plan.Apply()
	if err != nil {
		return err
	}
	show(out, "", plan.Done())
	if proof != "" {
		fmt.Fprintln(out, "proof: "+proof)
	}
	return nil
}

func show(out io.Writer, prefix string, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(out, prefix+line)
	}
}

func interactive(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

func ask(in io.Reader, out io.Writer) bool {
	fmt.Fprint(out, "Go ahead? [y/N] ")
	answer, _ := bufio.NewReader(in).ReadString('\n') // the end of input is a no
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
