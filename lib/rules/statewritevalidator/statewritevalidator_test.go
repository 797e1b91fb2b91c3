package statewritevalidator

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

const stateFile = ".isdlc/state.json"

// A call is a call of a tool on the state file, before it happens or after.
type call struct {
	event, tool string
	input       []any // of the tool, beside the path
	env         map[string]string
}

// An outcome is what came of a call.
type outcome struct {
	denied, told, stderr string
	log                  string // event and reason of each entry
	changed              string // names of files
}

func (c call) run(t *testing.T, disk string) outcome {
	t.Helper()
	p := hooktest.NewProject(t)
	p.Write(stateFile, disk)
	before := p.Files()
	input := ordered.NewObject(append([]any{"file_path", p.Path(stateFile)}, c.input...)...)
	event := ordered.NewObject("hook_event_name", c.event, "tool_name", c.tool, "tool_input", input)
	r := p.RunWith("state-write-validator", string(event.Compact()), hooktest.Options{Env: c.env})
	assert.Equal(t, r.Exit, 0)
	after := p.Files()
	o := outcome{stderr: r.Stderr, changed: strings.Join(before.Changed(after), " ")}
	if r.Stdout != "" {
		answer, err := ordered.Parse([]byte(r.Stdout))
		assert.NilError(t, err)
		specific := answer.Get("hookSpecificOutput")
		o.told = specific.Get("additionalContext").Text()
		if specific.Get("permissionDecision").Text() == "deny" {
			o.denied = specific.Get("permissionDecisionReason").Text()
		}
	}
	var log []string
	for line := range strings.Lines(after[".isdlc/hook-activity.log"].Data) {
		entry, err := ordered.Parse([]byte(line))
		assert.NilError(t, err)
		log = append(log, entry.Get("event").Text()+" "+entry.Get("reason").Text())
	}
	o.log = strings.Join(log, "\n")
	assert.Equal(t, after[stateFile].Data, disk) // whatever is decided, the rule leaves the file alone
	return o
}

func contains(t *testing.T, s string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		assert.Check(t, strings.Contains(s, part), "%q is not in %q", part, s)
	}
}

// TS-009: an agent that has read version 3 writes when the disk is at 5.
func TestStaleWrite(t *testing.T) {
	o := call{"PreToolUse", "Write", []any{"content", `{"state_version": 3, "phases": {}}`}, nil}.run(t, `{"state_version": 5, "phases": {}}`)
	contains(t, o.denied, "V7", "state_version 3", "state_version 5", "Re-read state.json")
	contains(t, o.log, "block V7")
	assert.Equal(t, o.changed, ".isdlc/hook-activity.log")
}

// TS-010: an agent sets a completed phase back to pending.
func TestStatusRegression(t *testing.T) {
	doc := func(status string) string {
		return `{"state_version": 5, "active_workflow": {"phase_status": {"01-requirements": "` + status + `"}}}`
	}
	o := call{"PreToolUse", "Write", []any{"content", doc("pending")}, nil}.run(t, doc("completed"))
	contains(t, o.denied, "V8", "01-requirements", "from completed to pending", "Re-read state.json")
	contains(t, o.log, "block V8")
	assert.Equal(t, o.changed, ".isdlc/hook-activity.log")
}

const bound = `{"state_version": 5, "iteration_enforcement": {"enabled": true}, "phases": {}}`

// V6 is told to the model, unless the person wants more or less (spec 05 F.2).
func TestProtectedFields(t *testing.T) {
	const loose = `{"state_version": 5, "iteration_enforcement": {"enabled": false}, "phases": {}}`
	write := func(env map[string]string) outcome {
		return call{"PreToolUse", "Write", []any{"content", loose}, env}.run(t, bound)
	}
	o := write(nil)
	contains(t, o.told, "V6", "iteration_enforcement.enabled changes from true to false")
	contains(t, o.log, "warn V6")
	assert.Equal(t, o.denied+o.stderr, "")

	o = write(map[string]string{protectFields: "block"})
	contains(t, o.denied, "V6", "iteration_enforcement.enabled")
	contains(t, o.log, "block V6")
	contains(t, o.stderr, "[state-write-validator] V6")

	o = write(map[string]string{protectFields: "off"})
	assert.Equal(t, o, outcome{})

	edit := []any{"old_string", `true`, "new_string", `false`}
	for _, test := range []struct {
		env          map[string]string
		denied, told bool
	}{
		{nil, false, true},
		{map[string]string{editRules: "block"}, true, false},
		{map[string]string{editRules: "off"}, false, false},
		{map[string]string{protectFields: "block", editRules: "off"}, true, false}, // the setting of the rule comes first
		{map[string]string{protectFields: "off", editRules: "block"}, false, false},
		{map[string]string{protectFields: "sometimes"}, false, true},
	} {
		o := call{"PreToolUse", "Edit", edit, test.env}.run(t, bound)
		assert.Equal(t, o.denied != "", test.denied, test.env)
		assert.Equal(t, o.told != "", test.told, test.env)
	}
}

