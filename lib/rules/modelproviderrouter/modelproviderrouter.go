// Package modelproviderrouter chooses the model provider of a sub-agent call, in
// projects that have settings for it (spec 35 §3).
package modelproviderrouter

import (
	"fmt"
	"strconv"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/provider"
)

const (
	name        = "model-provider-router"
	prefix      = "[provider-router]"
	debugPrefix = "[provider-utils]"
	unknown     = "unknown" // agent or phase
)

// Hook is model-provider-router.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "choose the model provider and the model of a sub-agent by .isdlc/providers.yaml",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task},
	Run:    func(c *hook.Context) hook.Decision { return (&router{Context: c, probe: provider.Get}).run() },
}

// A router is one evaluation of the rule.
type router struct {
	*hook.Context
	probe provider.Probe

	settings *provider.Settings
	agent    string
	phase    string // as it is written in the state, "" where there is none
}

func (r *router) run() hook.Decision {
	path := r.Project().Path(project.Dir, provider.FileName)
	if !disk.Exists(path) {
		r.trace("there is no " + provider.FileName + ": nothing to route")
		return hook.Allow()
	}
	var err error
	if r.settings, err = provider.Load(path); err != nil {
		r.Warn(prefix + " failed to load the config, the built-in settings are used: " + err.Error())
	}
	r.agent = r.Event.Text("subagent_type")
	if r.agent == "" {
		r.agent = unknown
	}
	r.phase = r.State().CurrentPhase()
	selection := r.settings.Select(provider.Call{
		Agent:    r.agent,
		Phase:    r.phaseName(),
		Provider: r.Getenv("ISDLC_PROVIDER_OVERRIDE"),
		Model:    r.Getenv("ISDLC_MODEL_OVERRIDE"),
	})
	r.trace(fmt.Sprintf("agent %s, phase %s, mode %s: %s by %s", r.agent, r.phaseName(), r.settings.Mode(), selection, selection.Source))
	result, err := r.settings.Route(selection, r.check)
	if err != nil {
		return r.unavailable(selection.Provider, err)
	}
	r.tell(result)
	r.answer(result)
	if r.settings.TracksUsage() {
		r.track(result)
	}
	return hook.Allow()
}

func (r *router) phaseName() string {
	if r.phase == "" {
		return unknown
	}
	return r.phase
}

// check asks whether a provider is available: once for each attempt, also when
// the rule has to run again because the state changed meanwhile.
func (r *router) check(attempt int, name string) error {
	reason := r.Recall(strconv.Itoa(attempt)+" "+name, func() any {
		return r.settings.Available(name, r.Getenv, r.probe)
	})
	if err, failed := reason.(error); failed {
		r.trace(name + " is not available: " + err.Error())
		return err
	}
	return nil
}

// unavailable is what comes of a call that no provider can serve. It goes on with
// the client's own settings, unless the person wants it stopped (spec 05 I.1).
func (r *router) unavailable(name string, reason error) hook.Decision {
	fact := fmt.Sprintf("provider %s is unavailable: %v; no fallback is left", name, reason)
	if r.Getenv("ISDLC_PROVIDER_STRICT") != "1" {
		r.Warn(prefix + " " + fact + ". The sub-agent runs with the client's own settings; ISDLC_PROVIDER_STRICT=1 stops it instead.")
		r.Log("warn", r.phase, r.Event.Agent(), fact)
		return hook.Allow()
	}
	r.Warn(prefix + " " + fact)
	return hook.Block(strings.Join([]string{
		"Model " + fact + ". What can be done:",
		"- set the API key that the provider needs",
		"- start a local one: ollama serve",
		"- see what is available: /provider status",
	}, "\n"))
}

// tell says on standard error what the person should know of a result.
func (r *router) tell(result provider.Result) {
	if result.Failure != nil {
		r.Warn(fmt.Sprintf("%s fallback: provider %s is unavailable: %v; using %s", prefix, result.Original, result.Failure, result))
	}
	if result.Warning != "" {
		r.Warn(prefix + " warning: " + result.Warning)
	}
}

// trace writes a line for whoever looks for a fault in the settings. It never
// holds the value of a variable.
func (r *router) trace(line string) {
	if r.tracing() {
		r.Warn(debugPrefix + " " + line)
	}
}

func (r *router) tracing() bool { return r.Getenv("ISDLC_PROVIDER_DEBUG") == "true" }
