package branchguard

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

const active = `{"active_workflow": {
	"git_branch": {"name": "feature/x", "status": "active"},
	"phases": ["01-requirements", "06-implementation", "08-code-review"], "current_phase": "06-implementation"}}`

// open gives a project on main with the branch feature/x: its work tree wt has
// that branch, other is a repository of its own with branches of the same names.
func open(t *testing.T) *hooktest.Project {
	p := hooktest.NewProject(t)
	p.Write(".isdlc/state.json", active)
	p.Write("sub/deep/a.txt", "a")
	p.Write("a b/c.txt", "c")
	p.Write("new\nline/c.txt", "c")
	p.Write("other/a.txt", "a")
	p.Git(hooktest.Repository{Branch: "main"})
	git(t, p.Dir, "branch", "feature/x")
	git(t, p.Dir, "worktree", "add", "-q", "wt", "feature/x")
	git(t, p.Path("other"), "init", "-q", "-b", "main")
	git(t, p.Path("other"), "-c", "user.name=a", "-c", "user.email=a", "commit", "-q", "--allow-empty", "-m", "start")
	git(t, p.Path("other"), "branch", "feature/x")
	return p
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := c.CombinedOutput()
	assert.NilError(t, err, "git %v: %s", args, out)
}

func event(t *testing.T, command string) string {
	data, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]string{"command": command},
	})
	assert.NilError(t, err)
	return string(data)
}

// verdict runs the guard: "" for a command that may run, else what blocks it.
func verdict(t *testing.T, p *hooktest.Project, command string, o hooktest.Options) string {
	t.Helper()
	r := p.RunWith("branch-guard", event(t, command), o)
	assert.Equal(t, r.Exit, 0)
	assert.Equal(t, r.Stderr, "")
	if r.Stdout == "" {
		return ""
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
	}
	assert.NilError(t, json.Unmarshal([]byte(r.Stdout), &answer))
	assert.Equal(t, answer.HookSpecificOutput.PermissionDecision, "deny")
	if strings.Contains(answer.HookSpecificOutput.PermissionDecisionReason, "git checkout") {
		return "protected"
	}
	return "too early"
}

func TestCommands(t *testing.T) {
	p := open(t)
	git(t, p.Dir, "config", "alias.ci", "commit -v")
	git(t, p.Dir, "config", "alias.save", "!git add -A && git commit -m save")
	git(t, p.Dir, "config", "alias.st", "status")
	git(t, p.Path("other"), "config", "alias.record", "commit")
	for _, test := range []struct{ dir, command, want string }{
		{"", `git commit -m x`, "protected"},
		{"", `git -C . commit -m x`, "protected"},
		{"", `git -c a=b commit`, "protected"},
		{"", `bash -c "git commit"`, "protected"},
		{"", `g\it commit`, "protected"},
		{"", "git \\\ncommit", "protected"},
		{"", `$'\x67it' commit`, "protected"},
		{"", `f() { git "$@"; }; f commit`, "protected"},
		{"", "bash <<'E'\ngit commit\nE", "protected"},
		{"", `git ci`, "protected"},
		{"", `git save`, "protected"},
		{"", `git -c alias.x=ci x`, "protected"},

		{"", `echo "git commit"`, ""},
		{"", "cat > n.md <<'E'\nthen git commit\nE", ""},
		{"", `git commit-tree x`, ""},
		{"", `git commit --dry-run`, ""},
		{"", `git st; git record; git unheard-of`, ""},
		{"", `git status`, ""},

		// places in the project
		{"", `cd sub && git commit`, "protected"},
		{"", `git -C sub/deep commit`, "protected"},
		{"", `git -C "a b" commit`, "protected"},
		{"", "git -C 'new\nline' commit", "protected"},
		{"sub/deep", `git commit`, "protected"},
		{"sub/deep", `cd ../.. && git commit`, "protected"},
		{"", `git --git-dir=.git commit`, "protected"},
		{"", `git --git-dir=sub/../.git commit`, "protected"},
		{"", `GIT_DIR=.git git commit`, "protected"},
		{"other", `git --git-dir=../.git commit`, "protected"},
		{"other", `git -C .. commit`, "protected"},
		{"other", `cd .. && git ci`, "protected"},

		// its work tree on the branch of the workflow
		{"", `git -C wt commit`, "too early"},
		{"", `cd wt; git commit`, "too early"},
		{"wt", `git commit`, "too early"},
		{"wt", `cd "$X" && git commit`, "too early"},
		{"wt", `git -C .. commit`, "protected"},
		{"", `cd wt && git ci`, "too early"},

		// other repositories
		{"", `cd other && git commit`, ""},
		{"", `git -C other commit`, ""},
		{"", `git --git-dir=other/.git commit`, ""},
		{"", `GIT_DIR=$PWD/other/.git git commit`, ""},
		{"", `git -C other record`, ""},
		{"other", `git commit`, ""},
		{"", `cd other && git commit; cd .. && git commit`, "protected"},
		{"", `git --git-dir=/no/such commit`, ""},
		{"..", `git commit`, ""},

		// nobody knows where
		{"", `cd "$X" && git commit`, "protected"},
		{"", `git -C no-such commit`, "protected"},
		{"", `git --git-dir="$X" commit`, "protected"},
		{"other", `git -C "$X" commit`, "protected"},
		{"..", `git -C "$X" commit`, "protected"},
	} {
		got := verdict(t, p, test.command, hooktest.Options{Dir: test.dir})
		assert.Equal(t, got, test.want, "%s in %q", test.command, test.dir)
	}
}

