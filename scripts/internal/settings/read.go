package settings

import (
	"slices"

	"github.com/goccy/go-json/jsontext"
)

// A Hook is one hook as it stands in a settings file.
type Hook struct {
	Event   string
	Matcher string
	Type    string
	Command string
	Args    []string
	Exec    bool    // there are args: the command is no shell text
	Timeout float64 // seconds; 0 where there is none
	Async   bool    // the client does not wait for an answer
	Line    int     // in the file, of the hook
}

// A File is what a settings file says about hooks.
type File struct {
	Hooks    []Hook
	Disabled bool              // disableAllHooks is on
	Env      map[string]string // for the session and so for its hooks
	Plugins  []string          // that are switched on
}

// Read reads a settings file, or the hooks file of a plugin. A file that the
// client would not apply is refused as [Check] does; a blank one is empty.
func Read(data []byte) (File, error) {
	var f File
	if blank(data) {
		return f, nil
	}
	d, err := parse(data)
	if err != nil {
		return f, err
	}
	if err := d.check(); err != nil {
		return f, err
	}
	f.Disabled = isTrue(d.root.get("disableAllHooks"))
	if env := d.root.get("env"); env != nil {
		f.Env = map[string]string{}
		for _, n := range env.children {
			f.Env[n.name] = n.text
		}
	}
	if plugins := d.root.get("enabledPlugins"); plugins != nil && plugins.kind == jsontext.KindBeginObject {
		for _, n := range plugins.children {
			if isTrue(n) && !slices.Contains(f.Plugins, n.name) {
				f.Plugins = append(f.Plugins, n.name)
			}
		}
	}
	for _, p := range d.places() {
		f.Hooks = append(f.Hooks, d.hook(p))
	}
	return f, nil
}

func (d *document) hook(p place) Hook {
	event, group, hook := d.at(p)
	h := Hook{
		Event:   event.name,
		Matcher: group.get("matcher").str(),
		Type:    hook.get("type").str(),
		Command: hook.get("command").str(),
		Timeout: seconds(hook.get("timeout")),
		Async:   isTrue(hook.get("async")) || isTrue(hook.get("asyncRewake")),
		Line:    d.line(hook.start),
	}
	if args := hook.get("args"); args != nil {
		h.Exec = true
		for _, arg := range args.items() {
			h.Args = append(h.Args, arg.str())
		}
	}
	return h
}

func isTrue(n *node) bool { return n != nil && n.kind == jsontext.KindTrue }

// CJS is the name, without the ending, of the .cjs hook that h runs; empty
// where it runs none.
func (h Hook) CJS() string {
	name, _ := cjsHook(h.Command)
	for _, arg := range h.Args {
		if name == "" {
			name, _ = cjsHook(arg)
		}
	}
	return name
}

// Milliseconds tells whether the timeout can only be meant in milliseconds: the
// client counts seconds.
func (h Hook) Milliseconds() bool { return h.Timeout >= milliseconds }
