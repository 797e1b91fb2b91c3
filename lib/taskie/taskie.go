// Package taskie is the Taskie stop hook (spec 70). When the client wants to
// stop, the hook has the plan in work reviewed by a fresh claude process, where
// a review is due, and else checks that the plan directory is in order.
//
// It is a sibling of the iSDLC rules, with a state file, an answer and exit codes
// of its own, and so does not run under package hook.
package taskie

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/ordered"
)

const (
	programName  = "taskie-stop-hook"
	skipVariable = "TASKIE_HOOK_SKIP"
	loopVariable = "TASKIE_CONTINUE_LOOP"

	maxInput = 64 << 20 // bytes of an event; more is not read
)

// Main answers the event on standard input and ends the process.
func Main() {
	if keepWatch() {
		return
	}
	h := &Hook{Getenv: os.Getenv, Find: exec.LookPath, Run: Run}
	os.Exit(h.Answer(os.Stdin).write(os.Stdout, os.Stderr))
}

// A Hook is what the hook asks of the world besides the files of the project.
type Hook struct {
	Getenv func(string) string
	Find   func(program string) (path string, err error) // on PATH
	Run    Runner                                        // runs the reviewer
}

// An Answer is what the hook says in the end (spec 70 §1). The zero Answer
// approves and says nothing.
type Answer struct {
	Block    string   // what the agent has to do before it stops; "" approves
	Message  string   // for the person, with an approval
	Warnings []string // for standard error
	Refused  string   // why the event cannot be used: there is no answer then
}

// write gives the answer to the client and returns the exit code.
func (a Answer) write(stdout, stderr io.Writer) int {
	for _, w := range a.Warnings {
		fmt.Fprintf(stderr, "%s: warning: %s\n", programName, w)
	}
	if a.Refused != "" {
		fmt.Fprintf(stderr, "%s: %s\n", programName, a.Refused)
		return 2
	}
	out := claude.Answer{Event: claude.Stop, Block: a.Block}.Encode(false)
	if a.Block == "" {
		approval := ordered.NewObject()
		if a.Message != "" {
			approval.Set("systemMessage", a.Message)
		}
		approval.Set("suppressOutput", true)
		out = append(approval.Compact(), '\n')
	}
	_, _ = stdout.Write(out) // nobody is left to tell
	return 0
}

// Answer decides on the event that is read from stdin, in the working directory
// of the process, which it leaves for the one that the event names (spec 70 §2).
// It never fails: what goes wrong inside approves, with a warning.
func (h *Hook) Answer(stdin io.Reader) (answer Answer) {
	s := &stop{Hook: h}
	defer func() {
		if r := recover(); r != nil {
			answer = s.failed(fmt.Errorf("panic: %v", r))
		}
	}()
	answer, err := s.decide(stdin)
	if err != nil {
		return s.failed(err)
	}
	answer.Warnings = s.warnings
	return answer
}

// A stop is one event on its way to an answer.
type stop struct {
	*Hook
	again    bool // stop_hook_active: the turn goes on because a hook blocked before
	plan     Plan
	doc      *ordered.Value // the state of the plan; nil where there is none
	state    State
	warnings []string
	notes    []string // for the message of an approval
}

func (s *stop) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

func (s *stop) failed(err error) Answer {
	s.warn("%v", err)
	return Answer{
		Message:  fmt.Sprintf("Taskie: the stop was not checked, because something went wrong: %v", err),
		Warnings: s.warnings,
	}
}

func (s *stop) decide(stdin io.Reader) (Answer, error) {
	if skip := s.Getenv(skipVariable); strings.EqualFold(skip, "true") || skip == "1" {
		return Answer{}, nil
	}
	data, err := io.ReadAll(io.LimitReader(stdin, maxInput))
	if err != nil {
		return Answer{}, fmt.Errorf("read the event: %w", err)
	}
	event, err := claude.Decode(data)
	if err != nil {
		return Answer{Refused: fmt.Sprintf("invalid json on standard input: %v", err)}, nil
	}
	s.again = isTrue(event.Body.Get("stop_hook_active"))
	if s.again && s.Getenv(loopVariable) == "0" {
		return Answer{}, nil
	}
	if err := enter(event.Body.Get("cwd")); err != nil {
		if s.again {
			return Answer{}, nil
		}
		return Answer{Refused: err.Error()}, nil
	}
	found, err := s.open()
	if s.again && (err != nil || !s.state.answered()) {
		s.warnings = nil
		return Answer{}, nil
	}
	if err != nil || !found {
		return Answer{}, err
	}
	if kind, ok := kindOf(s.state.NextPhase); ok {
		if answer, done, err := s.review(kind); done || err != nil {
			return answer, err
		}
	}
	return s.validate()
}

// enter makes cwd of the event the working directory; without one it stays.
func enter(cwd *ordered.Value) error {
	switch cwd.Kind() {
	case ordered.Missing, ordered.Null:
		return nil
	case ordered.String:
		name := cwd.Text()
		if name == "" {
			return nil
		}
		err := os.Chdir(name)
		var inner *os.PathError
		if errors.As(err, &inner) {
			err = inner.Err // the rest is said here
		}
		if err != nil {
			return fmt.Errorf("cannot change to the directory %s: %w", name, err)
		}
		return nil
	}
	if cwd.IsFalse() {
		return nil
	}
	return fmt.Errorf("cannot change to the directory %s: it is no text", cwd.Compact())
}

// open chooses the plan and reads its state. found is false without a plan.
func (s *stop) open() (found bool, err error) {
	if s.plan, found, err = newestPlan(); !found || err != nil {
		return false, err
	}
	if s.doc, err = readState(s.plan); err != nil && !errors.Is(err, errNoState) {
		s.warn("%s cannot be read, so no review is looked for: %v", s.plan.Path(stateName), err)
	}
	s.state = stateOf(s.doc)
	return true, nil
}

// answered tells whether the agent has done what a block of ours asked for, so
// that the next review is due. Only then the hook does anything at the stop that
// follows a block (spec 05 H.1).
func (s State) answered() bool {
	kind, ok := kindOf(s.NextPhase)
	return ok && s.Phase == kind.Post()
}

// validate is the end of every stop that no review has settled (spec 70 §8).
//
// At a stop that follows a block it blocks no more: nothing tells whether the
// agent was sent back for the same faults before, and then it would never end.
func (s *stop) validate() (Answer, error) {
	if missing := missingFields(s.doc); s.doc != nil && len(missing) > 0 {
		s.warn("%s lacks %s", s.plan.Path(stateName), strings.Join(missing, ", "))
	}
	violations, err := validate(s.plan)
	switch {
	case err != nil:
		return Answer{}, err
	case len(violations) == 0:
		return Answer{Message: validated(s.plan, s.notes)}, nil
	case s.again:
		return Answer{Message: toldOnly(s.plan, violations, s.notes)}, nil
	}
	return Answer{Block: violated(s.plan, violations)}, nil
}
