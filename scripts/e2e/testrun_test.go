package e2e

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// A failing test run, which today's client reports as a failure of the tool, is
// counted, and the model is told where it stands; the run that passes after the
// mend ends the count.
var testRuns = scenario{
	name:     "test-runs",
	programs: []string{"post-bash-dispatcher"},
	arrange: func(s *session) {
		implementing(s)
		s.Write("sum.js", "exports.sum = (a, b) => a - b\n")
		s.Write("sum.test.js", `const test = require('node:test')
const assert = require('node:assert')
const { sum } = require('./sum.js')

test('adds two numbers', () => assert.strictEqual(sum(2, 3), 5))
test('adds nothing', () => assert.strictEqual(sum(2, 0), 2))
`)
	},
	scripts: map[string]script{"main": {
		use("toolu_red", "Bash", bash("node --test")),
		use("toolu_read", "Read", object{"file_path": "{{project}}/sum.js"}),
		use("toolu_mend", "Edit", object{"file_path": "{{project}}/sum.js", "old_string": "a - b", "new_string": "a + b"}),
		use("toolu_green", "Bash", bash("node --test")),
		say("The tests pass."),
	}},
	check: func(t *testing.T, s *session) {
		s.failed(t, "main", "toolu_red", "Exit code 1", "adds two numbers")
		s.ran(t, "main", "toolu_mend")
		s.ran(t, "main", "toolu_green", "pass 2")

		record := s.state(t).Phases["06-implementation"].IterationRequirements.TestIteration
		assert.Check(t, is.Equal(record.CurrentIteration, 2))
		assert.Check(t, is.Equal(record.LastTestResult, "passed"))
		assert.Check(t, is.Equal(record.FailuresCount, 1))
		assert.Check(t, record.Completed && record.Status == "success", "%+v", record)
		if assert.Check(t, is.Len(record.History, 2)) {
			assert.Check(t, is.Equal(record.History[0].Result, "FAILED"))
			assert.Check(t, is.Equal(record.History[0].Failures, 1))
			assert.Check(t, is.Equal(record.History[1].Result, "PASSED"))
		}

		told := s.heard("main").between("toolu_red", "toolu_read")
		assert.Check(t, is.Contains(told, "PostToolUseFailure:Bash hook additional context: "))
		assert.Check(t, is.Contains(told, "1/10"))
		told = s.heard("main").between("toolu_green", "")
		assert.Check(t, is.Contains(told, "PostToolUse:Bash hook additional context: "))
		assert.Check(t, is.Contains(told, "constitution"))
	},
}
