package modelproviderrouter

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/provider"
)

// answer gives the client what it can make use of (spec 05 I.2): the model, where
// it is one of its own; for other providers there is only word for the person of
// what would have to be set, without the values, for keys are among them. Callers
// that ask for the older bytes get the variables themselves (spec 35 §3.8).
func (r *router) answer(result provider.Result) {
	env := r.settings.Environment(result.Target, r.Getenv)
	names := names(env)
	r.trace("result: " + result.String() + " by " + result.Source + "; variables: " + strings.Join(names, ", "))
	if len(names) > 0 || result.Failure != nil {
		r.Legacy(ordered.NewObject(
			"continue", true,
			"environment_overrides", env,
			"provider_selection", ordered.NewObject(
				"provider", result.Provider,
				"model", orNull(result.Model),
				"source", result.Source,
				"phase", r.phaseName(),
			)))
	}
	if result.Provider == provider.Anthropic {
		model := clientModel(result.Model, env.Get("CLAUDE_MODEL").Text())
		if model != "" && model != r.Event.Text("model") {
			r.setModel(model)
		}
		return
	}
	if len(names) > 0 {
		r.Message(fmt.Sprintf("The settings choose the model provider %s for this sub-agent (%s), which a hook cannot switch. "+
			"To use it, start the client with these variables set: %s.", result, result.Source, strings.Join(names, ", ")))
	}
}

// setModel repeats the call with another model.
func (r *router) setModel(model string) {
	input := ordered.NewObject()
	if given := r.Event.Body.Get("tool_input"); given.IsObject() {
		input = given.Clone()
	}
	input.Set("model", model)
	r.Replace(input)
}

// clientModel is the name under which the client itself knows a model: the name
// that the settings use, or one inside its id; "" where it knows none.
func clientModel(model, id string) string {
	own := [...]string{"opus", "sonnet", "haiku"}
	for _, name := range own {
		if model == name {
			return name
		}
	}
	for _, name := range own {
		if strings.Contains(strings.ToLower(id), name) {
			return name
		}
	}
	return ""
}

func names(env *ordered.Value) []string {
	var list []string
	for _, m := range env.Members() {
		list = append(list, m.Name)
	}
	return list
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
