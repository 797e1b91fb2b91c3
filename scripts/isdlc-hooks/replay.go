package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/scripts/internal/copytree"
	"isdlc-hooks/scripts/internal/replay"
)

func replayCommand() *cobra.Command {
	var project, recorded string
	var skip []string
	var megabytes int64
	var all, quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Send recorded events through the hooks of a project",
		Long: `Replay sends events, one JSON object a line as the client hands it to hooks, through
the programs that the settings of a project register for them, and shows what each
answered and what it changed in the state. FILE - is standard input.

It works on a temporary copy of the project. Folders that a tool can make again are
left out of it: ` + wrapped(strings.Join(copytree.Skipped, ", "), 68, 85) + `
and those that hold a file CACHEDIR.TAG. Of a git repository all is copied but the
objects, which are read from the original. A project above ` + fmt.Sprint(copytree.MaxBytes>>20) + ` MB or ` + fmt.Sprint(copytree.MaxFiles) + ` files is
refused: leave folders out with --skip, or raise --max-size.

Tools do not run; only what a Write, Edit or MultiEdit wrote is written into the copy
before the event after it. Programs of one event run one after the other. Events that
follow a call which is denied here are left out, as they would not have come.
Paths of the recorded project, {{project}}, {{home}} and {{tmp}} are exchanged for
those of the copy. Hooks of others, and taskie-stop-hook, which starts reviewers, are
only run with --all.

Exit codes: 0 replayed, whatever the answers were; 1 an event could not be read, a
program failed, or there was nothing to replay; 2 wrong command line.`,
		Example: `  isdlc-hooks replay session.jsonl --project ~/src/shop
  isdlc-hooks replay --quiet session.jsonl
  isdlc-hooks replay --json session.jsonl | jq '.events[] | select(.verdict == "deny")'
  echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git commit -m x"}}' | isdlc-hooks replay -`,
		Args: wanted(cobra.ExactArgs(1)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"jsonl", "json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if megabytes <= 0 {
				return misused("--max-size must be a positive number of megabytes")
			}
			dir, err := projectFolder(project)
			if err != nil {
				return err
			}
			events, err := readEvents(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			notes := cmd.ErrOrStderr()
			r, err := replay.Run(ctx, replay.Options{
				Project: dir, Events: events, Recorded: recorded, All: all, Getenv: os.Getenv,
				Copy:     copytree.Options{Skip: skip, MaxBytes: megabytes << 20},
				Progress: progress(notes),
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = encodeJSON(cmd.OutOrStdout(), r)
			} else {
				err = replayTable(cmd.OutOrStdout(), notes, r, quiet)
			}
			if err != nil {
				return err
			}
			if r.Summary.Broken+r.Summary.Faults > 0 {
				return &exit{code: failed}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	projectFlag(cmd, &project)
	flags.StringVar(&recorded, "recorded-in", "", "the `DIR` that was the project when the events were recorded (default: the cwd of the first)")
	flags.StringSliceVar(&skip, "skip", nil, "leave folders of these names out of the copy, too (`NAME`,...)")
	flags.Int64Var(&megabytes, "max-size", copytree.MaxBytes>>20, "the size in `MB` above which a project is not copied")
	flags.BoolVar(&all, "all", false, "run the hooks of others, and those that start other programs, too")
	flags.BoolVarP(&quiet, "quiet", "q", false, "show only answers that say or change something")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func readEvents(file string, in io.Reader) ([]byte, error) {
	var data []byte
	var err error
	if file == "-" {
		data, err = io.ReadAll(io.LimitReader(in, disk.MaxSize))
	} else {
		data, err = disk.Read(file)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the events: %w", err)
	}
	return data, nil
}

// progress shows on a terminal how far a long replay is.
func progress(notes io.Writer) func(done, total int) {
	file, ok := notes.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return showProgress(notes)
}

func showProgress(notes io.Writer) func(done, total int) {
	const long = 50 // events; fewer are over before anybody wonders
	return func(done, total int) {
		switch {
		case total < long:
		case done == total:
			fmt.Fprint(notes, "\r\x1b[K")
		case done%10 == 0:
			fmt.Fprintf(notes, "\rreplaying event %d of %d", done+1, total)
		}
	}
}

// wrapped breaks a text into lines, the first of which is shorter.
func wrapped(text string, first, width int) string {
	var b strings.Builder
	left := first
	for _, word := range strings.Fields(text) {
		if left < len(word)+1 {
			b.WriteString("\n")
			left = width
		} else if b.Len() > 0 {
			b.WriteString(" ")
		}
		b.WriteString(word)
		left -= len(word) + 1
	}
	return b.String()
}
