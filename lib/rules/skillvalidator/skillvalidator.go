// Package skillvalidator observes which agent is called in which phase. It
// judges nobody, and shows what it sees only to whoever debugs (spec 10 §3).
package skillvalidator

import (
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// Hook is skill-validator.
var Hook = &hook.Hook{
	Name:   "skill-validator",
	Doc:    "observe which agent works in which phase",
	Events: []claude.EventName{claude.PreToolUse},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	if !c.Debugging() {
		return hook.Allow()
	}
	c.Debug("tool " + string(c.Event.Tool))
	agent := phase.NormalizeAgent(c.Event.Agent())
	if c.Event.Tool != claude.Task || agent == "" {
		return hook.Allow()
	}
	current := c.State().CurrentPhase()
	if current == "" {
		current = "01-requirements"
	}
	manifest := c.Config().Manifest()
	owned := phase.OwnedBy(manifest, agent, current)
	switch {
	case manifest.Get("ownership", agent) == nil && external(c, agent):
		c.Debug("agent " + agent + " comes from outside, phase " + current)
	case phase.Authorized(phase.Canonical(owned), phase.Canonical(current)):
		c.Debug("agent " + agent + " is authorized in phase " + current)
	default:
		c.Debug("agent " + agent + " belongs to phase " + owned + ", not to " + current)
	}
	return hook.Allow()
}

// external tells whether the manifest of skills from outside knows an agent.
func external(c *hook.Context, agent string) bool {
	data, err := disk.Read(c.Project().ExternalManifest())
	if err != nil {
		return false
	}
	manifest, err := ordered.Parse(data)
	if err != nil {
		c.Debug("the external manifest cannot be read: " + err.Error())
		return false
	}
	return manifest.Get("ownership", agent) != nil || manifest.Get("skills", agent) != nil
}
