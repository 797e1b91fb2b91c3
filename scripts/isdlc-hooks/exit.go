package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes of all commands.
const (
	failed = 1 // something is wrong with the project, or went wrong
	misuse = 2 // the command line is wrong
)

// An exit ends the program with a code. Without an error nothing more is said:
// what there was to say is in the output.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// execute runs a command line and gives the exit code for it.
func execute(cmd *cobra.Command, stderr io.Writer) int {
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &exit{misuse, err} })
	err := cmd.Execute()
	if err == nil {
		return 0
	}
	code := failed
	var e *exit
	switch {
	case errors.As(err, &e):
		code = e.code
		if e.err == nil {
			return code
		}
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "required flag"):
		code = misuse
	}
	fmt.Fprintln(stderr, "isdlc-hooks: "+strings.ReplaceAll(err.Error(), "\n", "; "))
	return code
}

// wanted turns an error about the arguments of a command into one of its use.
func wanted(args cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if err := args(cmd, given); err != nil {
			return &exit{misuse, err}
		}
		return nil
	}
}

// misused is an error of the use of a command.
func misused(format string, args ...any) error {
	return &exit{misuse, fmt.Errorf(format, args...)}
}
