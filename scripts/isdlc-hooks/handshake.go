package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"isdlc-hooks/lib/completion"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/handshake"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/state"
)

func handshakeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "handshake",
		Short: "Move a workflow from phase to phase",
		Long: `Handshake makes the transitions of a workflow in state.json, each in one atomic
step with all its fields. What the hooks would block it refuses, and says why; then
nothing is written.

Exit codes: 0 done, 1 refused or failed, 2 wrong command line.`,
		Example: `  isdlc-hooks handshake init --type feature --artifact-folder REQ-0042-coupons
  isdlc-hooks handshake activate 01-requirements
  isdlc-hooks handshake complete 01-requirements --summary "12 stories, agreed"
  isdlc-hooks handshake status
  isdlc-hooks handshake finalize`,
		Args: wanted(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(initCommand(), activateCommand(), completeCommand(), finalizeCommand(), statusCommand())
	return cmd
}

// A transition is what the commands of handshake have in common.
type transition struct {
	place
	json   bool
	create bool // begin a state where there is none
}

// command adds to cmd the flags of a transition, and what carries it out: do
// changes the state, and tells in a line what it has done.
func (t *transition) command(cmd *cobra.Command, do func(*handshake.Handshake, []string) (string, error)) *cobra.Command {
	t.flags(cmd.Flags())
	t.pluginFlag(cmd.Flags())
	cmd.Flags().BoolVar(&t.json, "json", false, "print the status afterwards as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := t.find()
		if err != nil {
			return err
		}
		rules := t.rules(p)
		var done string
		var status handshake.Status
		err = update(p.State(), t.create, func(st *state.State) error {
			h := &handshake.Handshake{State: st, Rules: rules, Now: time.Now()}
			var err error
			if done, err = do(h, args); err == nil {
				status = h.Status()
			}
			return err
		})
		var refusal *handshake.Refusal
		if errors.As(err, &refusal) {
			return refused(cmd, refusal, t.json)
		}
		if err != nil {
			return err
		}
		if t.json {
			return printJSON(cmd.OutOrStdout(), statusValue(status))
		}
		fmt.Fprintln(cmd.OutOrStdout(), done)
		printNext(cmd.OutOrStdout(), status)
		return nil
	}
	return cmd
}

// rules is the configuration of a project as the transitions ask for it.
func (p *place) rules(found *project.Project) handshake.Rules {
	store := p.config(found)
	return handshake.Rules{
		Requirements: store.Requirements,
		Workflows:    store.Workflows,
		Sources: gate.Sources{
			Manifest:      store.Manifest,
			ArtifactPaths: store.ArtifactPaths,
			Exists:        func(path string) bool { return disk.Exists(found.Artifact(path)) },
		},
	}
}

// refused tells why a transition was not made.
func refused(cmd *cobra.Command, r *handshake.Refusal, asJSON bool) error {
	if asJSON {
		if err := printJSON(cmd.OutOrStdout(), refusalValue(r)); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(cmd.ErrOrStderr(), "isdlc-hooks: refused: "+r.Error())
	}
	return &exit{failed, nil}
}

func printNext(out io.Writer, s handshake.Status) {
	if s.Next != "" {
		fmt.Fprintln(out, "next: isdlc-hooks handshake "+s.Next)
	}
}

func initCommand() *cobra.Command {
	t := transition{create: true}
	var plan handshake.Plan
	cmd := &cobra.Command{
		Use:   "init --type TYPE",
		Short: "Begin a workflow",
		Long: `Init begins a workflow at its first phase, and takes away the phase records of an
earlier one. Its phases are those that workflows.json has for the type, or some of
them, in that order; for a type that is not defined there they have to be given.`,
		Example: `  isdlc-hooks handshake init --type feature --artifact-folder REQ-0042-coupons
  isdlc-hooks handshake init --type fix --phases 02-tracing,06-implementation,16-quality-loop,08-code-review`,
		Args: wanted(cobra.NoArgs),
	}
	flags := cmd.Flags()
	flags.StringVar(&plan.Type, "type", "", "the `TYPE` of the workflow: feature, fix, upgrade, ...")
	flags.StringSliceVar(&plan.Phases, "phases", nil, "its phases (`PHASE`,...; default: those of the type)")
	flags.StringVar(&plan.Description, "description", "", "what it is about (`TEXT`)")
	flags.StringVar(&plan.ArtifactFolder, "artifact-folder", "", "the `NAME` of the folder for its documents")
	if err := cmd.MarkFlagRequired("type"); err != nil {
		panic(err) // the flag is made three lines above
	}
	return t.command(cmd, func(h *handshake.Handshake, _ []string) (string, error) {
		if err := h.Init(plan); err != nil {
			return "", err
		}
		return fmt.Sprintf("a %s workflow of %s has begun", plan.Type, count(len(h.State.Workflow().Get("phases").Items()), "phase")), nil
	})
}

