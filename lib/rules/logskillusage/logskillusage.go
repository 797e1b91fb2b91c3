// Package logskillusage keeps a record of which agent ran in which phase. It
// observes and judges nobody (spec 30 §2).
package logskillusage

import (
	"errors"
	"io/fs"
	"slices"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// Hook is log-skill-usage.
var Hook = &hook.Hook{
	Name:   "log-skill-usage",
	Doc:    "record which agent ran in which phase",
	Events: []claude.EventName{claude.PostToolUse},
	Tools:  []claude.Tool{claude.Task},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	agent := phase.NormalizeAgent(c.Event.Agent())
	if agent == "" {
		return hook.Allow()
	}
	st := c.State()
	if st == nil || st.Get("skill_enforcement", "enabled").IsFalse() {
		return hook.Allow()
	}
	current := or(st.CurrentPhase(), "01-requirements")
	mode := or(st.Get("skill_enforcement", "mode").Text(), "strict")
	u := judge(c.Config().Manifest(), agent, current, mode)
	st.Object.EnsureArray("skill_usage_log").Append(ordered.NewObject(
		"timestamp", activity.Timestamp(c.Now()),
		"agent", agent,
		"agent_phase", u.phase,
		"current_phase", current,
		"description", or(c.Event.Text("description"), "N/A"),
		"status", u.status,
		"reason", u.reason,
		"enforcement_mode", mode,
		"external_skills_registered", externalSkills(c),
	))
	return hook.Allow()
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// A usage is how the run of an agent is recorded.
type usage struct{ phase, status, reason string }

// judge tells how the run of agent fits the current phase (spec 30 §2.3).
func judge(manifest *ordered.Value, agent, current, mode string) usage {
	owner := manifest.Get("ownership", agent)
	if !owner.IsObject() {
		return usage{"", "executed", "allowed"}
	}
	owned := phase.OwnedBy(manifest, agent, current)
	switch {
	case owned == phase.Everywhere:
		return usage{owned, "executed", "authorized-orchestrator"}
	case owned == "" || !phase.Same(owned, current):
		return usage{owned, crossPhase(mode), "cross-phase-usage"}
	case !gives(owner, owned): // another phase of the agent, by the table: as the state has it
		owned = current
	}
	return usage{owned, "executed", "authorized-phase-match"}
}

// gives tells whether the manifest has the phase, in this very form, for an
// owner.
func gives(owner *ordered.Value, key string) bool {
	p := owner.Get("phase")
	return p.Text() == key || slices.ContainsFunc(p.Items(), func(item *ordered.Value) bool { return item.Text() == key })
}

// crossPhase is the status of an agent outside its phase.
func crossPhase(mode string) string {
	switch mode {
	case "warn":
		return "warned"
	case "audit":
		return "audited"
	}
	return "observed"
}

// externalSkills is the number of skills in the manifest of skills from outside,
// 0 where there is none that can be read.
func externalSkills(c *hook.Context) int {
	data, err := disk.Read(c.Project().ExternalManifest())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.Debug("the external manifest cannot be read: " + err.Error())
		}
		return 0
	}
	manifest, err := ordered.Parse(data)
	if err != nil {
		c.Debug("the external manifest cannot be read: " + err.Error())
		return 0
	}
	skills := manifest.Get("skills")
	return len(skills.Members()) + len(skills.Items())
}
