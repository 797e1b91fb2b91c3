package testwatcher_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/rules/testwatcher"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

// A project with test iteration in its current phase, whose record begins as
// given.
func project(t *testing.T, record string) *hooktest.Project {
	p := hooktest.NewProject(t)
	p.Write(".claude/hooks/config/iteration-requirements.json", `{"phase_requirements": {"06-implementation": {
		"test_iteration": {"enabled": true, "max_iterations": 5, "circuit_breaker_threshold": 3, "test_commands": ["bazel test", "./verify"],
			"success_criteria": {"min_coverage_percent": 80}}}}}`)
	p.Write(".isdlc/state.json", `{"active_workflow": {"type": "feature", "current_phase": "06-implementation"}, "phases": {"06-implementation": {
		"iteration_requirements": {"test_iteration": `+record+`}}}}`)
	return p
}

// A call is a Bash call that has ended, as today's client tells of it.
type call struct {
	command, output string
	exit            int
	fields          string // more fields of the event
}

func (c call) event() string {
	input := ordered.NewObject("command", c.command)
	if c.exit == 0 {
		return fmt.Sprintf(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":%s,"tool_response":{"stdout":%s,"stderr":"","interrupted":false}%s}`,
			input.Compact(), ordered.Of(c.output).Compact(), c.fields)
	}
	return fmt.Sprintf(`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":%s,"error":%s%s}`,
		input.Compact(), ordered.Of(fmt.Sprintf("Exit code %d\n%s", c.exit, c.output)).Compact(), c.fields)
}

func record(t *testing.T, p *hooktest.Project) *ordered.Value {
	data, err := os.ReadFile(p.Path(".isdlc/state.json"))
	assert.NilError(t, err)
	state, err := ordered.Parse(data)
	assert.NilError(t, err)
	return state.Get("phases", "06-implementation", "iteration_requirements", "test_iteration")
}

const (
	green = "Tests:       3 passed, 3 total\nStatements : 90%"
	red   = "Tests:       1 failed, 2 passed, 3 total"
)

func TestRecordKeepsItsPromises(t *testing.T) {
	const begun = `{"completed": %t, "current_iteration": %d, "max_iterations": 5, "failures_count": 2, "identical_failure_count": 0, "history": [], %s}`
	success := fmt.Sprintf(begun, true, 2, `"status": "success", "completed_at": "2026-02-08T10:00:00.000Z", "own": 1`)
	escalated := fmt.Sprintf(begun, true, 5, `"status": "escalated", "escalation_reason": "circuit_breaker", "escalation_details": "earlier"`)
	for _, test := range []struct {
		name, before string
		call         call
		completed    bool
		status       string
		reason       string // of the escalation
		done         bool   // there is a completed_at
	}{
		{"a failure takes a success back", success, call{command: "npm test", output: red, exit: 1}, false, "", "", false},
		{"a masked failure does", success, call{command: "npm test || true", output: red}, false, "", "", false},
		{"an inconclusive run does not", success, call{command: "npm test > log; echo done", output: "done"}, true, "success", "", true},
		{"nor one at the limit", strings.Replace(success, `"current_iteration": 2`, `"current_iteration": 4`, 1), call{command: "npm test | cat", output: "?"}, true, "success", "", true},
		{"low coverage does not", success, call{command: "npm test", output: "Tests:       3 passed, 3 total\nStatements : 9%"}, true, "success", "", true},
		{"a success ends an escalation", escalated, call{command: "npm test", output: green}, true, "success", "", true},
		{"an escalated record is not escalated again", escalated, call{command: "npm test", output: red, exit: 1}, true, "escalated", "circuit_breaker", false},
		{"nor by an inconclusive run", escalated, call{command: "npm test | cat", output: "?"}, true, "escalated", "circuit_breaker", false},
		{"nor by low coverage", escalated, call{command: "npm test", output: "Tests:       3 passed, 3 total\nStatements : 9%"}, true, "escalated", "circuit_breaker", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := project(t, test.before)
			p.Run("test-watcher", test.call.event())
			r := record(t, p)
			assert.Equal(t, len(r.Get("history").Items()), 1)
			assert.Equal(t, r.Get("completed").IsTrue(), test.completed)
			assert.Equal(t, r.Get("status").Text(), test.status)
			assert.Equal(t, r.Get("escalation_reason").Text(), test.reason)
			assert.Equal(t, r.Get("escalation_details") != nil, test.reason != "")
			assert.Equal(t, r.Get("completed_at") != nil, test.done)
		})
	}
}

