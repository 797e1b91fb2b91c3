package statefileguard

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

func TestCommands(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Write(".isdlc/state.json", "{}")
	p.Write("sub/a.txt", "a")
	long := "echo '" + strings.Repeat("é😀", 300) + "' > .isdlc/state.json"
	for _, test := range []struct {
		dir, command string
		blocked      bool
	}{
		{"", `cd .isdlc && echo x > state.json`, true},
		{"", `rm -f .isdlc/state.json`, true},
		{"", `cp a .isdlc/state.json && true`, true},
		{"", `sed -E -i s/a/b/ .isdlc/state.json`, true},
		{"", `python3 -c "open('.isdlc/state.json','w+')"`, true},
		{".isdlc", `echo x > state.json`, true},
		{".isdlc", `rm *`, true},
		{"sub", `echo x > ../.isdlc/state.json`, true},
		{"", `echo x > "$CLAUDE_PROJECT_DIR/.isdlc/state.json"`, true},
		{"", `echo x > .isdlc/state$'\x2e'json`, true},
		{"", long, true},
		{"", strings.Repeat("(", 10_000) + "echo x > .isdlc/state.json", true},
		{"", "echo \"x > .isdlc/state.json" + strings.Repeat("x", 1<<20), true},

		{"", `cat .isdlc/state.json 2>/dev/null`, false},
		{"", `jq '.a > 3' .isdlc/state.json`, false},
		{"", `cp .isdlc/state.json /tmp/x`, false},
		{"sub", `echo x > state.json; rm *`, false},
		{".isdlc", `cat state.json; rm *.log`, false},
		{"", strings.Repeat("(", 10_000) + "cat .isdlc/state.json", false},
	} {
		before := p.Files()
		data, err := json.Marshal(map[string]any{
			"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]string{"command": test.command},
		})
		assert.NilError(t, err)
		r := p.RunWith("state-file-guard", string(data), hooktest.Options{Dir: test.dir, Timeout: 10 * time.Second})
		name := test.command[:min(len(test.command), 80)]
		assert.Equal(t, r.Exit, 0, name)
		assert.Equal(t, r.Stderr, "", name)
		assert.Equal(t, strings.Contains(r.Stdout, `"permissionDecision":"deny"`), test.blocked, "%s: %s", name, r.Stdout)
		if !test.blocked {
			assert.Equal(t, len(before.Changed(p.Files())), 0, name)
		}
	}
}
