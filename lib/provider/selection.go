package provider

import (
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// A Call is the sub-agent call that a provider is wanted for.
type Call struct {
	Agent string
	Phase string

	Provider string // the one that the person demands for everything, "" mostly
	Model    string // goes with Provider and means nothing alone
}

// A Selection is the provider that the settings want for a call.
type Selection struct {
	Target
	Source    string // which rule chose it
	Rationale string
	Warning   string

	own       []Target // chain of the rule itself
	hasOwn    bool
	localOnly bool // only local providers may stand in
	cloudOnly bool // no local provider may stand in
}

// Modes that rules are about. Any other one is as if there were none.
const (
	hybrid  = "hybrid"
	local   = "local"
	budget  = "budget"
	quality = "quality"
)

const localModel = "qwen-coder" // of the modes that stay local

// Select chooses by the rules of spec 35 §3.3, in their order. It does not ask
// whether the provider is there.
func (s *Settings) Select(call Call) Selection {
	if call.Provider != "" {
		return Selection{Target: s.complete(Target{call.Provider, call.Model}), Source: "cli_override"}
	}
	override := s.root.Get("agent_overrides", call.Agent)
	if t, ok := target(override); ok {
		return Selection{Target: s.complete(t), Source: "agent_override", Rationale: override.Get("rationale").Text()}
	}
	if s.Mode() == hybrid {
		if sel, ok := s.byPhase(call.Phase); ok {
			return sel
		}
	}
	if sel, ok := s.byMode(call.Phase); ok {
		return sel
	}
	defaults := s.root.Get("defaults")
	return Selection{
		Target: Target{or(defaults.Get("provider").Text(), Anthropic), or(defaults.Get("model").Text(), "sonnet")},
		Source: "global_default",
	}
}

// byPhase is the routing of a phase (rules 3a and 3b).
func (s *Settings) byPhase(key string) (Selection, bool) {
	routing := routingOf(s.root.Get("phase_routing"), key)
	t, ok := target(routing)
	if !ok {
		return Selection{}, false
	}
	sel := Selection{
		Target:    s.complete(t),
		Source:    "phase_routing",
		Rationale: routing.Get("rationale").Text(),
		cloudOnly: routing.Get("local_override").IsFalse(),
	}
	sel.own, sel.hasOwn = s.chain(routing.Get("fallback"))
	if sel.cloudOnly && isLocal(sel.Provider) {
		for _, t := range sel.own {
			if !isLocal(t.Provider) {
				sel.Target, sel.Source = t, "phase_routing_cloud_required"
				break
			}
		}
	}
	return sel, true
}

// routingOf is the routing of a phase: under the key as it is written before all
// others that mean the phase.
func routingOf(routings *ordered.Value, key string) *ordered.Value {
	if r := object(routings.Get(key)); r != nil {
		return r
	}
	return object(phase.Lookup(routings, key))
}

// byMode is what the active mode wants (rules 4a to 4c). A mode counts only
// where it is described.
func (s *Settings) byMode(key string) (Selection, bool) {
	name := s.Mode()
	mode := object(s.root.Get("modes", name))
	switch {
	case mode == nil:
	case name == local:
		return Selection{
			Target:    Target{Ollama, or(mode.Get("default_model").Text(), localModel)},
			Source:    "mode_local",
			Warning:   mode.Get("warning").Text(),
			localOnly: true,
		}, true
	case name == budget && !lists(mode.Get("cloud_phases_only"), key):
		return Selection{Target: Target{Ollama, localModel}, Source: "mode_budget"}, true
	case name == quality:
		return Selection{
			Target: Target{or(mode.Get("default_provider").Text(), Anthropic), or(mode.Get("default_model").Text(), "opus")},
			Source: "mode_quality",
		}, true
	}
	return Selection{}, false
}

func lists(phases *ordered.Value, key string) bool {
	for _, p := range phases.Items() {
		if phase.Same(p.Text(), key) {
			return true
		}
	}
	return false
}

// isLocal tells whether a provider runs on the machine itself.
func isLocal(provider string) bool { return provider == Ollama || provider == local }

// A Result is the provider that a call gets.
type Result struct {
	Target
	Source    string
	Rationale string
	Warning   string

	Original string // the provider of the selection, when another one stands in
	Failure  error  // why it does
}

// Route takes the selection, or what stands in for it when check finds that its
// provider is not available: the first of the chain that is. Attempts count the
// checks of one routing, from 0. When nothing is left, the error is that of the
// selected provider (spec 35 §3.5).
func (s *Settings) Route(sel Selection, check func(attempt int, provider string) error) (Result, error) {
	r := Result{Target: sel.Target, Source: sel.Source, Rationale: sel.Rationale, Warning: sel.Warning}
	failure := check(0, sel.Provider)
	if failure == nil {
		return r, nil
	}
	chain := sel.own
	if !sel.hasOwn {
		chain, _ = s.chain(s.root.Get("defaults", "fallback_chain"))
	}
	for i, t := range chain {
		if sel.localOnly && !isLocal(t.Provider) || sel.cloudOnly && isLocal(t.Provider) {
			continue
		}
		if check(i+1, t.Provider) == nil {
			r.Target, r.Source = t, "fallback_from_"+sel.Provider
			r.Original, r.Failure = sel.Provider, failure
			return r, nil
		}
	}
	return Result{}, failure
}
