package phase

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func parse(t *testing.T, text string) *ordered.Value {
	t.Helper()
	v, err := ordered.Parse([]byte(text))
	assert.NilError(t, err)
	return v
}

const manifestText = `{"ownership": {
	"sdlc-orchestrator": {"phase": "all"},
	"discover-orchestrator": {"phase": "setup"},
	"software-developer": {"phase": "06-implementation"},
	"qa-engineer": {"phase": "08-code-review"},
	"trace-synthesizer": {"phase": ["02-tracing", "02-impact-analysis"]},
	"upgrade-engineer": {"phase": "15-upgrade-plan"},
	"Mixed-Case": {"phase": "04-design"},
	"idle": {}
}}`

func TestDetect(t *testing.T) {
	manifest := parse(t, manifestText)
	nothing := func() *ordered.Value { return nil }
	for _, test := range []struct {
		name    string
		call    Call
		current string
		target  string // "" for no delegation
		agent   string
	}{
		{"an agent", Call{Agent: "qa-engineer"}, "", "08-code-review", "qa-engineer"},
		{"another name of it, with blanks around", Call{Agent: " 07_QA_Engineer\n"}, "", "08-code-review", "qa-engineer"},
		{"blanks inside are kept", Call{Agent: "qa engineer"}, "", "", ""},
		{"setup words come first", Call{Agent: "qa-engineer", Prompt: "check the Definition"}, "", "", ""},
		{"setup words over the joint", Call{Agent: "qa-engineer", Prompt: "a new", Description: "project"}, "", "", ""},
		{"the orchestrator, whatever it says", Call{Agent: "orchestrator", Prompt: "06-implementation by qa-engineer"}, "", "", ""},
		{"an agent in the text", Call{Prompt: "let the QA-Engineer look"}, "", "08-code-review", "qa-engineer"},
		{"the order of the manifest wins", Call{Prompt: "qa-engineer, then software-developer"}, "", "06-implementation", "software-developer"},
		{"an agent before a phase", Call{Prompt: "04-design, then qa-engineer"}, "", "08-code-review", "qa-engineer"},
		{"as the manifest writes it", Call{Prompt: "mixed-case"}, "", "04-design", "Mixed-Case"},
		{"which no subagent_type meets", Call{Agent: "Mixed-Case"}, "", "", ""},
		{"an agent of no phase", Call{Agent: "idle", Prompt: "go"}, "", "", ""},
		{"the first of several phases", Call{Agent: "trace-synthesizer"}, "06-implementation", "02-tracing", "trace-synthesizer"},
		{"the current one of several", Call{Agent: "trace-synthesizer"}, "02-impact-analysis", "02-impact-analysis", "trace-synthesizer"},
		{"the current one by the table", Call{Agent: "upgrade-engineer"}, "15-upgrade-execute", "15-upgrade-execute", "upgrade-engineer"},
		{"the current one by its alias", Call{Prompt: "upgrade-engineer"}, "16-upgrade-execute", "15-upgrade-execute", "upgrade-engineer"},
		{"a phase", Call{Prompt: "Go on with 06-implementation."}, "", "06-implementation", ""},
		{"an alias", Call{Prompt: "go on with 14-production"}, "", "14-production", ""},
		{"no phase: a folder", Call{Prompt: "see REQ-0042-coupon-codes"}, "", "", ""},
		{"no phase: an image", Call{Prompt: "node:20-alpine"}, "", "", ""},
		{"no phase: part of a number", Call{Prompt: "106-implementation"}, "", "", ""},
		{"no phase: part of a word", Call{Prompt: "x06-implementation é06-implementation _06-implementation -06-implementation"}, "", "", ""},
		{"the next match counts", Call{Prompt: "20-alpine 106-implementation (06-implementation)"}, "", "06-implementation", ""},
		{"the name runs on", Call{Prompt: "06-implementation-"}, "", "", ""},
		{"the name ends at a digit", Call{Prompt: "06-implementation2"}, "", "06-implementation", ""},
		{"nothing", Call{Prompt: "2026-02-11 phase 06 GATE-06 06 - x 06--x 6-x"}, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Detect(test.call, Sources{
				Manifest: func() *ordered.Value { return manifest },
				Current:  Canonical(test.current),
				Known:    func(key string) bool { return Known(key, nil, nothing, nothing, nothing) },
			})
			assert.Equal(t, ok, test.target != "")
			assert.Equal(t, got, Delegation{Target: test.target, Agent: test.agent})
		})
	}
}

