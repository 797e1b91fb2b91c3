package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/fatih/color"

	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/replay"
)

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
