package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fatih/color"
	"github.com/goccy/go-json"
	"github.com/spf13/cobra"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/state"
	"isdlc-hooks/scripts/internal/activitylog"
	"isdlc-hooks/scripts/internal/registration"
)

// interval is how often a log that is followed is looked at.
const interval = 200 * time.Millisecond

type logOptions struct {
	place               place
	since               string
	filter              activitylog.Filter
	last                int
	follow, count, json bool
}

func logCommand() *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what the hooks of a project did",
		Long: `Log shows the activity log of a project, .isdlc/hook-activity.log, as a table. With
--json it prints the entries as they stand in the log, one JSON object a line. Lines
that are no entries are left out, and how many there were is said on standard error.

Exit codes: 0 shown, 1 the log cannot be read, 2 wrong command line.`,
		Example: `  isdlc-hooks log --project ~/src/shop --event block --since 24h
  isdlc-hooks log --hook gate-blocker,test-watcher --phase 06-implementation
  isdlc-hooks log --follow
  isdlc-hooks log --count --since 2026-02-20
  isdlc-hooks log --json --event error | jq -r .reason`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.follow && o.count {
				return misused("--follow and --count do not go together")
			}
			if o.last < 0 {
				return misused("--last must not be negative")
			}
			var err error
			if o.filter.Since, err = since(o.since, time.Now()); err != nil {
				return err
			}
			found, err := o.place.find()
			if err != nil {
				return err
			}
			path := found.Log()
			out, notes := cmd.OutOrStdout(), cmd.ErrOrStderr()
			if o.follow {
				if !cmd.Flags().Changed("last") {
					o.last = 10
				}
				ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
				defer stop()
				ticks := time.NewTicker(interval)
				defer ticks.Stop()
				return o.watch(ctx, ticks.C, path, out, notes)
			}
			return o.show(path, out, notes)
		},
	}
	flags := cmd.Flags()
	projectFlag(cmd, &o.place.dir)
	flags.StringSliceVar(&o.filter.Hooks, "hook", nil, "only entries of these hooks (`NAME`,...)")
	flags.StringSliceVar(&o.filter.Events, "event", nil, "only these events: block, warn, allow, error, ... (`NAME`,...)")
	flags.StringSliceVar(&o.filter.Phases, "phase", nil, "only entries of these phases, under any of their names (`PHASE`,...)")
	flags.StringVar(&o.since, "since", "", "only entries from `WHEN` on: a time, a date, or how long ago (90m, 24h, 7d)")
	flags.IntVar(&o.last, "last", 0, "only the last `N` entries (default: all; 10 with --follow)")
	flags.BoolVarP(&o.follow, "follow", "f", false, "go on with what the hooks do from now on")
	flags.BoolVar(&o.count, "count", false, "count the entries of each hook and event")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "hook", func() []string {
		var names []string
		for _, p := range registration.Programs() {
			names = append(names, p.Name)
		}
		return names
	})
	complete(cmd, "event", func() []string {
		return []string{"allow", "block", "error", "escalation", "self-heal", "skip", "state-write", "warn"}
	})
	return cmd
}

// since reads a time, or how long before now it was.
func since(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, ok := state.Time(ordered.Of(text)); ok {
		return t, nil
	}
	ago := text
	if days, found := strings.CutSuffix(text, "d"); found {
		ago = days + "h"
	}
	d, err := time.ParseDuration(ago)
	if err != nil || d < 0 {
		return time.Time{}, misused("--since %q is neither a time nor a duration; say 2026-02-20, 2026-02-20T08:00:00Z, 90m, 24h or 7d", text)
	}
	if ago != text {
		d *= 24
	}
	return now.Add(-d), nil
}

