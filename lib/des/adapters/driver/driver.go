// Package driver puts the DES services behind standard input and output: an
// event of the client in, a decision out (spec 60 §2). It fails closed: whatever
// cannot be judged is a block.
package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/ordered"
)

const (
	maxInput = 64 << 20 // bytes of an event

	exitError = 1
	exitBlock = 2
)

// Streams are those of a process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// run answers one event, and gives the exit code. An error, or a panic, is
// answered by a block too: the exit code alone would let the tool run (spec 05
// G.1).
func run(s Streams, judge func(*claude.Event) (app.HookDecision, error), answer func(app.HookDecision) *ordered.Value) int {
	decision, err := decide(s.In, judge)
	out, exit := ordered.NewObject("decision", string(app.Allow)), decision.ExitCode
	switch {
	case err != nil:
		out, exit = ordered.NewObject("status", "error", "decision", string(app.Block), "reason", err.Error()), exitError
	case decision.Action == app.Block:
		out = answer(decision)
	}
	for _, notice := range decision.Notices {
		fmt.Fprintln(s.Err, notice)
	}
	if _, err := s.Out.Write(append(out.Compact(), '\n')); err != nil {
		// Nobody reads the answer: the exit code is what is left to block with.
		fmt.Fprintln(s.Err, "the answer could not be given:", err)
		return exitBlock
	}
	return exit
}

func decide(in io.Reader, judge func(*claude.Event) (app.HookDecision, error)) (d app.HookDecision, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = app.HookDecision{}, fmt.Errorf("unexpected failure: %v", p)
		}
	}()
	event, err := read(in)
	if err != nil {
		return app.HookDecision{}, err
	}
	return judge(event)
}

func read(in io.Reader) (*claude.Event, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read stdin: %w", err)
	case len(data) > maxInput:
		return nil, fmt.Errorf("stdin holds more than %d bytes", maxInput)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("stdin is empty: there is no event to judge")
	case !utf8.Valid(data):
		return nil, errors.New("stdin is no JSON: it is not UTF-8")
	}
	event, err := claude.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("stdin is no JSON object: %w", err)
	}
	return event, nil
}
