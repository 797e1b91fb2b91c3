package registration

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestTable(t *testing.T) {
	known := map[string]bool{}
	for _, g := range Groups {
		known[g.Name] = true
	}
	for _, r := range Table {
		t.Run(r.String(), func(t *testing.T) {
			assert.Check(t, known[r.Group], "group %q", r.Group)
			assert.Check(t, r.Timeout >= 10 && r.Timeout <= 600, "timeout %d", r.Timeout)
			assert.Check(t, r.Kind == Hook == !strings.HasSuffix(r.Program, "-dispatcher"))
			assert.Check(t, strings.HasPrefix(r.Command(), `"$CLAUDE_PROJECT_DIR"/.claude/hooks/`))
			if slices.Contains(strings.Split(r.Matcher, "|"), "Task") || slices.Contains(strings.Split(r.Matcher, "|"), "Agent") {
				assert.Check(t, is.Equal(r.Matcher, SubAgent))
			}
		})
	}
	for _, g := range Groups {
		assert.Check(t, slices.ContainsFunc(Table, func(r Registration) bool { return r.Group == g.Name }), "group %q is empty", g.Name)
	}
}

func TestPrograms(t *testing.T) {
	programs := Programs()
	assert.Check(t, is.Len(programs, 36))
	assert.Check(t, is.Equal(programs[0].Path(), ".claude/hooks/atdd-completeness-validator"))
	assert.Check(t, is.Equal(Program{"pre-task-dispatcher", Dispatcher}.Path(), ".claude/hooks/dispatchers/pre-task-dispatcher"))
	seen := map[string]bool{}
	for _, p := range programs {
		assert.Check(t, !seen[p.Name], "%s twice", p.Name)
		seen[p.Name] = true
	}
}

func TestSelect(t *testing.T) {
	names := func(rs []Registration) (out []string) {
		for _, r := range rs {
			out = append(out, r.Program)
		}
		return out
	}
	for _, c := range []struct {
		name       string
		only, with []string
		want       []string
		lacks      []string
		err        string
	}{
		{name: "default", want: []string{"pre-task-dispatcher", "delegation-gate", "branch-guard"}, lacks: []string{"taskie-stop-hook", "des-subagent-stop", "model-provider-router"}},
		{name: "only a group", only: []string{"bash"}, want: []string{"branch-guard", "state-file-guard", "post-bash-dispatcher"}, lacks: []string{"pre-task-dispatcher"}},
		{name: "only an opt-in group", only: []string{"des"}, want: []string{"des-pre-tool-use", "des-subagent-stop"}, lacks: []string{"branch-guard"}},
		{name: "only a program", only: []string{"model-provider-router"}, want: []string{"model-provider-router"}, lacks: []string{"branch-guard"}},
		{name: "default and more", with: []string{"taskie"}, want: []string{"taskie-stop-hook", "branch-guard"}, lacks: []string{"des-subagent-stop"}},
		{name: "unknown", only: []string{"everything"}, err: `"everything"; groups: delegation, after-task`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Select(c.only, c.with)
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			assert.NilError(t, err)
			for _, name := range c.want {
				assert.Check(t, slices.Contains(names(got), name), "%s is missing", name)
			}
			for _, name := range c.lacks {
				assert.Check(t, !slices.Contains(names(got), name), "%s is too much", name)
			}
		})
	}
}