func (o *logOptions) show(path string, out, notes io.Writer) error {
	entries, broken, err := activitylog.Read(path)
	if err != nil {
		return fmt.Errorf("reading the activity log: %w", err)
	}
	chosen := o.choose(entries)
	chosen = chosen[o.skipped(len(chosen)):]
	tellBroken(notes, broken)
	switch {
	case o.count:
		return o.tally(chosen, broken, out)
	case !o.json && len(entries) == 0 && broken == 0:
		fmt.Fprintln(notes, "The hooks have written nothing to "+path+" yet.")
		return nil
	case !o.json && len(chosen) == 0:
		fmt.Fprintf(notes, "None of %d entries is like that.\n", len(entries))
		return nil
	}
	return o.print(chosen, out, true)
}

func (o *logOptions) choose(entries []activitylog.Entry) []activitylog.Entry {
	var chosen []activitylog.Entry
	for _, e := range entries {
		if o.filter.Match(e) {
			chosen = append(chosen, e)
		}
	}
	return chosen
}

func (o *logOptions) skipped(n int) int {
	if o.last == 0 {
		return 0
	}
	return max(0, n-o.last)
}

// watch prints what is in the log and then, at each tick, what was added.
func (o *logOptions) watch(ctx context.Context, ticks <-chan time.Time, path string, out, notes io.Writer) error {
	follower := activitylog.Follower{Path: path}
	for first := true; ; first = false {
		entries, broken, err := follower.Poll()
		if err != nil {
			return err
		}
		tellBroken(notes, broken)
		chosen := o.choose(entries)
		if first {
			chosen = chosen[o.skipped(len(chosen)):]
		}
		if err := o.print(chosen, out, first); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
		}
	}
}

func tellBroken(notes io.Writer, n int) {
	if n > 0 {
		fmt.Fprintf(notes, "%d %s in the log could not be read.\n", n, plural(n, "line"))
	}
}

// Widths of columns, so that a table that is followed stays one.
const logRow = "%-23s\t%-26s\t%s\t%-18s\t%-26s\t%s\n"

func (o *logOptions) print(entries []activitylog.Entry, out io.Writer, head bool) error {
	if o.json {
		for _, e := range entries {
			if _, err := fmt.Fprintf(out, "%s\n", e.Raw); err != nil {
				return err
			}
		}
		return nil
	}
	row := "%s\t%s\t%s\t%s\t%s\t%s\n"
	if o.follow {
		row = logRow
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if head {
		fmt.Fprintf(table, row, "TIME", "HOOK", painted("", "EVENT"), "PHASE", "AGENT", "REASON")
	}
	for _, e := range entries {
		at := "-"
		if !e.Time.IsZero() {
			at = e.Time.Local().Format("2006-01-02 15:04:05.000")
		}
		fmt.Fprintf(table, row, at, dash(e.Hook), painted(e.Event, dash(e.Event)), dash(e.Phase), dash(e.Agent), dash(printable(e.Reason)))
	}
	return table.Flush()
}

// painted is the name of an event in its colour, as wide as all others are: the
// codes of colours count for the columns of a table.
func painted(event, text string) string {
	attribute := color.Reset
	switch event {
	case "block", "error":
		attribute = color.FgRed
	case "warn", "escalation":
		attribute = color.FgYellow
	case "allow":
		attribute = color.FgGreen
	}
	return paint(attribute, fmt.Sprintf("%-9s", text))
}

func (o *logOptions) tally(entries []activitylog.Entry, broken int, out io.Writer) error {
	counts := activitylog.Tally(entries)
	if o.json {
		return encodeJSON(out, struct {
			Entries int                 `json:"entries"`
			Broken  int                 `json:"broken_lines"`
			Counts  []activitylog.Count `json:"counts"`
		}{len(entries), broken, append([]activitylog.Count{}, counts...)})
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COUNT\tHOOK\tEVENT\tLAST")
	for _, c := range counts {
		last := "-"
		if !c.Last.IsZero() {
			last = c.Last.Local().Format("2006-01-02 15:04:05")
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\n", c.Count, dash(c.Hook), dash(c.Event), last)
	}
	fmt.Fprintf(table, "%d\tin all\t\t\n", len(entries))
	return table.Flush()
}

func encodeJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
