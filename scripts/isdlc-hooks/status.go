package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"isdlc-hooks/lib/handshake"
	"isdlc-hooks/lib/ordered"
)

func statusCommand() *cobra.Command {
	var where place
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show where the workflow is, and what comes next",
		Example: `  isdlc-hooks handshake status
  isdlc-hooks handshake status --project ~/src/shop --id api-service --json`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := where.find()
			if err != nil {
				return err
			}
			doc, err := load(p.State())
			if err != nil {
				return err
			}
			status := (&handshake.Handshake{State: doc.State, Rules: where.rules(p), Now: time.Now()}).Status()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), statusValue(status))
			}
			return printStatus(cmd.OutOrStdout(), status)
		},
	}
	where.flags(cmd.Flags())
	where.pluginFlag(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func printStatus(out io.Writer, s handshake.Status) error {
	if !s.Active {
		fmt.Fprintln(out, "no workflow is active")
		printNext(out, s)
		return nil
	}
	fmt.Fprintf(out, "%s workflow", printable(s.Type))
	for _, part := range [...]struct{ label, text string }{{"artifacts in", s.Folder}, {"begun", s.Started}, {"state_version", s.Version}} {
		if part.text != "" {
			fmt.Fprintf(out, ", %s %s", part.label, printable(part.text))
		}
	}
	fmt.Fprint(out, "\n\n")
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tPHASE\tSTATUS\tAGENT\tMINUTES\tRETRIES\tSUMMARY")
	for i, p := range s.Phases {
		mark := ""
		if i == s.Due {
			mark = ">"
		}
		fmt.Fprintln(table, strings.TrimRight(strings.Join([]string{mark, printable(p.Key), printable(both(p)), p.Agent, minutes(p.Minutes), retries(p.Retries), printable(p.Summary)}, "\t"), "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, f := range s.Open {
		fmt.Fprintf(out, "open: %s: %s [%s]\n", f.Requirement, f.Reason, f.Action)
	}
	for _, e := range s.Escalations {
		fmt.Fprintf(out, "escalation: %s by %s in %s\n", printable(e.Type), printable(e.Hook), printable(e.Phase))
	}
	if s.Review != "" {
		fmt.Fprintf(out, "review: %s\n", printable(s.Review))
	}
	if s.Next == "" {
		fmt.Fprintln(out, "next: nothing fits this state; isdlc-hooks audit tells what is wrong with it")
	}
	printNext(out, s)
	return nil
}

// both is the status of a phase, or what the two places say where they differ.
func both(p handshake.Phase) string {
	if p.Status == p.WorkflowStatus {
		return p.Status
	}
	none := func(s string) string {
		if s == "" {
			return "missing"
		}
		return s
	}
	return none(p.Status) + "/" + none(p.WorkflowStatus)
}

func minutes(m any) string {
	if m == nil {
		return ""
	}
	return fmt.Sprint(m)
}

func retries(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// statusValue is the status as a document.
func statusValue(s handshake.Status) *ordered.Value {
	phases := ordered.NewArray()
	for _, p := range s.Phases {
		phases.Append(ordered.NewObject(
			"phase", p.Key, "status", p.Status, "workflow_status", p.WorkflowStatus, "agent", p.Agent,
			"started", p.Started, "minutes", p.Minutes, "retries", p.Retries, "summary", p.Summary,
		))
	}
	open := ordered.NewArray()
	for _, f := range s.Open {
		open.Append(f.Encode())
	}
	escalations := ordered.NewArray()
	for _, e := range s.Escalations {
		escalations.Append(ordered.NewObject("type", e.Type, "hook", e.Hook, "phase", e.Phase, "detail", e.Detail))
	}
	return ordered.NewObject(
		"active", s.Active, "type", s.Type, "artifact_folder", s.Folder, "started_at", s.Started,
		"phases", phases, "due", s.Due, "open_requirements", open, "review", s.Review, "escalations", escalations, "next", s.Next,
	)
}

func refusalValue(r *handshake.Refusal) *ordered.Value {
	open := ordered.NewArray()
	for _, f := range r.Open {
		open.Append(f.Encode())
	}
	return ordered.NewObject("refused", r.Reason, "open_requirements", open)
}

func printJSON(out io.Writer, v *ordered.Value) error {
	_, err := fmt.Fprintln(out, string(v.Indent()))
	return err
}
