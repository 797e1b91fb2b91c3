// Package replay sends recorded events through the programs that the settings of
// a project register for them, in a copy of the project, and tells what each
// answered and changed.
//
// It does what the client does with hooks, but for three things: programs of one
// event run one after the other, in the order of the settings, so that a replay
// can be repeated; tools do not run, only what a Write, Edit or MultiEdit wrote
// is written into the copy when the event after it comes; and the hooks of
// others, and those that start other programs, are left out unless asked for.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/copytree"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/scopes"
	"isdlc-hooks/scripts/internal/settings"
)

// Options say what is replayed where.
type Options struct {
	Project string // absolute; nothing in it is changed
	Events  []byte // one JSON object a line
	// Recorded is the folder that was the project when the events were
	// recorded; "": the working directory of the first event.
	Recorded string
	All      bool // run the hooks of others too, and those that start other programs
	Copy     copytree.Options
	Getenv   func(string) string
	Progress func(done, total int) // may be nil
}

// player is a replay going on.
type player struct {
	Options
	replay *Replay
	copy   string // of the project
	top    string // what is removed in the end
	scopes []scopes.Scope
	env    map[string]string
	forth  *strings.Replacer // from recorded paths to those of the copy
	back   *strings.Replacer // from paths of the copy to those of the project
	denied map[string]int    // calls of tools, with the line at which they were
	states stateFiles
}

// Run replays events. The error tells that it could not begin, or that ctx has
// ended; what is wrong with an event or a program stands in the replay.
func Run(ctx context.Context, o Options) (*Replay, error) {
	p := &player{Options: o, replay: &Replay{Project: o.Project}, denied: map[string]int{}, env: map[string]string{}}
	if err := p.loadSettings(o.Project); err != nil {
		return nil, err
	}
	events := lines(o.Events)
	if len(events) == 0 {
		return nil, errors.New("there are no events to replay")
	}
	top, err := scratch()
	if err != nil {
		return nil, fmt.Errorf("making a copy of the project: %w", err)
	}
	defer os.RemoveAll(top)
	if p.top, err = filepath.EvalSymlinks(top); err != nil {
		return nil, fmt.Errorf("making a copy of the project: %w", err)
	}
	if err := p.stage(events); err != nil {
		return nil, err
	}
	for i, e := range events {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i, len(events))
		}
		p.replay.Steps = append(p.replay.Steps, p.step(ctx, e))
	}
	if o.Progress != nil {
		o.Progress(len(events), len(events))
	}
	p.count()
	return p.replay, ctx.Err()
}

func (p *player) loadSettings(project string) error {
	p.scopes = scopes.Load(scopes.Options{Project: project})
	hooks := 0
	for _, s := range p.scopes {
		if s.Err != nil {
			return fmt.Errorf("%s: %w", s, s.Err)
		}
		if s.Settings.Disabled {
			return fmt.Errorf("%s: disableAllHooks is on, so that no event reaches a hook", s)
		}
		hooks += len(s.Settings.Hooks)
		maps.Copy(p.env, s.Settings.Env)
	}
	if hooks == 0 {
		return fmt.Errorf("no hooks are registered in %s", filepath.Join(project, ".claude", "settings.json"))
	}
	return nil
}

// stage copies the project and prepares the exchange of paths.
func (p *player) stage(events []event) error {
	name := "project"
	if strings.ContainsAny(p.Project, " \t") {
		name = "a project" // what is not quoted fails in the copy too
	}
	p.copy = filepath.Join(p.top, name)
	var err error
	if p.replay.Copied, err = copytree.Copy(p.Project, p.copy, p.Copy); err != nil {
		return err
	}
	home, tmp := filepath.Join(p.top, "home"), filepath.Join(p.top, "tmp")
	for _, dir := range []string{home, tmp} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Errorf("making a copy of the project: %w", err)
		}
	}
	p.env["DES_AUDIT_LOG_DIR"] = filepath.Join(p.top, "audit")

	recorded := p.Recorded
	for _, e := range events {
		if recorded == "" {
			recorded = e.body.Get("cwd").Text()
		}
	}
	p.forth = p.exchange(recorded, home, tmp)
	p.back = strings.NewReplacer(p.copy, p.Project)
	p.states.read(p.copy)
	return nil
}

