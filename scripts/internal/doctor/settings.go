package doctor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/scopes"
	"isdlc-hooks/scripts/internal/settings"
)

// A command is one registered hook.
type command struct {
	settings.Hook
	scope  scopes.Scope
	target client.Target
	name   string // of our program; "" for those of others
	file   string // of the program; "" where that is not known
	dead   bool   // it cannot run, and that is said already
}

func (c *command) where() string {
	at := c.scope.String() + ":" + strconv.Itoa(c.Line)
	if c.Matcher == "" {
		return at + " " + c.Event
	}
	return at + " " + c.Event + " " + c.Matcher
}

// text is the command as a person knows it.
func (c *command) text() string {
	if c.name != "" {
		return c.name
	}
	return strings.Join(append([]string{c.Command}, c.Args...), " ")
}

// settings reads the settings and looks at what is about them as a whole.
func (e *examination) settings() {
	const check = "settings"
	e.scopes = scopes.Load(scopes.Options{Project: e.Project, User: e.User, PluginDirs: e.PluginDirs})
	readable := true
	for _, kind := range []scopes.Kind{scopes.Plugin, scopes.User, scopes.Project, scopes.Local} {
		for _, s := range e.scopes {
			if s.Kind == kind {
				maps.Copy(e.env, s.Settings.Env)
			}
		}
	}
	for _, s := range e.scopes {
		switch {
		case errors.Is(s.Err, settings.ErrBroken):
			readable = false
			e.add(Error, check, s.String(), "mend that place; until then no hook of the file runs, and nothing says so", "%v", s.Err)
			continue
		case s.Err != nil:
			readable = false
			e.add(Error, check, s.String(), "make it a file that can be read", "cannot be read: %v", s.Err)
			continue
		}
		if s.Settings.Disabled {
			e.add(Error, check, s.String(), "remove disableAllHooks", "disableAllHooks is on: the client runs no hook at all")
		}
		ours := 0
		for _, h := range s.Settings.Hooks {
			if h.Type != "command" {
				continue
			}
			c := &command{Hook: h, scope: s, target: client.Find(h, e.Project, s.Root, e.Getenv)}
			if _, known := registration.Alone(c.target.Name()); known {
				c.name = c.target.Name()
				ours++
			}
			e.commands = append(e.commands, c)
		}
		e.add(OK, check, s.String(), "", "the client applies it; %d of its %d %s ours", ours, len(s.Settings.Hooks), are(len(s.Settings.Hooks)))
	}
	if e.env[legacyVariable] == "legacy" || e.Getenv(legacyVariable) == "legacy" {
		e.add(Warning, check, legacyVariable, "unset "+legacyVariable, "is legacy: a blocked tool runs all the same, and the model never sees the reason")
	}
	if readable && !slices.ContainsFunc(e.commands, func(c *command) bool { return c.name != "" }) {
		e.add(Error, check, ".claude/settings.json", e.reinstall(), "none of our programs is registered")
	}
}

const legacyVariable = "ISDLC_BLOCK_FORMAT"

// duplicates looks for programs that would run twice on one event.
func (e *examination) duplicates() {
	const check = "duplicate"
	for i, c := range e.commands {
		if c.name == "" {
			continue
		}
		for _, first := range e.commands[:i] {
			if first.name == "" || first.Event != c.Event || !settings.Overlap(c.Event, first.Matcher, c.Matcher) {
				continue
			}
			if inside, dispatcher := step(first, c); inside != nil {
				e.add(Error, check, inside.where(), "remove "+inside.name+" there", "%s runs inside %s already: it would judge and count every event twice", inside.name, dispatcher.name)
				continue
			}
			if first.name != c.name {
				continue
			}
			if same(first, c) {
				e.add(Warning, check, c.where(), "remove one of the two", "%s is registered by the same command at %s: the client runs it once", c.name, first.where())
				break
			}
			e.add(Error, check, c.where(), "keep one of the two", "%s is registered at %s too, by another command: it runs twice on every event", c.name, first.where())
			break
		}
	}
}

func same(a, b *command) bool {
	return a.Command == b.Command && slices.Equal(a.Args, b.Args) && a.scope.Root == b.scope.Root
}

// step tells which of two commands runs as a step of the other one, which is a
// dispatcher; nil where neither does.
func step(a, b *command) (inside, dispatcher *command) {
	for _, r := range registration.Table {
		if r.Event != a.Event {
			continue
		}
		if r.Program == a.name && a.name != b.name && slices.Contains(r.Replaces, b.name) {
			return b, a
		}
		if r.Program == b.name && a.name != b.name && slices.Contains(r.Replaces, a.name) {
			return a, b
		}
	}
	return nil, nil
}

// unseen is what a program misses where it is not registered for an event.
var unseen = map[string]string{
	"PostToolUseFailure": "failed commands, test runs among them, come as this event and are not seen",
	"SubagentStop":       "what background agents report, and on today's client all agents, comes as this event and is not judged",
}

// missing looks for events and tools that a registered program does not get.
func (e *examination) missing() {
	const check = "missing"
	for _, r := range registration.Table {
		var matchers []string
		registered := ""
		for _, c := range e.commands {
			if c.name != r.Program {
				continue
			}
			if registered == "" {
				registered = c.scope.String()
			}
			if c.Event == r.Event {
				matchers = append(matchers, c.Matcher)
			}
		}
		if registered == "" {
			continue
		}
		if matchers == nil {
			why := unseen[r.Event]
			if why == "" {
				why = "what it does there is not done"
			}
			e.add(Error, check, registered, e.reinstall(), "%s is not registered for %s: %s", r.Program, r.Event, why)
			continue
		}
		var without []string
		for tool := range strings.SplitSeq(r.Matcher, "|") {
			if !slices.ContainsFunc(matchers, func(m string) bool { return tool == "" || settings.Runs(r.Event, m, tool) }) {
				without = append(without, tool)
			}
		}
		if len(without) > 0 {
			severity := Warning
			if strings.Join(without, "|") == r.Matcher {
				severity = Error
			}
			e.add(severity, check, registered+" "+r.Event, fmt.Sprintf("use the matcher %q", r.Matcher),
				"%s does not run for %s: the matcher %s leaves it out", r.Program, strings.Join(without, ", "), strconv.Quote(strings.Join(matchers, `", "`)))
		}
	}
}

func are(n int) string {
	if n == 1 {
		return "hook is"
	}
	return "hooks are"
}
