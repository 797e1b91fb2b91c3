package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/scripts/internal/client"
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

func replayTable(out, notes io.Writer, r *replay.Replay, quiet bool) error {
	if len(r.Copied.Skipped) > 0 {
		fmt.Fprintln(notes, "left out of the copy: "+printable(strings.Join(r.Copied.Skipped, ", ")))
	}
	if len(r.Copied.Missing) > 0 {
		fmt.Fprintln(notes, "could not be copied: "+printable(strings.Join(r.Copied.Missing, ", ")))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "LINE\tEVENT\tTOOL\tPROGRAM\t%s\tWHAT\n", paint(color.Reset, "ANSWER"))
	row := func(s *replay.Step, program, answer string, colour color.Attribute, what string) {
		tool := s.Tool
		if s.Agent != "" {
			tool = strings.TrimSpace(tool + " " + s.Agent)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\n", s.Line, dash(s.Event), dash(printable(tool)), program, paint(colour, answer), what)
	}
	for _, s := range r.Steps {
		switch {
		case s.Broken != "":
			row(s, "-", "-", color.FgRed, "this line is "+printable(s.Broken))
		case s.Skipped != "" && !quiet:
			row(s, "-", "-", color.Reset, s.Skipped)
		}
		for _, a := range s.Answers {
			what := told(a)
			if quiet && len(what) == 0 {
				continue
			}
			answer := string(a.Verdict)
			if a.NotRun != "" {
				answer = "not run"
			}
			row(s, a.Program, answer, verdictColour(a), dash(strings.Join(what, "; ")))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	t := r.Summary
	_, err := fmt.Fprintf(out, "\n%d %s, %d %s of hooks in %.0f ms: %d denied, %d blocked, %d %s for the model, %d %s of the state, %d failed, %d not run.\n",
		t.Events, plural(t.Events, "event"), t.Runs, plural(t.Runs, "run"), t.Milliseconds, t.Denied, t.Blocked,
		t.Messages, plural(t.Messages, "message"), t.StateWrites, plural(t.StateWrites, "write"), t.Faults, t.NotRun)
	if t.Broken > 0 && err == nil {
		_, err = fmt.Fprintf(out, "%d %s no events.\n", t.Broken, map[bool]string{true: "line was", false: "lines were"}[t.Broken == 1])
	}
	return err
}

// told is what an answer says and did, each in a few words.
func told(a *replay.Answer) []string {
	var what []string
	add := func(name, text string) {
		if text != "" {
			what = append(what, name+cut(printable(text)))
		}
	}
	add("", a.NotRun)
	add("failed: ", a.Fault)
	add("", a.Reason)
	add("to the model: ", a.Context)
	add("to the person: ", a.Message)
	add("new input: ", string(a.Input))
	for i, c := range a.State {
		if i == shownChanges {
			what = append(what, fmt.Sprintf("and %d more", len(a.State)-i))
			break
		}
		what = append(what, "state "+change(c))
	}
	return what
}

const shownChanges = 3

func change(c replay.Change) string {
	switch {
	case c.Before == "":
		return c.Field + " = " + cut(printable(c.After))
	case c.After == "":
		return c.Field + " removed"
	}
	return c.Field + ": " + cut(printable(c.Before)) + " -> " + cut(printable(c.After))
}

// cut shortens a text for a table.
func cut(text string) string {
	const most = 160
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

func verdictColour(a *replay.Answer) color.Attribute {
	switch {
	case a.Fault != "" || a.Verdict == client.Deny || a.Verdict == client.Block || a.Verdict == client.End:
		return color.FgRed
	case a.NotRun != "" || a.Verdict == client.Ask:
		return color.FgYellow
	}
	return color.FgGreen
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
