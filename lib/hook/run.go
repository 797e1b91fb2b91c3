package hook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/state"
)

const (
	maxInput  = 64 << 20 // bytes of an event; more is not read
	maxRounds = 10       // evaluations of one event, when others keep writing the state
)

// Main runs one hook on the event on standard input. The process ends with exit
// code 0 whatever happens.
func Main(h *Hook) {
	run(&Dispatcher{Name: h.Name, Events: h.Events, Tools: h.Tools, Steps: []Step{{Hook: h}}}, false)
}

// Dispatch runs the hooks of a dispatcher on the event on standard input.
func Dispatch(d *Dispatcher) { run(d, true) }

func run(d *Dispatcher, dispatched bool) {
	start := time.Now()
	p := &process{debug: os.Getenv(debugVariable) == "true"}
	out := answer(d, dispatched, p, os.Stdin)
	if out == nil {
		return
	}
	if err := out.send(d, p); err != nil && p.debug {
		out.notices = append(out.notices, debugPrefix+" "+err.Error())
	}
	if dispatched && out.ran >= 0 {
		out.notices = append(out.notices, timing(d.Name, time.Since(start), out.ran))
	}
	if len(out.notices) > 0 {
		_, _ = os.Stderr.WriteString(strings.Join(out.notices, "\n") + "\n") // nobody is left to tell
	}
	if answer := out.answer.Encode(os.Getenv("ISDLC_BLOCK_FORMAT") == "legacy"); len(answer) > 0 {
		_, _ = os.Stdout.Write(answer)
	}
}

func timing(name string, d time.Duration, n int) string {
	ms := strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64)
	return "DISPATCHER_TIMING: " + name + " completed in " + ms + "ms (" + strconv.Itoa(n) + " hooks)"
}

// An outcome is what an event comes to in the end.
type outcome struct {
	effects
	ran int // hooks that ran; -1: the dispatcher had nothing to do
}

// answer evaluates the event, and writes the state that comes of it. It is nil
// where there is nothing to say: no input, no event.
func answer(d *Dispatcher, dispatched bool, p *process, in io.Reader) (out *outcome) {
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("the event is above %d bytes", maxInput)
	}
	if err != nil {
		c := &Context{process: p, hook: d.Name}
		c.fail(d.Name, fmt.Errorf("read the event: %w", err))
		return &outcome{c.effects, -1}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	event, err := claude.Decode(data)
	if err != nil {
		return nil
	}
	if !slices.Contains(d.Events, event.Name) {
		event.Name = d.Events[0]
	}
	if !concerns(d.Tools, event) {
		return nil
	}
	return (&evaluation{d: d, dispatched: dispatched, process: p, event: event}).transact()
}

// An evaluation is the work on one event, over as many rounds as it takes.
type evaluation struct {
	d          *Dispatcher
	dispatched bool
	process    *process
	event      *claude.Event
	failed     []*Hook // hooks that failed: they are not run again
	errors     []activity.Entry
}

// transact runs the rules and writes the state that they changed, again from the
// beginning while somebody else writes it in between (spec 00 §3.3). From the
// second round on it holds the lock meanwhile, so that other hooks cannot get in
// its way again: among many, each evaluates twice at most.
func (e *evaluation) transact() *outcome {
	var held interface{ Unlock() error }
	defer func() {
		if held != nil {
			_ = held.Unlock() // the end of the process releases it too
		}
	}()
	for round := 1; ; round++ {
		c, out := e.round()
		changed := slices.IndexFunc(c.documents, func(d *state.Document) bool { return d.State.Changed() })
		if changed < 0 {
			return e.finish(c, out, nil)
		}
		doc := c.documents[changed]
		err := doc.Commit(held != nil)
		if !errors.Is(err, disk.ErrChanged) || round == maxRounds {
			return e.finish(c, out, err)
		}
		if held == nil {
			if held, err = state.Lock(doc.Path); err != nil {
				held = nil
				return e.finish(c, out, err)
			}
			continue
		}
		time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond) // of those who do not ask for the lock
	}
}