func TestKnown(t *testing.T) {
	value := func(text string) func() *ordered.Value {
		v := parse(t, text)
		return func() *ordered.Value { return v }
	}
	workflow := parse(t, `{"phases":["21-mine"]}`)
	manifest := value(`{"ownership":{"a":{"phase":["22-theirs"]}}}`)
	requirements := value(`{"phase_requirements":{"23-asked":{}}}`)
	workflows := value(`{"workflows":{"w":{"phases":["24-listed"]}}}`)
	for key, want := range map[string]bool{
		"21-mine": true, "22-theirs": true, "23-asked": true, "24-listed": true, "06-implementation": true, "15-operations": true,
		"25-other": false, "20-alpine": false,
	} {
		assert.Equal(t, Known(key, workflow, manifest, requirements, workflows), want, key)
	}
}

func TestNormalizeAgent(t *testing.T) {
	for written, want := range map[string]string{
		"": "", "QL": "quality-loop-engineer", "D0_Discover_Orchestrator": "discover-orchestrator", "Dev-Env": "environment-builder",
		" qa ": " qa ", "Somebody_Else": "somebody-else", "DİSCOVERY": "di\u0307scovery",
	} {
		assert.Equal(t, NormalizeAgent(written), want)
	}
}

func TestKeys(t *testing.T) {
	assert.Assert(t, Same("13-test-deploy", "12-test-deploy") && !Same("13-production", "14-operations"))
	assert.Equal(t, Canonical(Canonical("15-operations")), "14-operations", "resolved once, never twice")
	phases := parse(t, `{"13-test-deploy":{"x":1},"14-production":{"x":2},"13-production":{"x":3}}`)
	assert.Equal(t, Key(phases, "12-test-deploy"), "13-test-deploy")
	assert.Equal(t, Lookup(phases, "12-test-deploy").Get("x").Literal(), "1")
	assert.Equal(t, Lookup(phases, "14-production").Get("x").Literal(), "3", "the canonical key comes first")
	assert.Equal(t, Key(phases, "06-implementation"), "06-implementation")
	assert.Assert(t, Lookup(phases, "06-implementation") == nil)
}

func TestRequirements(t *testing.T) {
	config := parse(t, `{
		"phase_requirements": {"06-implementation": {"a": {"x": 1, "list": [1, 2], "deep": {"k": 1, "l": 2}}, "b": {"enabled": true}}},
		"workflow_overrides": {"fix": {"06-implementation": {"a": {"x": 2, "list": [3], "deep": {"k": 3}}, "b": null, "c": {"new": true}}, "99-none": {}}}}`)
	assert.Equal(t, string(Requirements(config, "06-implementation", "feature").Compact()),
		`{"a":{"x":1,"list":[1,2],"deep":{"k":1,"l":2}},"b":{"enabled":true}}`)
	assert.Equal(t, string(Requirements(config, "06-implementation", "fix").Compact()),
		`{"a":{"x":2,"list":[3],"deep":{"k":3}},"b":null,"c":{"new":true}}`, "section by section, one level deep")
	assert.Equal(t, Requirements(config, "06-implementation", "").Get("a", "x").Literal(), "1", "the configuration itself is not edited")
	assert.Assert(t, Requirements(config, "99-none", "fix") == nil, "an override alone makes no requirements")
	assert.Assert(t, Requirements(nil, "06-implementation", "fix") == nil)
}

func TestTheTableOfAgents(t *testing.T) {
	manifest := parse(t, manifestText)
	assert.Assert(t, WorksIn(nil, "environment-builder", "11-local-testing") && WorksIn(nil, "environment-builder", "12-remote-build"))
	assert.Assert(t, WorksIn(manifest, "trace-synthesizer", "02-impact-analysis"))
	assert.Assert(t, !WorksIn(manifest, "qa-engineer", "06-implementation"))
	assert.Equal(t, AgentOf("16-upgrade-plan"), "upgrade-engineer")
	assert.Equal(t, AgentOf("00-quick-scan"), "")
}
