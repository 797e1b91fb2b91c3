package taskie

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"time"

	"isdlc-hooks/lib/ordered"
)

const (
	timeoutVariable = "TASKIE_REVIEW_TIMEOUT"
	defaultTimeout  = 570 * time.Second // below the 600 of the registration, to have time for an answer
	maxLog          = 16 << 20          // bytes of a log
)

// review does what is due (spec 70 §5). done tells whether that settles the
// stop; otherwise validation follows.
func (s *stop) review(kind Kind) (answer Answer, done bool, err error) {
	if s.state.Limit == 0 {
		move := Skip(kind, s.target(kind))
		return Answer{Message: skipped(s.plan, move)}, true, writeState(s.plan, move.Fields(), move.Defaults())
	}
	r := Review{Kind: kind, In: s.plan, Number: s.state.Iteration + 1, Task: s.state.Task}
	if float64(r.Number) > s.state.Limit {
		if s.state.Limit > 0 {
			s.notes = append(s.notes, limitReached(kind, s.state.Limit))
		}
		return Answer{}, false, nil
	}
	if kind.Tasks {
		r.Files = taskFiles(readTasks(s.plan))
	}
	if reason := r.impossible(); reason != "" {
		s.warn("no %s: %s", kind.Name, reason)
		return Answer{Message: fmt.Sprintf("Taskie: the review of the plan %s was skipped, no %s: %s.", s.plan.ID, kind.Name, reason)}, true, nil
	}
	program, err := s.Find("claude")
	if err != nil {
		s.warn("claude cannot be found, so there is no %s: %v", kind.Name, err)
		s.notes = append(s.notes, "The review that is due was not done, for the program claude was not found.")
		return Answer{}, false, nil
	}

	// From here to the end of the write a signal ends the reviewer, not the hook.
	ctx, release := interruptible()
	defer release()
	output, err := s.reviewer(ctx, program, r)
	switch {
	case errors.Is(err, errInterrupted):
		s.warn("%v", err)
		return Answer{Message: fmt.Sprintf("Taskie: %s of the plan %s was broken off; the next stop tries the same review again.", kind.Name, s.plan.ID)}, true, nil
	case err != nil:
		s.warn("%s %d did not succeed: %v", kind.Name, r.Number, err)
		s.notes = append(s.notes, fmt.Sprintf("The review that is due (%s %d) did not succeed: %v. The next stop tries it again; what the reviewer said stands in %s.",
			kind.Name, r.Number, err, r.Log()))
		return Answer{}, false, nil
	}
	if err := os.Remove(r.Log()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.warn("the log of a finished review stays: %v", err)
	}
	clean := isClean(output)
	move := Next(kind, s.state.Cycle, clean, s.target(kind))
	if err := writeState(s.plan, move.Fields(), move.Defaults()); err != nil {
		return Answer{}, true, err
	}
	if move.Advance {
		return Answer{Message: advanced(s.plan, move)}, true, nil
	}
	return Answer{Block: postReviewRequest(r, clean, s.state.Limit, s.Getenv)}, true, nil
}

// target is where the plan goes when the reviews of a kind are over, as tasks.md
// is now.
func (s *stop) target(kind Kind) string {
	return kind.Target(s.state.TDD, kind.OfTask() && anotherPending(readTasks(s.plan), s.state.Task))
}

// impossible tells what a review lacks, "" where it can be done (spec 70 §5.4).
func (r Review) impossible() string {
	switch {
	case r.Tasks && len(r.Files) == 0:
		return r.In.Path(tasksName) + " names no task with a number"
	case r.OfTask() && !r.Task.Known:
		return "the state names no current_task"
	case r.OfTask() && !r.Task.usable():
		return fmt.Sprintf("the current_task %q of the state cannot be part of a file name", r.Task.Text)
	}
	return ""
}

// reviewer runs the program to its end and gives what it printed. A review that
// was not written is an error as well.
func (s *stop) reviewer(ctx context.Context, program string, r Review) ([]byte, error) {
	project, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Remove(r.Log()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("make the log: %w", err)
	}
	log, err := os.OpenFile(r.Log(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("make the log: %w", err)
	}
	defer log.Close()
	timeout := reviewTimeout(s.Getenv(timeoutVariable))
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w after %s", errTimedOut, timeout))
	defer cancel()
	output, err := s.Run(ctx, Command{
		Path:   program,
		Args:   arguments(s.state.Model, r.Prompt(pluginRoot(s.Getenv))),
		Dir:    project,
		Env:    append(os.Environ(), skipVariable+"=true"),
		Stderr: &limited{w: log, left: maxLog},
	})
	if err == nil && !isFile(r.File()) {
		err = fmt.Errorf("claude ended well, but %s was not written", r.File())
	}
	return output, err
}

// reviewTimeout reads a number of seconds; anything that is none above 0 counts
// as not set.
func reviewTimeout(text string) time.Duration {
	seconds, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(seconds > 0) || math.IsInf(seconds, 0):
		return defaultTimeout
	case seconds > math.MaxInt64/float64(time.Second):
		return math.MaxInt64
	}
	return time.Duration(seconds * float64(time.Second))
}

// isClean reads the verdict from what the reviewer printed: in the result, as an
// object or as the text of one, or in the structured output, wherever there is a
// text first. Only PASS says that nothing was found (spec 70 §5.6).
func isClean(output []byte) bool {
	answer, err := ordered.Parse(output)
	if err != nil {
		return false
	}
	inside, err := ordered.Parse([]byte(answer.Get("result").Text()))
	if err != nil {
		inside = nil // prose, or no text at all
	}
	for _, verdict := range [...]*ordered.Value{
		answer.Get("result", "verdict"),
		answer.Get("structured_output", "verdict"),
		inside.Get("verdict"),
	} {
		if verdict.Kind() == ordered.String {
			return verdict.Text() == "PASS"
		}
	}
	return false
}
