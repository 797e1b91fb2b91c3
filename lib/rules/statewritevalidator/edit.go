package statewritevalidator

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/validate"
)

// beforeEdit judges what an edit that has not happened yet would make of the
// file (spec 05 F.3). What the client really does with it is the client's
// business, so by default the model is only told.
func beforeEdit(c *hook.Context, path string) hook.Decision {
	edits, m := editsOf(c.Event), modeOf(c, editRules)
	if len(edits) == 0 {
		return hook.Allow()
	}
	data, err := c.ReadFile(path)
	if err != nil {
		data = nil // nothing there yet
	}
	text, err := predict(string(data), edits)
	var is *ordered.Value
	if err == nil {
		if is, err = ordered.Parse([]byte(text)); err != nil {
			err = fmt.Errorf("what it makes of state.json is not valid JSON: %w", err)
		}
	}
	var v verdict
	if err != nil {
		if m != ignore {
			v.add(advise, validate.Finding{Fact: "the edit was not checked, because " + err.Error()})
		}
		return v.report(c, "edit")
	}
	was := parse(data)
	if f := validate.Version(is, was); f != nil {
		v.add(m, *f)
	}
	back, excused := validate.Regression(is, was)
	if m != ignore {
		logExcused(c, excused)
	}
	if back != nil {
		v.add(m, *back)
	}
	v.add(modeOf(c, protectFields, editRules), validate.Protected(is, was)...)
	return v.report(c, "edit")
}

// An edit is one replacement in a text.
type edit struct {
	old, new string
	all      bool
}

// editsOf lists the edits of a call: one of Edit, several of MultiEdit.
func editsOf(e *claude.Event) []edit {
	if e.Tool != claude.MultiEdit {
		return []edit{editOf(e.Body.Get("tool_input"))}
	}
	var list []edit
	for _, item := range e.Input("edits").Items() {
		list = append(list, editOf(item))
	}
	return list
}

func editOf(v *ordered.Value) edit {
	return edit{v.Get("old_string").Text(), v.Get("new_string").Text(), v.Get("replace_all").IsTrue()}
}

// predict makes the edits, one after another, in the text of a file that may not
// be there yet. Line ends are compared as the client does: CRLF is LF. The error
// says which edit cannot be made.
func predict(text string, edits []edit) (string, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for i, e := range edits {
		old, count := strings.ReplaceAll(e.old, "\r\n", "\n"), 1
		if e.all {
			count = -1
		}
		switch {
		case old == "" && text == "":
			text = e.new
		case old == "":
			return "", fmt.Errorf("edit %d has no old_string, and the file is not empty", i+1)
		case !strings.Contains(text, old):
			return "", fmt.Errorf("the old_string of edit %d is not in the file", i+1)
		default:
			text = strings.Replace(text, old, e.new, count)
		}
	}
	return text, nil
}
