package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-json/jsontext"
)

// An Entry is a command to be registered.
type Entry struct {
	Event   string
	Matcher string // names joined by bars; empty where the event has none
	Command string
	Timeout int // seconds
}

func (e Entry) tools() []string { return strings.Split(e.Matcher, "|") }

func (e Entry) render(matcher string) object {
	return groupOf(matcher, object{{"type", "command"}, {"command", e.Command}, {"timeout", e.Timeout}})
}

func groupOf(matcher string, hook any) object {
	group := object{{"hooks", array{hook}}}
	if matcher != "" {
		group = append(object{{"matcher", matcher}}, group...)
	}
	return group
}

// A Wish says what a settings file is to hold.
type Wish struct {
	// Entries are added where they are missing.
	Entries []Entry
	// Exchange lists what takes over from the .cjs hook of this name at this
	// event, the best first. The first that overlaps the matcher is taken, a
	// last one without an event whatever the matcher is. Nothing: the hook
	// stays.
	Exchange func(event, name string) []Entry
	// Known tells whether the name is that of a hook that could have been
	// exchanged, so that it is worth a remark that it was not.
	Known func(name string) bool
}

// A Change is one thing that was done to a settings file, with what it takes to
// undo it when somebody has edited the file since.
type Change struct {
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
	// Was is what stood there before; nil where a group was added.
	Was *Was `json:"was,omitempty"`
	// MadeEvent and MadeHooks tell that the array of the event, the hooks
	// object, was added with it.
	MadeEvent bool `json:"made_event,omitempty"`
	MadeHooks bool `json:"made_hooks,omitempty"`
}

// Was is what an exchanged entry was before, as it was written.
type Was struct {
	Command string  `json:"command"`
	Timeout *string `json:"timeout,omitempty"` // nil: not touched; empty: there was none
	Matcher *string `json:"matcher,omitempty"` // nil: not touched
	// Hook is set where the entry was dropped, because the command that takes
	// its place is registered already; Group, where its group was dropped with
	// it.
	Hook  string `json:"hook,omitempty"`
	Group string `json:"group,omitempty"`
}

// Edit fulfils a wish. It gives back the new text, which is data itself where
// there is nothing to do, what was done, and remarks for the user. Data that
// the client would not apply is refused with an error that wraps [ErrBroken].
func Edit(data []byte, wish Wish) (edited []byte, changes []Change, remarks []string, err error) {
	text := data
	if blank(data) {
		if len(wish.Entries) == 0 {
			return data, nil, nil, nil
		}
		text = []byte("{}\n")
	}
	d, err := open(text)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := d.check(); err != nil {
		return nil, nil, nil, err
	}
	e := editor{d: d, wish: wish}
	if err := e.run(); err != nil {
		return nil, nil, nil, err
	}
	if len(e.changes) == 0 {
		return data, nil, e.remarks, nil
	}
	if err := e.d.check(); err != nil {
		return nil, nil, nil, fmt.Errorf("after editing the settings: %w", err)
	}
	return e.d.data, e.changes, e.remarks, nil
}

func blank(data []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(byteOrderMark)))) == 0
}

type editor struct {
	d       *document
	wish    Wish
	changes []Change
	remarks []string
}

func (e *editor) run() error {
	if n := e.d.root.get("disableAllHooks"); n != nil && n.kind == jsontext.KindTrue {
		e.remarks = append(e.remarks, "disableAllHooks is on: the client runs no hook")
	}
	if e.wish.Exchange != nil {
		if err := e.exchangeAll(); err != nil {
			return err
		}
	}
	for _, entry := range e.wish.Entries {
		if err := e.add(entry); err != nil {
			return err
		}
	}
	return nil
}

// A place is where a hook stands, by index: positions move with every edit.
type place struct{ event, group, hook int }

func (d *document) events() []*node {
	hooks := d.root.get("hooks")
	if hooks == nil || hooks.kind != jsontext.KindBeginObject {
		return nil
	}
	return hooks.children
}

// places are all hooks of the file in the order in which they stand there.
func (d *document) places() []place {
	var places []place
	for i, event := range d.events() {
		for j, group := range event.items() {
			for k := range group.get("hooks").items() {
				places = append(places, place{i, j, k})
			}
		}
	}
	return places
}

func (d *document) at(p place) (event, group, hook *node) {
	event = d.events()[p.event]
	group = event.children[p.group]
	return event, group, group.get("hooks").children[p.hook]
}

func (e *editor) exchangeAll() error {
	// An entry that is dropped makes place for the next one at its index.
	for i := 0; i < len(e.d.places()); {
		before := len(e.d.places())
		if err := e.consider(e.d.places()[i]); err != nil {
			return err
		}
		if len(e.d.places()) == before {
			i++
		}
	}
	return nil
}

// consider exchanges the hook at a place if it is a .cjs hook that can be.
func (e *editor) consider(p place) error {
	event, group, hook := e.d.at(p)
	if hook.get("type").str() != "command" {
		return nil
	}
	name, simple := cjsHook(hook.get("command").str())
	if args := hook.get("args"); args != nil {
		simple = false
		for _, arg := range args.items() {
			if found, _ := cjsHook(arg.str()); found != "" {
				name = found
			}
		}
	}
	if name == "" || !e.wish.Known(name) {
		return nil
	}
	matcher := group.get("matcher").str()
	candidates := e.wish.Exchange(event.name, name)
	i := slices.IndexFunc(candidates, func(c Entry) bool { return c.Event == "" || overlap(event.name, matcher, c) })
	switch {
	case i < 0:
		e.remarks = append(e.remarks, fmt.Sprintf("%s: %s.cjs stays registered: nothing that is installed now takes its place", event.name, name))
		return nil
	case !simple:
		e.remarks = append(e.remarks, fmt.Sprintf("%s: %s.cjs stays registered, beside ours: its command does more than run it; remove it by hand", event.name, name))
		return nil
	case e.covered(p, candidates[i].Command):
		return e.drop(p, candidates[i])
	}
	return e.exchange(p, candidates[i])
}

