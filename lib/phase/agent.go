package phase

import (
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// agentNames are other names of agents (spec 10 §1.3).
var agentNames = [...]struct{ written, name string }{
	{"orchestrator", "sdlc-orchestrator"},
	{"00-sdlc-orchestrator", "sdlc-orchestrator"},
	{"requirements", "requirements-analyst"},
	{"01-requirements-analyst", "requirements-analyst"},
	{"architect", "solution-architect"},
	{"02-solution-architect", "solution-architect"},
	{"designer", "system-designer"},
	{"03-system-designer", "system-designer"},
	{"test-design", "test-design-engineer"},
	{"04-test-design-engineer", "test-design-engineer"},
	{"developer", "software-developer"},
	{"05-software-developer", "software-developer"},
	{"tester", "integration-tester"},
	{"06-integration-tester", "integration-tester"},
	{"qa", "qa-engineer"},
	{"07-qa-engineer", "qa-engineer"},
	{"security", "security-compliance-auditor"},
	{"08-security-compliance-auditor", "security-compliance-auditor"},
	{"cicd", "cicd-engineer"},
	{"09-cicd-engineer", "cicd-engineer"},
	{"dev-env", "environment-builder"},
	{"10-dev-environment-engineer", "environment-builder"},
	{"staging", "deployment-engineer-staging"},
	{"11-deployment-engineer-staging", "deployment-engineer-staging"},
	{"release", "release-manager"},
	{"12-release-manager", "release-manager"},
	{"sre", "site-reliability-engineer"},
	{"13-site-reliability-engineer", "site-reliability-engineer"},
	{"d0", "discover-orchestrator"},
	{"d0-discover-orchestrator", "discover-orchestrator"},
	{"discovery", "discover-orchestrator"},
	{"d1", "architecture-analyzer"},
	{"d1-architecture-analyzer", "architecture-analyzer"},
	{"arch-analyzer", "architecture-analyzer"},
	{"d2", "test-evaluator"},
	{"d2-test-evaluator", "test-evaluator"},
	{"d3", "constitution-generator"},
	{"d3-constitution-generator", "constitution-generator"},
	{"d4", "skills-researcher"},
	{"d4-skills-researcher", "skills-researcher"},
	{"d5", "data-model-analyzer"},
	{"d5-data-model-analyzer", "data-model-analyzer"},
	{"d6", "feature-mapper"},
	{"d6-feature-mapper", "feature-mapper"},
	{"d7", "product-analyst"},
	{"d7-product-analyst", "product-analyst"},
	{"d8", "architecture-designer"},
	{"d8-architecture-designer", "architecture-designer"},
	{"arch-designer", "architecture-designer"},
	{"quality-loop", "quality-loop-engineer"},
	{"16-quality-loop-engineer", "quality-loop-engineer"},
	{"ql", "quality-loop-engineer"},
}

// NormalizeAgent gives the one name of an agent: lower case, hyphens for
// underscores, and other names resolved. White space around it stays.
func NormalizeAgent(name string) string {
	name = strings.ReplaceAll(text.Lower(name), "_", "-")
	for _, a := range agentNames {
		if a.written == name {
			return a.name
		}
	}
	return name
}

// agentOf says which agent does the work of a phase (spec 05 C.2).
var agentOf = [...]struct{ phase, agent string }{
	{"01-requirements", "requirements-analyst"},
	{"02-impact-analysis", "impact-analysis-orchestrator"},
	{"02-tracing", "tracing-orchestrator"},
	{"03-architecture", "solution-architect"},
	{"04-design", "system-designer"},
	{"05-test-strategy", "test-design-engineer"},
	{"06-implementation", "software-developer"},
	{"07-testing", "integration-tester"},
	{"08-code-review", "qa-engineer"},
	{"09-validation", "security-compliance-auditor"},
	{"10-cicd", "cicd-engineer"},
	{"11-local-testing", "environment-builder"},
	{"12-remote-build", "environment-builder"},
	{"12-test-deploy", "deployment-engineer-staging"},
	{"13-production", "release-manager"},
	{"14-operations", "site-reliability-engineer"},
	{"15-upgrade-plan", "upgrade-engineer"},
	{"15-upgrade-execute", "upgrade-engineer"},
	{"16-quality-loop", "quality-loop-engineer"},
}

// AgentOf is the agent that does the work of the phase key, "" where the table
// has none.
func AgentOf(key string) string {
	key = Canonical(key)
	for _, row := range agentOf {
		if row.phase == key {
			return row.agent
		}
	}
	return ""
}

// WorksIn tells whether agent, a normalised name, does work of the phase key: by
// the table, or because manifest, which may be nil, gives it that phase among
// others (spec 05 C.2).
func WorksIn(manifest *ordered.Value, agent, key string) bool {
	if AgentOf(key) == agent {
		return true
	}
	for _, p := range ownedPhases(manifest.Get("ownership", agent)) {
		if Same(p, key) {
			return true
		}
	}
	return false
}

// The phases of agents that belong to no phase of a workflow.
const (
	Everywhere = "all"   // the orchestrator
	Setup      = "setup" // the agents of the discovery
)

// OwnedBy is the phase that manifest, which may be nil, gives an agent under
// exactly this name: the current phase where it is one of several, else the
// first; "" where it gives none.
func OwnedBy(manifest *ordered.Value, agent, current string) string {
	return owned(manifest.Get("ownership", agent), agent, current)
}

// owned is the phase of an owner entry called agent.
func owned(entry *ordered.Value, agent, current string) string {
	phases := ownedPhases(entry)
	if len(phases) == 0 {
		return ""
	}
	first := phases[0]
	if first == Everywhere || first == Setup || current == "" {
		return first
	}
	for _, p := range phases {
		if Same(p, current) {
			return p
		}
	}
	if AgentOf(current) == agent {
		return Canonical(current)
	}
	return first
}

// Owner is the agent that manifest, which may be nil, names first for the phase
// key, "" where it names none. For whom else the phase is work, see [WorksIn].
func Owner(manifest *ordered.Value, key string) string {
	for _, m := range manifest.Get("ownership").Members() {
		for _, p := range ownedPhases(m.Value) {
			if Same(p, key) {
				return m.Name
			}
		}
	}
	return ""
}

// ownedPhases lists the phases of an owner: one text, or a list of them.
func ownedPhases(entry *ordered.Value) []string {
	p := entry.Get("phase")
	if s := p.Text(); s != "" {
		return []string{s}
	}
	var list []string
	for _, item := range p.Items() {
		if s := item.Text(); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// Authorized tells whether an agent whose phase is owned may work in the phase
// key: one without a phase may, and one of [Everywhere] or [Setup] (spec 10
// §1.4).
func Authorized(owned, key string) bool {
	return owned == "" || owned == Everywhere || owned == Setup || owned == key
}
