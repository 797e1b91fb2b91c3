package reviewreminder

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

func TestCommands(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Git(hooktest.Repository{})
	c := exec.Command("git", "config", "alias.ci", "commit")
	c.Dir = p.Dir
	assert.NilError(t, c.Run())
	for _, test := range []struct {
		event, command, review string
		warned                 bool
	}{
		{"PostToolUse", "git commit", `{"team_size": 2}`, true},
		{"PostToolUse", "git -C sub ci", `{"team_size": 1.5}`, true},
		{"PostToolUse", "git ci", `{"team_size": 2, "enabled": "true"}`, true},
		{"PostToolUse", "git ci", `{"team_size": 2, "enabled": true}`, false},
		{"PostToolUse", "git ci", `{"team_size": 1}`, false},
		{"PostToolUse", "git ci", `{"team_size": "3"}`, false},
		{"PostToolUse", "git st", `{"team_size": 2}`, false},
		{"PostToolUse", "git commit --dry-run", `{"team_size": 2}`, false},
		{"PostToolUse", `echo "git commit"; git commit-tree x`, `{"team_size": 2}`, false},
		{"PostToolUseFailure", "git commit", `{"team_size": 2}`, true}, // alone it takes any event for its own
	} {
		p.Write(".isdlc/state.json", `{"code_review": `+test.review+`}`)
		p.Write("sub/a", "a")
		data, err := json.Marshal(map[string]any{
			"hook_event_name": test.event, "tool_name": "Bash", "tool_input": map[string]string{"command": test.command},
		})
		assert.NilError(t, err)
		r := p.Run("review-reminder", string(data))
		assert.Equal(t, r.Exit, 0)
		assert.Equal(t, strings.Contains(r.Stdout, "code_review.enabled"), test.warned, "%s, %s: %s", test.command, test.review, r.Stdout)
	}
}
