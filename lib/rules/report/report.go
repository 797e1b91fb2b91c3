// Package report is what the rules that read the report of a sub-agent share:
// which of the two events that may carry one is the one to judge it at.
package report

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/hook"
	"isdlc-hooks/lib/ordered"
)

// Dispatcher is the program that runs all rules on reports.
const Dispatcher = "post-task-dispatcher"

// settings are the files that register hooks: those of the project and, where
// the hooks come in a plugin, that of the plugin.
func settings(c *hook.Context) []string {
	files := []string{c.Project().Path(".claude", "settings.json"), c.Project().Path(".claude", "settings.local.json")}
	if plugin := c.Getenv("CLAUDE_PLUGIN_ROOT"); plugin != "" {
		files = append(files, filepath.Join(plugin, "hooks", "hooks.json"))
	}
	return files
}

// LeftToStop tells whether the report in an event is judged at SubagentStop, so
// that the rule called name must not warn of it a second time (spec 05 K.2).
//
// A client whose tool_response holds agentType sends the message of an agent in
// the foreground with SubagentStop as well. Whether a hook sees that is up to
// the settings: where neither the dispatcher nor the rule itself is registered
// for it, the report would go unread, so it is judged where it is seen.
func LeftToStop(c *hook.Context, name string) bool {
	if c.Event.Name != claude.PostToolUse || c.Event.Body.Get("tool_response", "agentType").Text() == "" {
		return false
	}
	for _, file := range settings(c) {
		data, err := disk.Read(file)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				c.Debug("the settings cannot be read: " + err.Error())
			}
			continue
		}
		root, err := ordered.Parse(data)
		if err != nil { // the client does not read it either
			c.Debug(file + " cannot be read: " + err.Error())
			continue
		}
		if registered(root, claude.SubagentStop, Dispatcher) || registered(root, claude.SubagentStop, name) {
			return true
		}
	}
	return false
}

// registered tells whether settings run a program on an event.
func registered(settings *ordered.Value, event claude.EventName, program string) bool {
	for _, group := range settings.Get("hooks", string(event)).Items() {
		for _, h := range group.Get("hooks").Items() {
			if strings.Contains(h.Get("command").Text(), program) {
				return true
			}
		}
	}
	return false
}
