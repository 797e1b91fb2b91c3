// Package outputformatvalidator warns of artifacts that were written without what
// later phases look for in them (spec 50 §3).
package outputformatvalidator

import (
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/hook"
)

const name = "output-format-validator"

// Hook is output-format-validator. It looks at the file, not at the tool that
// wrote it.
var Hook = &hook.Hook{
	Name:   name,
	Doc:    "warn of artifacts that lack required parts",
	Events: []claude.EventName{claude.PostToolUse},
	Run:    run,
}

func run(c *hook.Context) hook.Decision {
	path := c.Event.Text("file_path")
	kind := kindOf(path)
	if kind == nil {
		return hook.Allow()
	}
	data, err := c.ReadFile(path)
	if err != nil {
		return hook.Allow() // whoever needs the artifact will miss it
	}
	missing := kind.missing(data)
	if len(missing) == 0 {
		c.Log("allow", "", "", kind.name+" has its required parts: "+path)
		return hook.Allow()
	}
	list := strings.Join(missing, ", ")
	c.Log("warn", "", "", kind.name+" lacks "+list+": "+path)
	c.Warn("[" + name + "] WARNING: " + kind.name + " lacks required parts: " + list + "\n  in " + path)
	return hook.Allow()
}
