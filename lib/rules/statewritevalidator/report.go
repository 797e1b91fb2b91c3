package statewritevalidator

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/validate"
)

// A mode says what comes of a finding that need not stop a call (spec 05 F.2,
// F.3).
type mode int

const (
	advise mode = iota // tell the model
	stop               // block the call
	ignore             // say nothing
)

// The variables that set modes.
const (
	protectFields = "ISDLC_PROTECT_FIELDS" // of V6
	editRules     = "ISDLC_EDIT_RULES"     // of all rules, on an edit
)

// modeOf is the mode that the first of variables that is set asks for.
func modeOf(c *hook.Context, variables ...string) mode {
	for _, v := range variables {
		switch c.Getenv(v) {
		case "":
			continue
		case "block":
			return stop
		case "off":
			return ignore
		}
		break
	}
	return advise
}

// A verdict is what the findings about a call come to.
type verdict struct {
	stopping, advice []validate.Finding
}

func (v *verdict) add(m mode, found ...validate.Finding) {
	switch m {
	case stop:
		v.stopping = append(v.stopping, found...)
	case advise:
		v.advice = append(v.advice, found...)
	}
}

// report stops the call, or tells the model what there is to look at.
func (v *verdict) report(c *hook.Context, what string) hook.Decision {
	if len(v.stopping) > 0 {
		return block(c, v.stopping, what)
	}
	if len(v.advice) > 0 {
		for _, f := range v.advice {
			warn(c, f)
		}
		c.Tell(fmt.Sprintf("STATE %s ADVICE: this %s of state.json goes on, but look at what it does:\n- %s\n%s",
			strings.ToUpper(what), what, lines(v.advice), remedy(v.advice)))
	}
	return hook.Allow()
}

// block stops a call for what was found: the person and the log are told in one
// line, the model with what to do about it.
func block(c *hook.Context, found []validate.Finding, what string) hook.Decision {
	for _, f := range found {
		c.Log("block", "", "", f.String())
		c.Warn("[" + name + "] " + f.Rule + " block: " + f.Fact)
	}
	return hook.Block(fmt.Sprintf("STATE %s STOPPED: state.json was left as it is, because this %s takes something back:\n- %s\n%s",
		strings.ToUpper(what), what, lines(found), remedy(found)))
}

// warn logs a finding that stops nothing. The findings about one phase say so in
// the log, but for V9, which is about the document.
func warn(c *hook.Context, f validate.Finding) {
	key := f.Phase
	if strings.HasPrefix(f.Rule, "V9") {
		key = ""
	}
	c.Log("warn", key, "", f.String())
}

func lines(found []validate.Finding) string {
	var list []string
	for _, f := range found {
		list = append(list, f.String())
	}
	return strings.Join(list, "\n- ")
}

// remedy says what to do about findings.
func remedy(found []validate.Finding) string {
	var stale, guarded bool
	for _, f := range found {
		if f.Rule == "V6" {
			guarded = true
		} else {
			stale = true
		}
	}
	var say []string
	if stale {
		say = append(say, "Re-read state.json: hooks and other agents write it too. Make your change to what it holds now, and keep its state_version and the progress of its phases.")
	}
	if guarded {
		say = append(say, "Settings that bind the workflow, and the result of a gate, are not for an agent to change. Leave them as they are unless the person asked for it.")
	}
	return strings.Join(say, "\n")
}