// finish adds to an outcome what went wrong on the way to it.
func (e *evaluation) finish(c *Context, out *outcome, commit error) *outcome {
	c.effects = effects{}
	if commit != nil {
		c.fail(e.d.Name, fmt.Errorf("the state was not written: %w", commit))
	}
	for _, d := range c.documents {
		if err := d.Err(); err != nil && !errors.Is(err, disk.ErrNotRegular) { // a folder there is no state, and no failure
			c.fail(e.d.Name, fmt.Errorf("the state cannot be read: %w", err))
		}
	}
	if p := e.process.project; p != nil && p.Err() != nil {
		c.fail(e.d.Name, p.Err())
	}
	if e.process.config != nil {
		c.hook = e.d.Name
		for _, w := range e.process.config.Warnings() {
			c.Log("warn", "", "", w)
		}
	}
	out.entries = append(append(out.entries, e.errors...), c.effects.entries...)
	out.notices = append(out.notices, c.effects.notices...)
	return out
}

// round evaluates the event once, on the state as it is now. A hook that fails
// must have changed nothing: the round begins anew without it.
func (e *evaluation) round() (*Context, *outcome) {
	for {
		c := &Context{Event: e.event, Dispatched: e.dispatched, process: e.process, hook: e.d.Name}
		out, failed := e.steps(c)
		if !failed {
			return c, out
		}
	}
}

func (e *evaluation) steps(c *Context) (out *outcome, failed bool) {
	out = &outcome{}
	guard := func(h *Hook, f func() Decision) Decision {
		c.hook = h.Name
		decision := protect(f, e.process.debug)
		if decision.err != nil {
			failed = true
			e.failed = append(e.failed, h)
			before := c.effects
			c.effects = effects{}
			c.fail(h.Name, decision.err)
			e.errors = append(e.errors, c.effects.entries...)
			c.effects = before
		}
		return decision
	}
	start := &Hook{Name: e.d.Name}
	ready := true
	guard(start, func() Decision {
		if e.d.Active != nil {
			ready = e.d.Active(c)
		}
		if ready && e.d.Before != nil {
			e.d.Before(c)
		}
		return Allow()
	})
	if failed || !ready {
		out.ran = -1
		return out, false // without its beginning a dispatcher does nothing
	}
	for _, step := range e.d.Steps {
		if slices.Contains(e.failed, step.Hook) {
			continue
		}
		decision := guard(step.Hook, func() Decision {
			if !step.Hook.looksAt(c.Event) || step.When != nil && !step.When(c) {
				return Allow()
			}
			out.ran++
			return step.Hook.Run(c)
		})
		if failed {
			return nil, true
		}
		if decision.reason != "" && !e.d.All {
			c.effects.answer.Block = decision.reason
			break
		}
	}
	out.effects = c.effects
	out.answer.Event = c.Event.Name
	out.answer.Context = strings.Join(c.effects.context, "\n\n")
	return out, false
}

// protect turns a panic of f into a failure.
func protect(f func() Decision, trace bool) (d Decision) {
	defer func() {
		if r := recover(); r != nil {
			err := fmt.Errorf("panic: %v", r)
			if trace {
				err = fmt.Errorf("%w\n%s", err, debug.Stack())
			}
			d = Fail(err)
		}
	}()
	return f()
}

// fail notes an error of a hook in the activity log.
func (c *Context) fail(hook string, err error) {
	c.hook = hook
	c.Log("error", "", "", clip(err.Error(), 500))
	c.Debug(hook + ": " + err.Error())
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// send lets the outward effects go out, but for the answer.
func (o *outcome) send(d *Dispatcher, p *process) error {
	c := &Context{process: p, hook: d.Name}
	for _, t := range o.after {
		if done := protect(func() Decision { return Fail(t.do()) }, p.debug); done.err != nil {
			c.fail(t.hook, done.err)
		}
	}
	o.entries = append(o.entries, c.effects.entries...)
	o.notices = append(o.notices, c.effects.notices...)
	if len(o.entries) == 0 {
		return nil
	}
	return activity.Append(c.Project().Log(), o.entries...)
}
