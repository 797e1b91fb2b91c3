package hook

import (
	"os"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/config"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/state"
)

// A Context is what a rule may see and do. Everything in it is fetched when it
// is first asked for: a rule that returns at a guard has opened no file.
type Context struct {
	Event *claude.Event

	// Dispatched tells that the rule runs under a dispatcher.
	Dispatched bool

	hook    string // the one that runs now
	process *process

	now        time.Time
	delegation *delegation // once it was asked for
	documents  []*state.Document
	effects    effects
}

// A process is what stays the same over all evaluations of one event.
type process struct {
	project *project.Project
	config  *config.Store
	debug   bool
	answers map[string]any // see Context.Recall
}

// effects are what an evaluation wants to be seen outside. They go out after the
// state is written.
type effects struct {
	entries []activity.Entry
	notices []string
	context []string
	answer  claude.Answer
	after   []task
}

// A task is something that a rule has done after the commit.
type task struct {
	hook string
	do   func() error
}

// Now is the time of the evaluation, the same at every call.
func (c *Context) Now() time.Time {
	if c.now.IsZero() {
		c.now = time.Now()
	}
	return c.now
}

// Getenv is the value of an environment variable.
func (c *Context) Getenv(name string) string { return os.Getenv(name) }

// WorkDir is the working directory of the process, "" where it was removed.
func (c *Context) WorkDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// Project is the project of the process.
func (c *Context) Project() *project.Project {
	if c.process.project == nil {
		c.process.project = project.Find(os.Getenv, os.Getwd)
	}
	return c.process.project
}

// Config is the configuration of the project.
func (c *Context) Config() *config.Store {
	if c.process.config == nil {
		c.process.config = &config.Store{Root: c.Project().Root, Plugin: c.Getenv("CLAUDE_PLUGIN_ROOT")}
	}
	return c.process.config
}

// State is the state of the active project, nil where there is none.
func (c *Context) State() *state.State { return c.StateAt(c.Project().State()) }

// StateAt is the state in the file at path, nil where there is none. It is
// loaded once in an evaluation.
func (c *Context) StateAt(path string) *state.State {
	for _, d := range c.documents {
		if d.Path == path {
			return d.State
		}
	}
	d := state.Load(path)
	c.documents = append(c.documents, d)
	return d.State
}

// ReadFile gives the bytes of a file that the event is about; a relative path
// is one below the working directory. It is an error if that is no regular file,
// or one too large to be looked at (see [disk.Read]).
func (c *Context) ReadFile(path string) ([]byte, error) { return disk.Read(path) }

// Log adds an entry to the activity log. An empty text is written as null.
func (c *Context) Log(event, phase, agent, reason string) {
	c.effects.entries = append(c.effects.entries, activity.Entry{
		Time: c.Now(), Hook: c.hook, Event: event, Phase: phase, Agent: agent, Reason: reason,
	})
}

// Warn tells the person something: a block of text on standard error.
func (c *Context) Warn(notice string) { c.effects.notices = append(c.effects.notices, notice) }

// Tell gives the model a message without stopping anything.
func (c *Context) Tell(message string) { c.effects.context = append(c.effects.context, message) }

// Replace gives the tool another input than the one it was called with.
func (c *Context) Replace(input *ordered.Value) { c.effects.answer.Input = input }

// Message shows the person a message in the client.
func (c *Context) Message(text string) { c.effects.answer.Message = text }

// Legacy is an answer of the older hooks that is printed as it is, in place of
// what the other methods say, for callers that ask for the older bytes. A block
// comes before it.
func (c *Context) Legacy(answer *ordered.Value) { c.effects.answer.Legacy = answer }

// After has do run once, when the state is written and the rules will not be run
// again: for effects outside the project's state. Its error goes to the activity
// log and changes no answer.
func (c *Context) After(do func() error) {
	c.effects.after = append(c.effects.after, task{c.hook, do})
}

// Recall is what ask gave when it was called for key the first time, however
// often the rules run on this event: for questions that cost something, or that
// must not be put twice.
func (c *Context) Recall(key string, ask func() any) any {
	answer, asked := c.process.answers[key]
	if !asked {
		answer = ask()
		if c.process.answers == nil {
			c.process.answers = map[string]any{}
		}
		c.process.answers[key] = answer
	}
	return answer
}

// Debugging tells whether debug lines are wanted.
func (c *Context) Debugging() bool { return c.process.debug }

// Debug writes a line for whoever looks for a fault. Ask [Context.Debugging]
// first where making the line costs anything.
func (c *Context) Debug(line string) {
	if c.process.debug {
		c.Warn(debugPrefix + " " + line)
	}
}

const (
	debugVariable = "SKILL_VALIDATOR_DEBUG"
	debugPrefix   = "[skill-validator]"
)

// SelfHeal tells of something that was wrong and was got over: a notice for the
// person and an entry in the activity log.
func (c *Context) SelfHeal(phase, what string) {
	c.Warn("[SELF-HEAL] " + c.hook + ": " + what)
	c.Log("self-heal", phase, "", what)
}

// Call is what the event says of a sub-agent.
func (c *Context) Call() phase.Call {
	return phase.Call{
		Agent:       c.Event.Agent(),
		Prompt:      c.Event.Text("prompt"),
		Description: c.Event.Text("description"),
	}
}

type delegation struct {
	phase.Delegation
	found bool
}

// Delegation tells whether the event hands work to a phase (spec 10 §1.5).
func (c *Context) Delegation() (phase.Delegation, bool) {
	if c.delegation == nil {
		c.delegation = &delegation{}
		if c.Event.Tool == claude.Task {
			c.delegation.Delegation, c.delegation.found = c.detect()
		}
	}
	return c.delegation.Delegation, c.delegation.found
}

func (c *Context) detect() (phase.Delegation, bool) {
	return phase.Detect(c.Call(), phase.Sources{
		Manifest: c.Config().Manifest,
		Current:  phase.Canonical(c.State().CurrentPhase()),
		Known: func(key string) bool {
			return phase.Known(key, c.State().Workflow(), c.Config().Manifest, c.Config().Requirements, c.Config().Workflows)
		},
	})
}

// Requirements is what the phase key asks for in the active workflow, nil where
// nothing is told of it; see [phase.Requirements].
func (c *Context) Requirements(key string) *ordered.Value {
	return phase.Requirements(c.Config().Requirements(), key, c.State().Workflow().Get("type").Text())
}