// An edit is judged by what it makes of the file (spec 05 F.3).
func TestEdits(t *testing.T) {
	const disk = "{\r\n  \"state_version\": 5,\r\n  \"active_workflow\": {\"current_phase_index\": 3, \"phase_status\": {\"01-requirements\": \"completed\"}}\r\n}"
	edit := func(old, new string) []any { return []any{"old_string", old, "new_string", new} }
	for _, test := range []struct {
		name, tool string
		input      []any
		want       string // in what the model is told; "" for nothing
		judged     bool   // so that it can be blocked
	}{
		{"version", "Edit", edit(`_version": 5`, `_version": 4`), "V7", true},
		{"version lost", "Edit", edit("\n  \"state_version\": 5,", ""), "V7", true},
		{"status", "Edit", edit(`completed`, `pending`), "V8", true},
		{"ahead", "Edit", edit(`index": 3`, `index": 4`), "", false},
		{"no match", "Edit", edit(`absent`, `x`), "not checked, because the old_string of edit 1 is not in the file", false},
		{"no old text", "Edit", edit(``, `x`), "not checked", false},
		{"no JSON", "Edit", edit(`completed"`, `pending`), "not valid JSON", false},
		{"several", "MultiEdit", []any{"edits", []*ordered.Value{
			ordered.NewObject(edit(`completed`, `in_between`)...), ordered.NewObject(edit(`in_between`, `in_progress`)...)}}, "from completed to in_progress", true},
		{"second fails", "MultiEdit", []any{"edits", []*ordered.Value{
			ordered.NewObject(edit(`completed`, `pending`)...), ordered.NewObject(edit(`completed`, `x`)...)}}, "edit 2", false},
		{"none", "MultiEdit", nil, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := call{"PreToolUse", test.tool, test.input, nil}.run(t, disk)
			assert.Equal(t, o.denied+o.stderr, "")
			if test.want == "" {
				assert.Equal(t, o, outcome{})
				return
			}
			contains(t, o.told, test.want)
			contains(t, o.log, "warn ")

			o = call{"PreToolUse", test.tool, test.input, map[string]string{editRules: "off"}}.run(t, disk)
			assert.Equal(t, o, outcome{})

			o = call{"PreToolUse", test.tool, test.input, map[string]string{editRules: "block"}}.run(t, disk)
			assert.Equal(t, o.denied != "", test.judged) // what could not be checked is never blocked
		})
	}
}

func TestReplaceAll(t *testing.T) {
	for all, want := range map[bool]string{false: "b a", true: "b b"} {
		got, err := predict("a a", []edit{{"a", "b", all}})
		assert.NilError(t, err)
		assert.Equal(t, got, want)
	}
	got, err := predict("", []edit{{"", "{}", false}})
	assert.NilError(t, err)
	assert.Equal(t, got, "{}")
}

// V4 and V5 are said after a write, to the person (spec 05 F.2).
func TestProgress(t *testing.T) {
	const doc = `{"active_agent": "qa-engineer", "active_workflow": {"current_phase": "06-implementation"}, "phases": {"06-implementation": {"status": "pending"}}}`
	for _, tool := range []string{"Write", "Edit"} {
		o := call{"PostToolUse", tool, []any{"content", doc}, nil}.run(t, doc)
		contains(t, o.stderr, "V4 warning", "V5 warning", "06-implementation", "software-developer")
		contains(t, o.log, "warn V4", "warn V5")
		assert.Equal(t, o.denied+o.told, "")
	}
	assert.Equal(t, call{"PreToolUse", "Write", []any{"content", doc}, nil}.run(t, doc), outcome{})
	assert.Equal(t, call{"", "Write", []any{"content", doc}, nil}.run(t, doc), outcome{})
}