// TestHistory: the newest 50 entries stay, and entries of another type do no harm.
func TestHistory(t *testing.T) {
	entries := make([]string, 60)
	for i := range entries {
		entries[i] = fmt.Sprintf(`{"iteration": %d, "error": "e%d"}`, i, i)
	}
	entries[59] = "null"
	p := project(t, `{"current_iteration": 60, "history": [`+strings.Join(entries, ",")+`]}`)
	p.Run("test-watcher", call{command: "npm test", output: red, exit: 1}.event())
	history := record(t, p).Get("history").Items()
	assert.Equal(t, len(history), 50)
	assert.Equal(t, history[0].Get("iteration").Literal(), "11")
	assert.Equal(t, history[49].Get("iteration").Literal(), "61")
	assert.Equal(t, history[49].Get("result").Text(), "FAILED")
}

// TestFailureEvent: what a failed command printed stands behind its exit code.
func TestFailureEvent(t *testing.T) {
	for _, test := range []struct {
		call     call
		result   string
		failures string
		error    string
	}{
		{call{command: "npm test", output: "  ● calc › adds\n\n    TypeError: x is no function\n\n" + red, exit: 1}, "FAILED", "1", "TypeError: x is no function"},
		{call{command: "npm test", output: green, exit: 1}, "FAILED", "0", "The test command ended with exit code 1."},
		{call{command: "npm test", exit: 137}, "FAILED", "0", "The test command ended with exit code 137."},
		{call{command: "npm test | grep nothing", exit: 1}, "INCONCLUSIVE", "0", "The output does not tell whether the tests passed or failed."},
		{call{command: "npm test", output: "starting", exit: 130, fields: `,"is_interrupt":true`}, "INCONCLUSIVE", "0", "The output does not tell whether the tests passed or failed."},
	} {
		p := project(t, "null")
		p.Run("test-watcher", test.call.event())
		entry := record(t, p).Get("history").Items()[0]
		assert.Check(t, entry.Get("result").Text() == test.result, "%v: %s", test.call, entry.Compact())
		assert.Check(t, entry.Get("failures").Literal() == test.failures, "%v: %s", test.call, entry.Compact())
		assert.Check(t, entry.Get("error").Text() == test.error, "%v: %s", test.call, entry.Compact())
	}
}

// TestCommands: which commands are watched, and that the others cost nothing.
func TestCommands(t *testing.T) {
	for command, watched := range map[string]bool{
		"npm test":                              true,
		"npm t":                                 true,
		"timeout 60 ./node_modules/.bin/jest":   true,
		"go test ./... 2>&1 | tail -5":          true,
		"bazel test //x":                        true, // of the configuration
		"bazel build //x":                       false,
		"./verify --all":                        true,
		"cat jest.config.js":                    false,
		"grep -rn pytest .":                     false,
		"npm install -D vitest":                 false,
		"git commit -m 'npm test passes'":       false,
		"cat > n.md <<'E'\nrun npm test\nE\nls": false,
	} {
		p := project(t, "null")
		p.Run("test-watcher", call{command: command, output: green}.event())
		assert.Check(t, record(t, p).IsObject() == watched, command)
	}
}

// TestScript: for everyday commands nothing is read; what may be a test command
// of a project's own is looked up.
func TestScript(t *testing.T) {
	for command, possible := range map[string]bool{
		"":                              false,
		"ls -la && git status":          false,
		"cat a | grep test > b":         false,
		"cd x; FOO=1":                   false,
		"echo 'npm test'":               false,
		"npm test":                      true,
		"git log && npm test":           true,
		"docker build .":                true,
		"if [ -f x ]; then npm t; fi":   true,
		"find . -exec jest {} ;":        true,
		"echo \"unclosed && npm test":   true,
		"bash -c 'cd x && npm test'":    true,
		"NODE_ENV=test npm run test:ci": true,
	} {
		_, got := testwatcher.Script(command)
		assert.Check(t, got == possible, command)
	}
}

// TestBackground: a run that goes on in the background has no verdict yet.
func TestBackground(t *testing.T) {
	p := project(t, "null")
	event := strings.Replace(call{command: "npm test"}.event(), `"npm test"`, `"npm test","run_in_background":true`, 1)
	p.Run("test-watcher", event)
	assert.Equal(t, record(t, p).Get("last_test_result").Text(), "inconclusive")
}

// TestDispatcher: under the dispatcher the message of a failed command arrives
// for the event that it belongs to.
func TestDispatcher(t *testing.T) {
	p := project(t, "null")
	out := p.Run("post-bash-dispatcher", call{command: "npm test", output: red, exit: 1}.event())
	answer, err := ordered.Parse([]byte(out.Stdout))
	assert.NilError(t, err, out.Stdout)
	assert.Equal(t, answer.Get("hookSpecificOutput", "hookEventName").Text(), "PostToolUseFailure")
	assert.Assert(t, strings.Contains(answer.Get("hookSpecificOutput", "additionalContext").Text(), "1/5"))
}
