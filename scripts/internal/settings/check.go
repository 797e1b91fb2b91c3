package settings

import (
	"strconv"

	"github.com/goccy/go-json/jsontext"
)

// Check tells whether the client would apply a settings file: a single wrong
// entry makes it drop the whole file without a word. The error wraps
// [ErrBroken] and names the first fault and its place. A blank file is fine.
func Check(data []byte) error {
	if blank(data) {
		return nil
	}
	d, err := parse(data)
	if err != nil {
		return err
	}
	return d.check()
}

// The types of hook that the client knows, with the key that each needs.
var hookTypes = map[string]string{
	"command":  "command",
	"prompt":   "prompt",
	"agent":    "prompt",
	"http":     "url",
	"mcp_tool": "",
}

// Keys of a hook that have one type.
var hookKeys = map[string]jsontext.Kind{
	"type":          jsontext.KindString,
	"command":       jsontext.KindString,
	"prompt":        jsontext.KindString,
	"url":           jsontext.KindString,
	"if":            jsontext.KindString,
	"shell":         jsontext.KindString,
	"statusMessage": jsontext.KindString,
	"timeout":       jsontext.KindNumber,
	"args":          jsontext.KindBeginArray,
}

// Keys of the file beside hooks that are known to matter.
var topKeys = map[string]jsontext.Kind{
	"permissions": jsontext.KindBeginObject,
	"env":         jsontext.KindBeginObject,
	"model":       jsontext.KindString,
}

func (d *document) check() error {
	if d.root.kind != jsontext.KindBeginObject {
		return d.fault(d.root.start, "the file is %s where an object is wanted", kindName(d.root.kind))
	}
	if err := d.kinds(d.root, topKeys, ""); err != nil {
		return err
	}
	for _, list := range []string{"allow", "deny", "ask"} {
		if n := d.root.get("permissions").get(list); n != nil {
			if err := d.strings(n, "permissions."+list); err != nil {
				return err
			}
		}
	}
	hooks := d.root.get("hooks")
	if hooks == nil {
		return nil
	}
	if hooks.kind != jsontext.KindBeginObject {
		return d.fault(hooks.start, "hooks is %s where an object is wanted", kindName(hooks.kind))
	}
	for _, event := range hooks.children {
		if err := d.checkEvent(event, "hooks."+event.name); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) checkEvent(event *node, where string) error {
	if event.kind != jsontext.KindBeginArray {
		return d.fault(event.start, "%s is %s where an array is wanted", where, kindName(event.kind))
	}
	for i, group := range event.children {
		where := where + "[" + strconv.Itoa(i) + "]"
		if group.kind != jsontext.KindBeginObject {
			return d.fault(group.start, "%s is %s where an object is wanted", where, kindName(group.kind))
		}
		if err := d.kinds(group, map[string]jsontext.Kind{"matcher": jsontext.KindString, "hooks": jsontext.KindBeginArray}, where+"."); err != nil {
			return err
		}
		hooks := group.get("hooks")
		if hooks == nil {
			return d.fault(group.start, "%s has no hooks", where)
		}
		for j, hook := range hooks.children {
			if err := d.checkHook(hook, where+".hooks["+strconv.Itoa(j)+"]"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) checkHook(hook *node, where string) error {
	if hook.kind != jsontext.KindBeginObject {
		return d.fault(hook.start, "%s is %s where an object is wanted", where, kindName(hook.kind))
	}
	if err := d.kinds(hook, hookKeys, where+"."); err != nil {
		return err
	}
	kind := hook.get("type")
	if kind == nil {
		return d.fault(hook.start, "%s has no type", where)
	}
	needs, known := hookTypes[kind.text]
	if !known {
		return d.fault(kind.start, "%s.type is %q, which is no type of hook", where, kind.text)
	}
	if needs != "" && hook.get(needs) == nil {
		return d.fault(hook.start, "%s has no %s", where, needs)
	}
	if timeout := hook.get("timeout"); timeout != nil && seconds(timeout) <= 0 {
		return d.fault(timeout.start, "%s.timeout is %s where a positive number of seconds is wanted", where, timeout.text)
	}
	if args := hook.get("args"); args != nil {
		return d.strings(args, where+".args")
	}
	return nil
}

// kinds checks the members of an object that have one type.
func (d *document) kinds(n *node, want map[string]jsontext.Kind, where string) error {
	for _, child := range n.children {
		kind, known := want[child.name]
		if known && child.kind != kind && n.get(child.name) == child {
			return d.fault(child.start, "%s%s is %s where %s is wanted", where, child.name, kindName(child.kind), kindName(kind))
		}
	}
	return nil
}

func (d *document) strings(n *node, where string) error {
	if n.kind != jsontext.KindBeginArray {
		return d.fault(n.start, "%s is %s where an array is wanted", where, kindName(n.kind))
	}
	for i, item := range n.children {
		if item.kind != jsontext.KindString {
			return d.fault(item.start, "%s[%d] is %s where a string is wanted", where, i, kindName(item.kind))
		}
	}
	return nil
}

// seconds is the value of a number; 0 for anything else.
func seconds(n *node) float64 {
	if n == nil || n.kind != jsontext.KindNumber {
		return 0
	}
	f, _ := strconv.ParseFloat(n.text, 64)
	return f
}

func kindName(k jsontext.Kind) string {
	switch k {
	case jsontext.KindNull:
		return "null"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	}
	return "an array"
}
