// Package gateblocker keeps the orchestrator in a phase until what the phase
// requires is met (spec 20 §2).
package gateblocker

import (
	"fmt"
	"strings"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/escalate"
	"isdlc-hooks/lib/gate"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/rules/advancement"
	"isdlc-hooks/lib/schema"
)

const name = "gate-blocker"

// Hook is gate-blocker.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "block attempts to pass the gate of a phase whose requirements are not met",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Task, claude.Skill},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	if !advancement.Attempted(c) {
		return hook.Allow()
	}
	st := c.State()
	if st == nil || !st.Enforced() || c.Config().Requirements() == nil {
		return hook.Allow()
	}
	if reason := gate.Mismatch(st, c.Config().Workflows); reason != "" {
		return hook.Block(reason)
	}
	written := st.CurrentPhase()
	if written == "" {
		return hook.Allow()
	}
	key, renamed := phase.Resolve(written)
	required := c.Requirements(key)
	if reason := gate.UnderReview(st.Workflow().Get("supervised_review"), key); reason != "" && required != nil {
		if renamed != "" { // the review is reported alone; the log still tells
			c.Log("self-heal", "", "", renamed)
		}
		return hook.Block(reason)
	}
	if renamed != "" {
		c.SelfHeal("", renamed)
	}
	if required == nil {
		if c.Config().Requirements().Get("phase_requirements").IsObject() {
			c.SelfHeal("", fmt.Sprintf("no requirements are configured for phase %s, so its gate is open", key))
		}
		return hook.Allow()
	}
	g := &keeper{Context: c, key: key, required: required}
	failures := g.check()
	if len(failures) == 0 {
		g.pass()
		return hook.Allow()
	}
	return g.hold(failures)
}

// A keeper stands at the end of the current phase.
type keeper struct {
	*hook.Context
	key      string         // canonical
	required *ordered.Value // overrides laid over
}

// check gives what is still open. Sections of the record are compared with their
// schemas for whoever looks for a fault, which decides nothing.
func (g *keeper) check() []*gate.Failure {
	judged := gate.Gate{State: g.State(), Key: g.key, Required: g.required, Sources: gate.Sources{
		Manifest:      g.Config().Manifest,
		ArtifactPaths: g.Config().ArtifactPaths,
		Exists:        func(path string) bool { return disk.Exists(g.Project().Artifact(path)) },
	}}
	if g.Debugging() {
		judged.Inspect = func(id, path string, section *ordered.Value) {
			for _, finding := range schema.Check(path, g.Config().Schema(id), section) {
				g.Debug(name + ": " + finding)
			}
		}
	}
	return judged.Check()
}

// pass notes what passing this gate triggers: a decision on the cloud that is
// still open.
func (g *keeper) pass() {
	if !g.required.Get("on_gate_pass", "trigger_cloud_config", "enabled").IsTrue() {
		return
	}
	st := g.State()
	if provider := st.Get("cloud_configuration", "provider").Text(); provider != "" && provider != "undecided" {
		return
	}
	st.Object.EnsureArray("pending_triggers").Append(ordered.NewObject(
		"trigger", "cloud_configuration",
		"triggered_at", activity.Timestamp(g.Now()),
		"phase", g.key,
	))
}

// hold refuses the gate, unless what fails is the record and not the work: then
// it is told and let go.
func (g *keeper) hold(failures []*gate.Failure) hook.Decision {
	if cause := diagnose(g.State(), g.key); cause != nil {
		for _, f := range failures {
			g.Warn(fmt.Sprintf("[SELF-HEAL] %s: %s is not held against phase %s: %s (%s)", name, f.Requirement, g.key, cause.detail, cause.remedy))
			g.Log("self-heal", g.key, "", cause.detail)
		}
		return hook.Allow()
	}
	reason := g.message(failures)
	g.note(failures)
	escalate.Add(g.State(), escalate.Escalation{Type: "gate_blocked", Hook: name, Phase: g.key, Detail: reason}, g.Now())
	return hook.Block(reason)
}

func (g *keeper) message(failures []*gate.Failure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "GATE BLOCKED: phase %s may not be left yet, these requirements are not met:\n", g.key)
	for _, f := range failures {
		fmt.Fprintf(&b, "- %s: %s [%s]\n", f.Requirement, f.Reason, f.Action)
	}
	b.WriteString("Meet them, see to it that state.json records it, then advance again.")
	return b.String()
}

// note records the refusal in the state, in place of what an earlier one left
// there. Fields that stay keep their places.
func (g *keeper) note(failures []*gate.Failure) {
	var names []string
	var details []*ordered.Value
	for _, f := range failures {
		names = append(names, f.Requirement)
		details = append(details, f.Encode())
	}
	fresh := ordered.NewObject(
		"status", "blocked",
		"blocked_at", activity.Timestamp(g.Now()),
		"blocking_requirements", names,
		"details", details,
	)
	phases := g.State().Object.Ensure("phases")
	written := phases.Ensure(phase.Key(phases, g.key)).Ensure("gate_validation")
	for _, old := range written.Members() {
		if fresh.Get(old.Name) == nil {
			written.Delete(old.Name)
		}
	}
	for _, field := range fresh.Members() {
		written.Set(field.Name, field.Value)
	}
}
