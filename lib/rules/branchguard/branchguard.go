// Package branchguard keeps commits where a workflow wants them: off main and
// master while it has a branch of its own, and off that branch before its last
// phase (spec 40 §3, spec 05 D).
package branchguard

import (
	"fmt"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/shellcmd"
)

// Hook is branch-guard.
var Hook = &hook.Hook{
	Name:   "branch-guard",
	Doc:    "block commits to main or master while a workflow has its own branch, and to that branch before the last phase",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Bash},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	command := c.Event.Text("command")
	if !shellcmd.Mentions(command, "git") {
		return hook.Allow()
	}
	script := shellcmd.Parse(command, shellcmd.Place{Dir: c.WorkDir(), Home: c.Getenv("HOME")})
	if !script.MayCommit() {
		return hook.Allow()
	}
	workflow := c.State().Get("active_workflow")
	branch := workflow.Get("git_branch")
	if branch.Get("status").Text() != "active" {
		return hook.Allow()
	}
	name := branch.Get("name").Text()
	l := &locator{workDir: c.WorkDir(), root: c.Project().Root}
	for _, commit := range script.Commits(l.alias) {
		repo, ok := l.locate(commit.Repository)
		if !ok || name != "" && !repo.HasBranch(name) {
			continue
		}
		current, err := repo.Branch()
		if err != nil || current == "" { // no branch is checked out
			continue
		}
		if decision, blocked := judge(c, workflow, current, name); blocked {
			return decision
		}
	}
	return hook.Allow()
}

// judge decides about a commit on the branch current (spec 40 §3.1.9 to 13).
func judge(c *hook.Context, workflow *ordered.Value, current, name string) (d hook.Decision, blocked bool) {
	if current == "main" || current == "master" {
		expected := name
		if expected == "" {
			expected = "the feature branch of the workflow"
		}
		c.Log("block", "", "", fmt.Sprintf("commit on %s, expected on %s", current, expected))
		return hook.Block(protected(current, name)), true
	}
	phases := workflow.Get("phases").Items()
	now := workflow.Get("current_phase").Text()
	if current != name || now == "" || len(phases) == 0 {
		return hook.Allow(), false
	}
	last := phases[len(phases)-1].Text()
	if phase.Same(now, last) {
		return hook.Allow(), false
	}
	c.Log("block", "", "", fmt.Sprintf("commit in phase %s on %s, before the last phase", now, current))
	return hook.Block(tooEarly(now, current, last)), true
}

func protected(current, name string) string {
	if name == "" {
		return fmt.Sprintf("BRANCH GUARD: this command commits to %s, which is protected while a workflow is active. "+
			"Commit on the feature branch of the workflow instead.", current)
	}
	return fmt.Sprintf("BRANCH GUARD: this command commits to %s, which is protected while the workflow works on %s.\n"+
		"Switch to that branch before you commit: git checkout %s", current, name, name)
}

func tooEarly(now, current, last string) string {
	return fmt.Sprintf("BRANCH GUARD: the workflow is in phase %s; on its branch %s nothing is committed before the last phase, %s.\n"+
		"Leave the changes in the working tree: they are committed when the workflow is finalized. "+
		"To put them aside meanwhile, use git stash.", now, current, last)
}
