// Package statewritevalidator watches what agents write into state.json: before
// the write it stops a document that would take back what the file says, after
// it it warns of one that cannot be true (spec 50 §2, spec 05 F).
package statewritevalidator

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/validate"
)

const name = "state-write-validator"

// Hook is state-write-validator.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block writes of state.json that are stale or go back, warn of states that cannot be true",
	Events: []claude.EventName{claude.PreToolUse, claude.PostToolUse},
	Tools:  []claude.Tool{claude.Write, claude.Edit, claude.MultiEdit},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	path := c.Event.FirstText("file_path", "filePath")
	if !project.IsStateFile(path) {
		return hook.Allow()
	}
	isWrite := c.Event.Tool == claude.Write
	switch moment(c.Event) {
	case claude.PreToolUse:
		if isWrite {
			return beforeWrite(c, path)
		}
		return beforeEdit(c, path)
	case claude.PostToolUse:
		if c.Event.Tool != claude.MultiEdit {
			examine(c, path, true)
		}
		return hook.Allow()
	}
	if c.Event.Tool == claude.MultiEdit {
		return hook.Allow()
	}
	if isWrite {
		if d, stopped := takesBack(c, incoming(c.Event), onDisk(c, path)); stopped {
			return d
		}
	}
	examine(c, path, false)
	return hook.Allow()
}

// moment is the event that the rule is run for; "" for callers that do not name
// it, to whom both halves of the rule apply at once (spec 50 §2.1).
func moment(e *claude.Event) claude.EventName {
	switch claude.EventName(e.Body.Get("hook_event_name").Text()) {
	case claude.PreToolUse, claude.PostToolUse:
		return e.Name
	}
	return ""
}

// incoming is the document that a Write brings; nil where it brings none.
func incoming(e *claude.Event) *ordered.Value { return parse([]byte(e.Text("content"))) }

// onDisk is the document in the file at path; nil where there is none.
func onDisk(c *hook.Context, path string) *ordered.Value {
	data, err := c.ReadFile(path)
	if err != nil {
		return nil
	}
	return parse(data)
}

func parse(data []byte) *ordered.Value {
	doc, err := ordered.Parse(data)
	if err != nil {
		return nil
	}
	return doc
}

// beforeWrite judges a Write that has not happened yet.
func beforeWrite(c *hook.Context, path string) hook.Decision {
	is, was := incoming(c.Event), onDisk(c, path)
	if d, stopped := takesBack(c, is, was); stopped {
		return d
	}
	var v verdict
	v.add(modeOf(c, protectFields), validate.Protected(is, was)...)
	return v.report(c, "write")
}

// takesBack stops a document that would undo what the file on disk says, by V7
// and V8.
func takesBack(c *hook.Context, is, was *ordered.Value) (d hook.Decision, stopped bool) {
	if f := validate.Version(is, was); f != nil {
		return block(c, []validate.Finding{*f}, "write"), true
	}
	back, excused := validate.Regression(is, was)
	logExcused(c, excused)
	if back != nil {
		return block(c, []validate.Finding{*back}, "write"), true
	}
	return hook.Allow(), false
}

func logExcused(c *hook.Context, excused []validate.Finding) {
	for _, f := range excused {
		c.Log("allow", "", "", f.String()+", which the redo of a supervised review excuses")
	}
}

// examine warns of what cannot be true in a document that was written. Advice is
// part of it where the caller is one that it was made for (spec 05 F.1).
func examine(c *hook.Context, path string, advise bool) {
	var doc *ordered.Value
	if c.Event.Tool == claude.Write && c.Event.Text("content") != "" {
		doc = incoming(c.Event)
	} else {
		doc = onDisk(c, path)
	}
	found := validate.Consistency(doc)
	if advise {
		found = append(found, validate.Progress(doc)...)
	}
	found = append(found, validate.Results(doc)...)
	readable := doc.Get("phases").IsObject() // without phases nothing is told, it is only logged (spec 50 §2.8)
	for _, f := range found {
		warn(c, f)
		if readable {
			c.Warn("[" + name + "] " + f.Rule + " warning: " + f.Fact + "\n  in " + path)
		}
	}
}
