package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// reviewer stands in for the second client that the hook starts: it writes the
// review that its prompt asks for, which tells what it was asked, finds issues the
// first time and none later.
const reviewer = `#!/bin/sh
for prompt; do :; done
file=$(printf '%s' "$prompt" | grep -o '\.taskie/plans/search/plan-review-[0-9]*\.md' | head -n 1)
printf '%s\n' "$prompt" > "$file"
case $file in *-1.md) verdict=FAIL ;; *) verdict=PASS ;; esac
printf '{"structured_output":{"verdict":"%s"}}\n' "$verdict"
`

// reviewed is what the agent does about the n-th review, as the block tells it.
func reviewed(id, n string) turn {
	const plan = ".taskie/plans/search/"
	return use(id, "Bash", bash("echo '# Done' > "+plan+"plan-post-review-"+n+".md && "+
		`sed -e 's/"next_phase": "[^"]*"/"next_phase": "plan-review"/' -e 's/"phase": "[^"]*"/"phase": "post-plan-review"/' `+
		plan+"state.json > "+plan+"state.tmp && mv "+plan+"state.tmp "+plan+"state.json"))
}

// The review loop: a plan is reviewed whenever the agent wants to stop, until two
// reviews in a row are clean.
var reviewLoop = scenario{
	name:     "taskie-review-loop",
	with:     []string{"taskie"},
	programs: []string{"taskie-stop-hook"},
	arrange: func(s *session) {
		s.Executable("claude", reviewer)
		s.Write(".taskie/plans/search/plan.md", "# Plan\n")
		s.Write(".taskie/plans/search/state.json", `{
  "max_reviews": 8,
  "current_task": null,
  "phase": "new-plan",
  "phase_iteration": 0,
  "next_phase": "plan-review",
  "review_model": "opus",
  "consecutive_clean": 0,
  "tdd": false
}
`)
	},
	scripts: map[string]script{"main": {
		say("The plan is written."),
		reviewed("toolu_first", "1"),
		say("The issues are fixed."),
		reviewed("toolu_second", "2"),
		say("There was nothing to fix."),
	}},
	check: func(t *testing.T, s *session) {
		main := s.heard("main")
		feedback := main.between("", "toolu_first")
		assert.Check(t, is.Contains(feedback, "Stop hook feedback:"))
		assert.Check(t, is.Contains(feedback, ".taskie/plans/search/plan-review-1.md"))
		feedback = main.between("toolu_first", "toolu_second")
		assert.Check(t, is.Contains(feedback, ".taskie/plans/search/plan-review-2.md"))
		assert.Check(t, is.Equal(strings.Count(main.between("toolu_second", ""), "Stop hook feedback:"), 0))
		assert.Check(t, is.Equal(main.answered(), 4), "the last turn ends the session")

		var state struct {
			Phase            string
			NextPhase        string `json:"next_phase"`
			PhaseIteration   int    `json:"phase_iteration"`
			ConsecutiveClean int    `json:"consecutive_clean"`
		}
		assert.NilError(t, json.Unmarshal([]byte(s.read(".taskie/plans/search/state.json")), &state))
		assert.Check(t, is.Equal(state.Phase, "plan-review"))
		assert.Check(t, is.Equal(state.NextPhase, "create-tasks"))
		assert.Check(t, is.Equal(state.PhaseIteration, 3))
		assert.Check(t, is.Equal(state.ConsecutiveClean, 2))
		asked := s.read(".taskie/plans/search/plan-review-3.md")
		assert.Check(t, is.Contains(asked, "First read ground-rules.md, if the project has it."), "nobody has brought rules")
	},
}
