// Package reviewreminder reminds a team, after a commit, that it works without
// code review (spec 40 §6).
package reviewreminder

import (
	"fmt"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/gitrepo"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/shellcmd"
)

// Hook is review-reminder.
var Hook = &hook.Hook{
	Name:   "review-reminder",
	Doc:    "remind a team of more than one, after a commit, that code review is off",
	Events: []claude.EventName{claude.PostToolUse},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	if c.Event.Name == claude.PostToolUseFailure { // nothing was committed
		return hook.Allow()
	}
	command := c.Event.Text("command")
	if !shellcmd.Mentions(command, "git") {
		return hook.Allow()
	}
	script := shellcmd.Parse(command, shellcmd.Place{Dir: c.WorkDir(), Home: c.Getenv("HOME")})
	if !script.MayCommit() {
		return hook.Allow()
	}
	review := c.State().Get("code_review")
	size := 1.0
	if n, ok := review.Get("team_size").Float(); ok {
		size = n
	}
	if !review.Present() || review.Get("enabled").IsTrue() || size <= 1 || len(script.Commits(alias)) == 0 {
		return hook.Allow()
	}
	c.Tell(fmt.Sprintf("Warning: manual code review is off, and the team has %s members, so nobody but its author has seen this commit. "+
		"Switch review on by setting code_review.enabled to true in .isdlc/state.json.", review.Get("team_size").Literal()))
	return hook.Allow()
}

func alias(where shellcmd.Repository, name string) string {
	if !shellcmd.Known(where.Dir) || !shellcmd.Known(where.GitDir) {
		where = shellcmd.Repository{}
	}
	return gitrepo.Repo{Dir: where.Dir, GitDir: where.GitDir}.Alias(name)
}
