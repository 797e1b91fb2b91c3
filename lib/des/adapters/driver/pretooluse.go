package driver

import (
	"errors"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
	"isdlc-hooks/lib/ordered"
)

// PreToolUse lets port judge the call of the sub-agent tool that s tells of, and
// gives the exit code of the process.
func PreToolUse(s Streams, port app.PreToolUsePort) int {
	return run(s, func(e *claude.Event) (app.HookDecision, error) {
		in, err := preToolUseInput(e.Body)
		if err != nil {
			return app.HookDecision{}, err
		}
		return port.Validate(in)
	}, func(d app.HookDecision) *ordered.Value {
		return ordered.NewObject("decision", string(d.Action), "reason", d.Reason)
	})
}

// preToolUseInput takes a call apart (spec 60 §4.1).
func preToolUseInput(body *ordered.Value) (app.PreToolUseInput, error) {
	input := body.Get("tool_input")
	if input != nil && !input.IsObject() {
		return app.PreToolUseInput{}, errors.New("tool_input is no object")
	}
	return app.PreToolUseInput{
		Tool:         body.Get("tool_name").Text(), // as sent: Agent is judged otherwise than Task
		Prompt:       text(input.Get("prompt")),
		MaxTurns:     value(input.Get("max_turns")),
		SubagentType: input.Get("subagent_type").Text(),
	}, nil
}

func text(v *ordered.Value) domain.Text {
	return domain.Text{Value: v.Text(), Wrong: v != nil && v.Kind() != ordered.String}
}

func value(v *ordered.Value) domain.Value {
	switch v.Kind() {
	case ordered.Missing:
		return domain.Value{}
	case ordered.Null:
		return domain.Value{Kind: domain.Null, JSON: written(v)}
	case ordered.Number:
		return domain.Value{Kind: domain.Number, Text: v.Literal(), JSON: written(v)}
	case ordered.String:
		return domain.Value{Kind: domain.String, Text: v.Text(), JSON: written(v)}
	}
	return domain.Value{Kind: domain.Other, JSON: written(v)}
}

// written is the text of a value with its literals as they were sent.
func written(v *ordered.Value) string { return string(v.Indent()) }
