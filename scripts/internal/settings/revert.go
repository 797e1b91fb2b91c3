package settings

import (
	"slices"
	"strconv"

	"github.com/goccy/go-json/jsontext"
)

// Revert takes changes back out of a settings file that somebody has edited
// since [Edit] made them: it removes what was added, puts back what was
// exchanged, and leaves the rest alone. What is no longer there is passed over.
// The error wraps [ErrBroken] where the file is no JSON.
func Revert(data []byte, changes []Change) ([]byte, error) {
	if blank(data) {
		return data, nil
	}
	d, err := open(data)
	if err != nil {
		return nil, err
	}
	if err := d.putAllBack(changes); err != nil {
		return nil, err
	}
	// The last first: it is the last of a group that was dropped with it.
	for _, c := range slices.Backward(changes) {
		if c.Was != nil && c.Was.Hook != "" {
			if err := d.pickUp(c); err != nil {
				return nil, err
			}
		}
	}
	// The last first: it is the first of an event that made its array.
	for _, c := range slices.Backward(changes) {
		if c.Was == nil {
			if err := d.takeOut(c); err != nil {
				return nil, err
			}
		}
	}
	return d.data, nil
}

// Empty tells whether a settings file says nothing at all.
func Empty(data []byte) bool {
	if blank(data) {
		return true
	}
	d, err := parse(data)
	return err == nil && d.root.kind == jsontext.KindBeginObject && len(d.root.children) == 0
}

// Has tells whether a command is registered in a settings file.
func Has(data []byte, command string) bool {
	d, err := parse(data)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(d.places(), func(p place) bool {
		_, _, hook := d.at(p)
		return sameCommand(hook.get("command").str(), command)
	})
}

// find looks for the hook that a change made: under the same matcher if there
// is one, else under any.
func (d *document) find(c Change, places []place) (place, bool) {
	for _, strict := range []bool{true, false} {
		for _, p := range places {
			event, group, hook := d.at(p)
			if event.name == c.Event && hook.get("command").str() == c.Command && (!strict || group.get("matcher").str() == c.Matcher) {
				return p, true
			}
		}
	}
	return place{}, false
}

// putAllBack undoes the exchanges. Matchers come last, because the hooks of a
// group are found by them.
func (d *document) putAllBack(changes []Change) error {
	groups := map[place]Change{}
	for _, c := range changes {
		if c.Was == nil || c.Was.Hook != "" {
			continue
		}
		p, found := d.find(c, d.places())
		if !found {
			continue
		}
		if err := d.putBack(p, c); err != nil {
			return err
		}
		if c.Was.Matcher != nil {
			groups[place{event: p.event, group: p.group}] = c
		}
	}
	for p, c := range groups {
		_, group, _ := d.at(p)
		matcher := group.get("matcher")
		if matcher.str() != c.Matcher {
			continue
		}
		if err := d.splice(matcher.start, matcher.end, *c.Was.Matcher); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) putBack(p place, c Change) error {
	_, _, hook := d.at(p)
	command := hook.get("command")
	if err := d.splice(command.start, command.end, c.Was.Command); err != nil {
		return err
	}
	_, _, hook = d.at(p)
	timeout := hook.get("timeout")
	if c.Was.Timeout == nil || timeout == nil || d.raw(timeout) != strconv.Itoa(c.Timeout) {
		return nil
	}
	if *c.Was.Timeout == "" {
		return d.remove(hook, slices.Index(hook.children, timeout))
	}
	return d.splice(timeout.start, timeout.end, *c.Was.Timeout)
}

// pickUp adds what was dropped: to a group with its matcher, else in a group of
// its own.
func (d *document) pickUp(c Change) error {
	event := d.root.get("hooks").get(c.Event)
	if event == nil || event.kind != jsontext.KindBeginArray {
		return nil
	}
	if c.Was.Group != "" {
		return d.insert(event, verbatim(c.Was.Group))
	}
	for _, group := range event.children {
		if hooks := group.get("hooks"); hooks != nil && hooks.kind == jsontext.KindBeginArray && withAgent(group.get("matcher").str()) == withAgent(c.Matcher) {
			return d.insert(hooks, verbatim(c.Was.Hook))
		}
	}
	return d.insert(event, groupOf(c.Matcher, verbatim(c.Was.Hook)))
}

// takeOut removes an added hook, and with it whatever was added for it and is
// empty now.
func (d *document) takeOut(c Change) error {
	places := d.places()
	slices.Reverse(places) // ours stands behind what was there before
	if p, found := d.find(c, places); found {
		event, group, _ := d.at(p)
		err := error(nil)
		if hooks := group.get("hooks"); len(hooks.children) > 1 {
			err = d.remove(hooks, p.hook)
		} else {
			err = d.remove(event, p.group)
		}
		if err != nil {
			return err
		}
	}
	hooks := d.root.get("hooks")
	if event := hooks.get(c.Event); c.MadeEvent && event != nil && event.kind == jsontext.KindBeginArray && len(event.children) == 0 {
		if err := d.remove(hooks, slices.Index(hooks.children, event)); err != nil {
			return err
		}
	}
	hooks = d.root.get("hooks")
	if c.MadeHooks && hooks != nil && hooks.kind == jsontext.KindBeginObject && len(hooks.children) == 0 {
		return d.remove(d.root, slices.Index(d.root.children, hooks))
	}
	return nil
}
