package client

import (
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/ordered"
)

// A Verdict is what the client does because of an answer.
type Verdict string

// The verdicts.
const (
	Allow Verdict = "allow" // what was to happen happens
	Deny  Verdict = "deny"  // the tool does not run
	Ask   Verdict = "ask"   // the person is asked
	Block Verdict = "block" // after a tool: the model is told; at a stop: the turn goes on
	End   Verdict = "end"   // the turn ends; a tool that was to run still runs
)

// An Answer is what a hook said.
type Answer struct {
	Verdict Verdict
	Reason  string         // of anything but allow
	Context string         // for the model
	Message string         // for the person
	Input   *ordered.Value // what the tool gets as its input instead; nil: as it is
	// Fault is why the client takes no notice of the answer; empty where it does.
	Fault string
}

// Read makes out what a hook said at an event. An answer in JSON counts whatever
// the exit code is; without one, the exit code 2 blocks with what is on stderr.
func Read(event claude.EventName, r Result) Answer {
	if r.TimedOut || r.Err != nil {
		return Answer{Verdict: Allow, Fault: r.Fault()}
	}
	if body, err := ordered.Parse([]byte(r.Stdout)); err == nil && body.IsObject() && !strings.HasPrefix(r.Stdout, "\ufeff") {
		return read(event, body)
	}
	a := Answer{Verdict: Allow}
	switch {
	case r.Exit == 2:
		a.Verdict, a.Reason = blocked(event), strings.TrimSpace(r.Stderr)
	case r.Exit != 0:
		a.Fault = r.Fault()
	case strings.HasPrefix(strings.TrimSpace(r.Stdout), "{"):
		a.Fault = "what it printed begins like JSON and is none"
	case event == "SessionStart" || event == "UserPromptSubmit":
		a.Context = strings.TrimSpace(r.Stdout)
	}
	return a
}

func blocked(event claude.EventName) Verdict {
	if event == claude.PreToolUse {
		return Deny
	}
	return Block
}

func read(event claude.EventName, body *ordered.Value) Answer {
	a := Answer{Verdict: Allow, Message: body.Get("systemMessage").Text()}
	specific := body.Get("hookSpecificOutput")
	if specific != nil {
		if name := specific.Get("hookEventName").Text(); name != string(event) {
			return Answer{Verdict: Allow, Fault: "hookSpecificOutput is for the event " + quoted(name)}
		}
		a.Context = specific.Get("additionalContext").Text()
		if input := specific.Get("updatedInput"); input.IsObject() {
			a.Input = input
		}
	}
	decision := body.Get("decision")
	if decision != nil && decision.Kind() != ordered.String {
		return Answer{Verdict: Allow, Fault: "decision is no text"}
	}
	switch decision.Text() {
	case "block":
		a.Verdict, a.Reason = blocked(event), body.Get("reason").Text()
	case "approve", "":
	case "allow":
		// The client does not know it, and goes on: which is what was meant.
	default:
		return Answer{Verdict: Allow, Fault: "decision is " + quoted(decision.Text()) + ", which is neither approve nor block"}
	}
	if event == claude.PreToolUse {
		switch permission := specific.Get("permissionDecision").Text(); permission {
		case "deny", "ask":
			a.Verdict, a.Reason = Verdict(permission), specific.Get("permissionDecisionReason").Text()
		case "allow", "defer", "":
		default:
			return Answer{Verdict: Allow, Fault: "permissionDecision is " + quoted(permission)}
		}
	}
	if body.Get("continue").IsFalse() && (a.Verdict == Allow || event != claude.PreToolUse) {
		a.Verdict, a.Reason = End, body.Get("stopReason").Text()
	}
	return a
}

func quoted(s string) string {
	if s == "" {
		return "(none)"
	}
	return `"` + s + `"`
}