// covered tells whether a command is registered in another place for all that
// the hook at p runs for.
func (e *editor) covered(p place, command string) bool {
	event, group, _ := e.d.at(p)
	matcher := withAgent(group.get("matcher").str())
	return slices.ContainsFunc(e.d.places(), func(other place) bool {
		_, group, hook := e.d.at(other)
		if other == p || other.event != p.event || hook.get("type").str() != "command" || !sameCommand(hook.get("command").str(), command) {
			return false
		}
		have := withAgent(group.get("matcher").str())
		names, ok := matcherNames(matcher)
		switch {
		case have == matcher || have == "" || have == "*" || event.name == "Stop":
			return true
		case !ok || matcher == "" || !slices.Contains(toolEvents, event.name):
			return false
		}
		return !slices.ContainsFunc(names, func(tool string) bool { return !Matches(have, tool) })
	})
}

// drop takes a .cjs hook out, and its group if it was alone there.
func (e *editor) drop(p place, entry Entry) error {
	event, group, hook := e.d.at(p)
	was := &Was{Command: e.d.raw(hook.get("command")), Hook: e.d.raw(hook)}
	change := Change{Event: event.name, Matcher: group.get("matcher").str(), Command: entry.Command, Timeout: entry.Timeout, Was: was}
	e.changes = append(e.changes, change)
	if hooks := group.get("hooks"); len(hooks.children) > 1 {
		return e.d.remove(hooks, p.hook)
	}
	was.Group = e.d.raw(group)
	return e.d.remove(event, p.group)
}

// exchange puts an entry where a .cjs hook stands. Other keys stay; a timeout
// that can only be milliseconds becomes ours.
func (e *editor) exchange(p place, entry Entry) error {
	event, group, hook := e.d.at(p)
	change := Change{Event: event.name, Matcher: group.get("matcher").str(), Command: entry.Command, Timeout: entry.Timeout, Was: &Was{}}
	command := hook.get("command")
	change.Was.Command = e.d.raw(command)
	if err := e.d.splice(command.start, command.end, quote(entry.Command)); err != nil {
		return err
	}
	_, _, hook = e.d.at(p)
	switch timeout := hook.get("timeout"); {
	case timeout == nil:
		change.Was.Timeout = new(string)
		if err := e.d.insert(hook, member{"timeout", entry.Timeout}); err != nil {
			return err
		}
	case seconds(timeout) >= milliseconds:
		was := e.d.raw(timeout)
		change.Was.Timeout = &was
		if err := e.d.splice(timeout.start, timeout.end, fmt.Sprint(entry.Timeout)); err != nil {
			return err
		}
	}
	_, group, _ = e.d.at(p)
	if matcher := group.get("matcher"); slices.Contains(toolEvents, event.name) && withAgent(matcher.str()) != matcher.str() {
		was := e.d.raw(matcher)
		change.Was.Matcher = &was
		change.Matcher = withAgent(matcher.str())
		if err := e.d.splice(matcher.start, matcher.end, quote(change.Matcher)); err != nil {
			return err
		}
	}
	e.changes = append(e.changes, change)
	return nil
}

// milliseconds is where a timeout is no longer believed to be meant in seconds:
// the longest sensible one is ten minutes.
const milliseconds = 1000

// add registers an entry for those of its tools that no group has it for.
func (e *editor) add(entry Entry) error {
	missing := e.missing(entry)
	if missing == nil {
		return nil
	}
	matcher := strings.Join(missing, "|")
	change := Change{Event: entry.Event, Matcher: matcher, Command: entry.Command, Timeout: entry.Timeout}
	if e.d.root.get("hooks") == nil {
		change.MadeHooks = true
		if err := e.d.insert(e.d.root, member{"hooks", object{{entry.Event, array{entry.render(matcher)}}}}); err != nil {
			return err
		}
		change.MadeEvent = true
		e.changes = append(e.changes, change)
		return nil
	}
	hooks := e.d.root.get("hooks")
	event := hooks.get(entry.Event)
	var err error
	if event == nil {
		change.MadeEvent = true
		err = e.d.insert(hooks, member{entry.Event, array{entry.render(matcher)}})
	} else {
		err = e.d.insert(event, entry.render(matcher))
	}
	e.changes = append(e.changes, change)
	return err
}

// missing are the tools of an entry for which its command is not registered;
// nil where there is none. An entry without matcher has the one tool "".
func (e *editor) missing(entry Entry) []string {
	missing := entry.tools()
	for _, group := range e.d.root.get("hooks").get(entry.Event).items() {
		if !slices.ContainsFunc(group.get("hooks").items(), func(hook *node) bool {
			return hook.get("type").str() == "command" && sameCommand(hook.get("command").str(), entry.Command)
		}) {
			continue
		}
		matcher := group.get("matcher").str()
		missing = slices.DeleteFunc(missing, func(tool string) bool {
			return Matches(matcher, tool) || entry.Event == "Stop"
		})
	}
	if len(missing) == 0 {
		return nil
	}
	return missing
}
