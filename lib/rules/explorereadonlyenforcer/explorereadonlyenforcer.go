// Package explorereadonlyenforcer keeps the files of a project as they are while
// it is only being explored (spec 50 §1).
package explorereadonlyenforcer

import (
	"fmt"
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/lib/text"
)

// Hook is explore-readonly-enforcer.
var Hook = &hook.Hook{
	Name:   "explore-readonly-enforcer",
	Doc:    "block writes to project files while the explore mode is on",
	Events: []claude.EventName{claude.PreToolUse},
	Tools:  []claude.Tool{claude.Write, claude.Edit, claude.NotebookEdit},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	path := c.Event.FirstText("file_path", "notebook_path")
	if path == "" || !c.State().Get("chat_explore_active").Present() {
		return hook.Allow()
	}
	switch {
	case isTemporary(path, systemTemp(c.Getenv)):
		c.Log("allow", "", "", "a temporary file: "+path)
		return hook.Allow()
	case project.IsStateFile(path):
		c.Log("allow", "", "", "the state file: "+path)
		return hook.Allow()
	}
	c.Log("block", "", "", fmt.Sprintf("%s of %s in explore mode", c.Event.Tool, path))
	return hook.Block(fmt.Sprintf("EXPLORE MODE IS READ-ONLY: this %s of %s is stopped, because chat_explore_active is set in state.json.\n"+
		"Answer from what you can read. Notes may go to a temporary folder. To change project files, leave the explore mode first.",
		c.Event.Tool, path))
}

// systemTemp is the folder of the system for temporary files, without a slash at
// its end.
func systemTemp(getenv func(string) string) string {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		if dir := getenv(name); len(dir) > 1 {
			return strings.TrimSuffix(dir, "/")
		} else if dir != "" {
			return dir
		}
	}
	return "/tmp"
}

// isTemporary tells whether path is that of a temporary file: it begins as the
// folder of the system does, or there is a folder temp or tmp in it.
func isTemporary(path, system string) bool {
	clean := filepath.Clean(path)
	if last := path[len(path)-1]; last == '/' && !strings.HasSuffix(clean, "/") {
		clean += "/"
	}
	for _, prefix := range []string{system, "/tmp/", "/var/folders/"} {
		if strings.HasPrefix(clean, prefix) {
			return true
		}
	}
	elements := strings.FieldsFunc(text.LowerASCII(markEnds(clean)), func(r rune) bool { return r == '/' || r == '\\' })
	for i := 1; i < len(elements)-1; i++ {
		if elements[i] == "temp" || elements[i] == "tmp" {
			return true
		}
	}
	return false
}

// markEnds keeps separators at the ends of a path from vanishing when it is
// split: they make the first or last folder one that is between two of them.
func markEnds(path string) string { return "." + path + "." }