func activateCommand() *cobra.Command {
	var t transition
	var decided bool
	cmd := &cobra.Command{
		Use:   "activate PHASE",
		Short: "Make a phase the current one, before its work is delegated",
		Long: `Activate makes the phase that is due the current one, with its agent. For a phase
that is under way it counts a retry and keeps the time at which it was started. A
completed phase comes back only when a supervised review asks for it
(active_workflow.supervised_review.status is redo_pending).`,
		Example: `  isdlc-hooks handshake activate 02-impact-analysis
  isdlc-hooks handshake activate 06-implementation --clear-escalations`,
		Args: wanted(onePhase),
	}
	cmd.Flags().BoolVar(&decided, "clear-escalations", false, "a person has decided on the pending escalations: take them away")
	return t.command(cmd, func(h *handshake.Handshake, args []string) (string, error) {
		if err := h.Activate(args[0], decided); err != nil {
			return "", err
		}
		return "activated " + activated(h.Status()), nil
	})
}

// activated describes the phase that is under way.
func activated(s handshake.Status) string {
	if s.Due < 0 || s.Due >= len(s.Phases) {
		return ""
	}
	p := s.Phases[s.Due]
	line := p.Key
	if p.Agent != "" {
		line += ", the work of " + p.Agent
	}
	if p.Retries > 0 {
		line += fmt.Sprintf(" (retry %d)", p.Retries)
	}
	if n := len(s.Escalations); n > 0 {
		line += fmt.Sprintf("; %s pending", count(n, "escalation"))
	}
	return line
}

func completeCommand() *cobra.Command {
	var t transition
	var report handshake.Report
	cmd := &cobra.Command{
		Use:   "complete PHASE --summary TEXT",
		Short: "Mark the current phase as done",
		Long: `Complete marks the current phase as done, if its gate is open: gate-blocker's checks
are made. It leaves the next phase alone; that one is activated by itself.`,
		Example: `  isdlc-hooks handshake complete 06-implementation --summary "coupons, 31 tests"
  isdlc-hooks handshake complete 06-implementation --summary "no tests" --override "spike, agreed with Ann"`,
		Args: wanted(onePhase),
	}
	flags := cmd.Flags()
	flags.StringVar(&report.Summary, "summary", "", "what was done (`TEXT`, cut to 150 characters)")
	flags.StringVar(&report.Override, "override", "", "let the phase go with open requirements; the `REASON` is recorded, pending escalations go")
	if err := cmd.MarkFlagRequired("summary"); err != nil {
		panic(err) // the flag is made above
	}
	return t.command(cmd, func(h *handshake.Handshake, args []string) (string, error) {
		report.Phase = args[0]
		if err := h.Complete(report); err != nil {
			return "", err
		}
		done := args[0] + " is completed"
		if minutes := h.State.Phase(args[0]).Get("timing", "wall_clock_minutes").Literal(); minutes != "" {
			done += " after " + minutes + " min"
		}
		return done, nil
	})
}

func finalizeCommand() *cobra.Command {
	var t transition
	var cancel bool
	var reason string
	cmd := &cobra.Command{
		Use:   "finalize",
		Short: "Put the finished workflow on record",
		Long: `Finalize moves a workflow whose phases are all completed to workflow_history, with
snapshots of its phases and its metrics, and prunes the state. With --cancel it
gives up a workflow that is not finished.`,
		Example: `  isdlc-hooks handshake finalize
  isdlc-hooks handshake finalize --cancel --reason "superseded by REQ-0043"`,
		Args: wanted(cobra.NoArgs),
	}
	cmd.Flags().BoolVar(&cancel, "cancel", false, "give the workflow up; pending escalations go")
	cmd.Flags().StringVar(&reason, "reason", "", "why it is given up (`TEXT`)")
	return t.command(cmd, func(h *handshake.Handshake, _ []string) (string, error) {
		end, done := h.Finalize, "is on record"
		if cancel {
			end, done = func() (completion.Result, error) { return h.Cancel(reason) }, "is given up and on record"
		} else if reason != "" {
			return "", &exit{misuse, errors.New("--reason belongs to --cancel")}
		}
		result, err := end()
		if err != nil {
			return "", err
		}
		line := fmt.Sprintf("the workflow %s, with %s", done, count(result.Snapshots, "phase snapshot"))
		if result.Regression != "" {
			line += "\n" + result.Regression
		}
		return line, nil
	})
}

// onePhase asks for the key of a phase and nothing else.
func onePhase(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one phase, such as 06-implementation", cmd.CommandPath())
	}
	return nil
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
