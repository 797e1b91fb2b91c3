package e2e

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

const currentState = `{
  "state_version": 7,
  "current_phase": "06-implementation"
}`

// A whole new state that was made from an older one does not get to the disk; one
// made from what is there does. An edit that would do the same is only advised
// against.
var staleState = scenario{
	name:     "stale-state",
	programs: []string{"state-write-validator", "post-write-edit-dispatcher"},
	arrange:  func(s *session) { s.Write(".isdlc/state.json", currentState) },
	scripts: map[string]script{"main": {
		use("toolu_read", "Read", object{"file_path": "{{project}}/.isdlc/state.json"}),
		use("toolu_stale", "Write", object{"file_path": "{{project}}/.isdlc/state.json", "content": `{"state_version": 5, "current_phase": "08-code-review"}`}),
		use("toolu_unchanged", "Bash", bash("cat .isdlc/state.json")),
		use("toolu_fresh", "Write", object{"file_path": "{{project}}/.isdlc/state.json", "content": `{"state_version": 7, "current_phase": "08-code-review"}`}),
		use("toolu_edit", "Edit", object{"file_path": "{{project}}/.isdlc/state.json", "old_string": `"state_version": 7`, "new_string": `"state_version": 6`}),
		say("The state is written."),
	}},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_stale", "state_version", "7", "5", "state.json")
		s.ran(t, "main", "toolu_unchanged", currentState)
		s.ran(t, "main", "toolu_fresh")
		assert.Check(t, is.Equal(s.read(".isdlc/state.json"), `{"state_version": 6, "current_phase": "08-code-review"}`))
		s.ran(t, "main", "toolu_edit")
		advice := s.heard("main").between("toolu_edit", "")
		assert.Check(t, is.Contains(advice, "PreToolUse:Edit hook additional context: "))
		assert.Check(t, is.Contains(advice, "V7"))
		assert.Check(t, is.Contains(s.read(".isdlc/hook-activity.log"), `"hook":"state-write-validator","event":"block"`))
	},
}

// While a project is only explored nothing in it is written. Who ends that by
// writing the state is advised against it, and may go on.
var exploring = scenario{
	name:     "exploring",
	programs: []string{"explore-readonly-enforcer", "state-write-validator"},
	arrange:  func(s *session) { s.Write(".isdlc/state.json", `{"state_version": 7, "chat_explore_active": true}`) },
	scripts: map[string]script{"main": {
		use("toolu_early", "Write", object{"file_path": "{{project}}/search.js", "content": "early\n"}),
		use("toolu_read", "Read", object{"file_path": "{{project}}/.isdlc/state.json"}),
		use("toolu_end", "Edit", object{"file_path": "{{project}}/.isdlc/state.json", "old_string": `: true`, "new_string": `: false`}),
		use("toolu_late", "Write", object{"file_path": "{{project}}/search.js", "content": "late\n"}),
		say("The search is written."),
	}},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_early", "read-only", "Write", s.Path("search.js"))
		advice := s.heard("main").between("toolu_end", "toolu_late")
		assert.Check(t, is.Contains(advice, "PreToolUse:Edit hook additional context: "))
		assert.Check(t, is.Contains(advice, "chat_explore_active"))
		s.ran(t, "main", "toolu_late")
		assert.Check(t, is.Equal(s.read("search.js"), "late\n"))
		assert.Check(t, is.Equal(s.read(".isdlc/state.json"), `{"state_version": 7, "chat_explore_active": false}`))
	},
}
