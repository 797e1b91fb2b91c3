package atddcompletenessvalidator_test

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

// TestFailedCommand: what a failed test command printed is judged too, also the
// part on the other stream of a successful one.
func TestFailedCommand(t *testing.T) {
	for _, result := range []string{
		`"hook_event_name":"PostToolUseFailure","error":"Exit code 1\nP0 login fails\nP1 logout passes"`,
		`"hook_event_name":"PostToolUse","tool_response":{"stdout":"P1 logout passes","stderr":"P0 login fails","interrupted":false}`,
	} {
		p := hooktest.NewProject(t)
		p.Write(".isdlc/state.json", `{"active_workflow":{"current_phase":"06-implementation","options":{"atdd_mode":true}}}`)
		for _, program := range []string{"atdd-completeness-validator", "post-bash-dispatcher"} {
			out := p.Run(program, `{"tool_name":"Bash","tool_input":{"command":"npm test"},`+result+`}`)
			assert.Assert(t, strings.Contains(out.Stderr, "P1 tests were run while 1 P0 tests fail"), "%s: %s", program, out.Stderr)
			assert.Equal(t, out.Stdout, "")
		}
	}
}