func TestBranches(t *testing.T) {
	state := func(name string) string { return strings.ReplaceAll(active, "feature/x", name) }
	for _, test := range []struct {
		name  string
		state string
		steps [][]string
		want  string
	}{
		{"tag with the name of the branch on main", active, [][]string{{"tag", "main"}, {"tag", "feature/x"}}, "protected"},
		{"tag with the name of the workflow's branch", active, [][]string{{"tag", "feature/x"}, {"checkout", "-q", "feature/x"}}, "too early"},
		{"only a tag of that name", state("only-tag"), [][]string{{"tag", "only-tag"}}, ""},
		{"detached on main", active, [][]string{{"checkout", "-q", "--detach"}}, ""},
		{"unborn branch", active, [][]string{{"checkout", "-q", "--orphan", "fresh"}}, ""},
		{"unborn master", active, [][]string{{"checkout", "-q", "--orphan", "master"}}, "protected"},
		{"named like an option", state("--help"), nil, ""},
		{"named like an option, and there", state("-x"), [][]string{{"update-ref", "refs/heads/-x", "HEAD"}}, "protected"},
		{"with a newline", state(`a\nb`), nil, ""},
		{"above the branches", state("../heads/main"), nil, ""},
		{"another branch", active, [][]string{{"checkout", "-q", "-b", "else"}}, ""},
		{"no name", strings.Replace(active, `"name": "feature/x", `, "", 1), nil, "too early"},
		{"alias of the last phase", strings.Replace(strings.ReplaceAll(active, "08-code-review", "13-test-deploy"), `"current_phase": "06-implementation"`, `"current_phase": "12-test-deploy"`, 1), [][]string{{"checkout", "-q", "feature/x"}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t)
			git(t, p.Dir, "worktree", "remove", "wt")
			p.Write(".isdlc/state.json", test.state)
			for _, step := range test.steps {
				git(t, p.Dir, step...)
			}
			assert.Equal(t, verdict(t, p, "git commit", hooktest.Options{}), test.want)
		})
	}
}

// TestHostile runs the guard on input that must not keep the client waiting, or
// stop it: exit code 2 would.
func TestHostile(t *testing.T) {
	p := open(t)
	n := 10_000
	for name, command := range map[string]string{
		"nested":  strings.Repeat("$(", n) + "git commit" + strings.Repeat(")", n),
		"deep":    "git commit; " + strings.Repeat("(", 1<<20),
		"long":    "git commit -m '" + strings.Repeat("x", 1<<20) + "'",
		"quote":   "git commit -m \"" + strings.Repeat("x", 1<<20),
		"many":    strings.Repeat("git commit;", 10_000),
		"aliases": "git commit;" + strings.Repeat("git x$((1));git y;", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, verdict(t, p, command, hooktest.Options{Timeout: 10 * time.Second}), "protected")
		})
	}
}

// TestRunsNothing checks that the configuration of a repository cannot make the
// guard run programs.
func TestRunsNothing(t *testing.T) {
	p := open(t)
	p.Executable("spy", "#!/bin/sh\ntouch \"$CLAUDE_PROJECT_DIR/ran\"\n")
	for _, key := range []string{"core.fsmonitor", "core.pager", "pager.config", "pager.symbolic-ref", "alias.config", "core.hooksPath"} {
		git(t, p.Dir, "config", key, "spy")
	}
	git(t, p.Dir, "config", "alias.ci", "!spy")
	before := p.Files()
	assert.Equal(t, verdict(t, p, "git ci; git -C sub status", hooktest.Options{}), "")
	assert.Equal(t, len(before.Changed(p.Files())), 0)
}