// step plays one event.
func (p *player) step(ctx context.Context, e event) *Step {
	s := &Step{Line: e.line, Broken: e.broken}
	if s.Broken != "" {
		return s
	}
	raw := []byte(p.forth.Replace(string(e.raw)))
	body, err := ordered.Parse(raw)
	if err != nil {
		s.Broken = "no JSON any more, once its paths are exchanged: " + err.Error()
		return s
	}
	e.raw, e.body = append(raw, '\n'), body
	name := e.body.Get("hook_event_name").Text()
	s.Event, s.Tool = name, e.body.Get("tool_name").Text()
	s.Agent = e.body.Get("agent_type").Text()
	if s.Agent == "" {
		s.Agent = e.body.Get("tool_input", "subagent_type").Text()
	}
	id := e.body.Get("tool_use_id").Text()
	if line, denied := p.denied[id]; denied && id != "" && name != string(claude.PreToolUse) {
		s.Skipped = fmt.Sprintf("would not have come: the call was denied at line %d", line)
		return s
	}
	if name == string(claude.PostToolUse) {
		p.apply(e.body)
		p.states.read(p.copy)
	}
	var ran []string
	for _, scope := range p.scopes {
		for _, h := range scope.Settings.Hooks {
			if h.Event != name || !settings.Runs(name, h.Matcher, e.body.Get(settings.Subject(name)).Text()) {
				continue
			}
			key := strings.Join(append([]string{h.Command}, h.Args...), "\x00")
			if slices.Contains(ran, key) {
				continue // the client runs the same command once
			}
			ran = append(ran, key)
			a := p.answer(ctx, h, name, e)
			s.Answers = append(s.Answers, a)
			s.Verdict = stronger(s.Verdict, a.Verdict)
		}
	}
	switch {
	case s.Verdict == client.Deny:
		p.denied[id] = s.Line
	case name == string(claude.PreToolUse):
		delete(p.denied, id) // another call, of a session that begins its ids anew
	}
	return s
}

// answer runs one hook.
func (p *player) answer(ctx context.Context, h settings.Hook, name string, e event) *Answer {
	target := client.Find(h, p.copy, "", p.Getenv)
	a := &Answer{Program: target.Name()}
	if _, ours := registration.Alone(a.Program); !ours {
		if a.Program = h.Command; h.Type != "command" {
			a.Program = h.Type + " hook"
		}
		if !p.All || h.Type != "command" {
			a.NotRun = "it is not one of ours"
			return a
		}
	}
	if a.Program == reviewer && !p.All {
		a.NotRun = "it starts reviewers"
		return a
	}
	dir := e.body.Get("cwd").Text()
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !below(p.copy, dir) {
		dir = p.copy
	}
	r := client.Run(ctx, client.Call{Hook: h, Event: e.raw, Project: p.copy, Dir: dir, Env: p.env})
	said := client.Read(claude.EventName(name), r)
	a.Verdict, a.Fault, a.Exit = said.Verdict, p.back.Replace(said.Fault), r.Exit
	a.Reason, a.Context, a.Message = p.back.Replace(said.Reason), p.back.Replace(said.Context), p.back.Replace(said.Message)
	if said.Input != nil {
		a.Input = json.RawMessage(p.back.Replace(string(said.Input.Compact())))
	}
	a.Stdout, a.Stderr = p.back.Replace(r.Stdout), p.back.Replace(r.Stderr)
	a.Milliseconds = float64(r.Took.Microseconds()) / 1000
	a.State = p.states.changed(p.copy)
	return a
}

// reviewer runs another program for minutes, at a cost.
const reviewer = "taskie-stop-hook"

// An event is a line of the input.
type event struct {
	line   int
	raw    []byte
	body   *ordered.Value
	broken string
}

func lines(data []byte) []event {
	var events []event
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		e := event{line: n, raw: line}
		body, err := ordered.Parse(line)
		switch {
		case err != nil:
			e.broken = "no JSON: " + err.Error()
		case !body.IsObject():
			e.broken = "no JSON object"
		case body.Get("hook_event_name").Text() == "":
			e.broken = "no event: it has no hook_event_name"
		}
		e.body = body
		events = append(events, e)
	}
	return events
}
