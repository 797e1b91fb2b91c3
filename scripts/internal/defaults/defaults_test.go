package defaults

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"isdlc-hooks/lib/ordered"
)

func load(t *testing.T, name string) *ordered.Value {
	t.Helper()
	for _, f := range Files {
		if f.Name == name {
			v, err := ordered.Parse(f.Content())
			assert.NilError(t, err)
			return v
		}
	}
	t.Fatalf("no file %s", name)
	return nil
}

func TestVersions(t *testing.T) {
	for name, want := range map[string]string{
		"skills-manifest.json":        "3.0.0",
		"iteration-requirements.json": "2.1.0",
		"workflows.json":              "1.0.0",
		"artifact-paths.json":         "1.0.0",
	} {
		assert.Check(t, is.Equal(load(t, name).Get("version").Text(), want), name)
	}
}

// The skills of the agents and the look-up table are two views of one thing.
func TestManifestAgrees(t *testing.T) {
	m := load(t, "skills-manifest.json")
	skills := 0
	for _, agent := range m.Get("ownership").Members() {
		items := agent.Value.Get("skills").Items()
		skills += len(items)
		count, _ := agent.Value.Get("skill_count").Float()
		assert.Check(t, is.Equal(int(count), len(items)), agent.Name)
		assert.Check(t, agent.Value.Get("phase").Text() != "", agent.Name)
	}
	for _, skill := range m.Get("skill_lookup").Members() {
		owner := skill.Value.Text()
		found := false
		for _, item := range m.Get("ownership", owner, "skills").Items() {
			found = found || item.Get("id").Text() == skill.Name
		}
		assert.Check(t, found, "%s is not a skill of %s", skill.Name, owner)
	}
	total, _ := m.Get("total_skills").Float()
	assert.Check(t, is.Equal(int(total), skills))
	assert.Check(t, is.Equal(m.Get("ownership").Members()[0].Name, "sdlc-orchestrator"))
}

// A phase of a workflow is one that the requirements know, or one of those of
// reverse engineering, which have none.
func TestPhasesAreKnown(t *testing.T) {
	requirements := load(t, "iteration-requirements.json").Get("phase_requirements")
	for _, workflow := range load(t, "workflows.json").Get("workflows").Members() {
		for _, phase := range workflow.Value.Get("phases").Items() {
			known := requirements.Get(phase.Text()).IsObject() || workflow.Name == "reverse-engineer"
			assert.Check(t, known, "%s: %s", workflow.Name, phase.Text())
		}
	}
	for _, phase := range load(t, "artifact-paths.json").Get("phases").Members() {
		assert.Check(t, requirements.Get(phase.Name).IsObject(), phase.Name)
	}
}
