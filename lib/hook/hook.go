// Package hook runs rules. A hook is a value that says when it applies and what
// it decides; [Main] runs one, [Dispatch] several. Rules do no input or output
// of their own: they read the event, the state and the configuration through a
// [Context], change the state document, and return a [Decision]. What is hard
// about being a hook is done here, once: failing open, the transaction on
// state.json, the forms of the answer, the log.
package hook

import (
	"slices"

	"isdlc-hooks/lib/claude"
)

// A Hook is one rule of the workflow.
type Hook struct {
	Name   string             // of the program and in the activity log
	Doc    string             // what it is for, in a sentence
	Events []claude.EventName // that it is registered for; the first is assumed where an event has no name
	Tools  []claude.Tool      // that it looks at; none: at every event

	// Run decides. It may be called again on a newer state when somebody else
	// wrote it meanwhile, so all it does goes through the Context.
	Run func(*Context) Decision
}

// looksAt tells whether h is about an event at all.
func (h *Hook) looksAt(e *claude.Event) bool {
	return slices.Contains(h.Events, e.Name) && concerns(h.Tools, e)
}

func concerns(tools []claude.Tool, e *claude.Event) bool {
	return len(tools) == 0 || e.Name == claude.SubagentStop || slices.Contains(tools, e.Tool)
}

// A Decision is what a rule says to a call: let it go, which is the zero value,
// stop it, or nothing because the rule failed.
type Decision struct {
	reason string
	err    error
}

// Allow lets the call go.
func Allow() Decision { return Decision{} }

// Block stops the call; the model is told the reason.
func Block(reason string) Decision { return Decision{reason: reason} }

// Fail gives up: the call goes on, what the rule did is undone, and the error is
// written to the activity log.
func Fail(err error) Decision { return Decision{err: err} }

// A Step is a hook inside a dispatcher, with the condition under which it runs.
type Step struct {
	Hook *Hook
	When func(*Context) bool // nil: always
}

// A Dispatcher runs several hooks on one event, in order, with one state, one
// write and one answer.
type Dispatcher struct {
	Name   string
	Doc    string
	Events []claude.EventName
	Tools  []claude.Tool // that it looks at; none: at every event

	Active func(*Context) bool // whether there is anything to do; nil: always
	Before func(*Context)      // what comes before the steps; may be nil
	Steps  []Step

	// All runs the steps that follow one that blocks, too, and never blocks.
	All bool
}

// WorkflowActive is the condition of most steps: the state has an active
// workflow.
func WorkflowActive(c *Context) bool { return c.State().Get("active_workflow").Present() }
