package e2e

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
)

// bash is the input of a command.
func bash(command string) map[string]any {
	return map[string]any{"command": command, "description": "run a command"}
}

// A commit on main is stopped, also in a folder that an earlier command went to,
// which is where the client then runs the hooks. The model takes the way out that
// it is told, and commits on the branch of the workflow.
var commitOnMain = scenario{
	name:     "commit-on-main",
	programs: []string{"branch-guard"},
	arrange: func(s *session) {
		s.Write(".isdlc/state.json", `{
  "state_version": 1,
  "active_workflow": {
    "type": "feature",
    "phases": ["06-implementation", "08-code-review"],
    "current_phase": "08-code-review",
    "current_phase_index": 1,
    "git_branch": {"name": "feature/search", "status": "active"}
  }
}`)
		s.Write("search.txt", "found\n")
		s.Git(hooktest.Repository{Branch: "main"})
		s.Write(".git/refs/heads/feature/search", s.read(".git/refs/heads/main"))
	},
	scripts: map[string]script{"main": {
		use("toolu_cd", "Bash", bash("mkdir index && cd index && pwd")),
		use("toolu_commit_index", "Bash", bash("git commit --allow-empty -qm 'Begin the index'")),
		use("toolu_back", "Bash", bash("cd ..")),
		use("toolu_commit_main", "Bash", bash("git add search.txt && git commit -qm 'Add the search'")),
		use("toolu_checkout", "Bash", bash("git checkout -q feature/search")),
		use("toolu_commit_branch", "Bash", bash("git add search.txt && git commit -qm 'Add the search' && git log -1 --format=%s")),
		say("The search is committed."),
	}},
	check: func(t *testing.T, s *session) {
		s.ran(t, "main", "toolu_cd", "/index")
		s.denied(t, "main", "toolu_commit_index", "main")
		s.denied(t, "main", "toolu_commit_main", "main", "git checkout feature/search")
		s.ran(t, "main", "toolu_commit_branch", "Add the search")
		assert.Check(t, is.Equal(s.git(t, "log", "--format=%s", "main"), "start"))
		assert.Check(t, is.Equal(s.git(t, "log", "--format=%s", "feature/search"), "Add the search\nstart"))
		assert.Check(t, is.Contains(s.read(".isdlc/hook-activity.log"), `"hook":"branch-guard","event":"block"`))
	},
}

// A command that writes the state is stopped, wherever it stands, one that reads
// it is not.
var stateInShell = scenario{
	name:     "state-in-shell",
	programs: []string{"state-file-guard"},
	arrange:  func(s *session) { s.Write(".isdlc/state.json", `{"state_version": 1}`) },
	scripts: map[string]script{"main": {
		use("toolu_write", "Bash", bash("cd .isdlc && echo '{}' > state.json")),
		use("toolu_read", "Bash", bash("cat .isdlc/state.json 2>/dev/null")),
		use("toolu_cd", "Bash", bash("cd .isdlc")),
		use("toolu_write_there", "Bash", bash("echo '{}' > state.json")),
		say("I have read the state."),
	}},
	check: func(t *testing.T, s *session) {
		s.denied(t, "main", "toolu_write", "state.json", "Edit")
		s.ran(t, "main", "toolu_read", `{"state_version": 1}`)
		s.denied(t, "main", "toolu_write_there", "state.json")
		assert.Check(t, is.Equal(s.read(".isdlc/state.json"), `{"state_version": 1}`))
	},
}
