package main

import (
	"fmt"
	"slices"
)

// A program is timed on up to three events: one that its first guard turns away (if it has one),
// one that it reads everything for, and one after which it writes the state.
type program struct {
	name  string
	event string // hook_event_name
	full  string // tool name and input of an event that is looked into; "" for none
	write string // the same for one that changes the state; "" for none
}

const (
	toDeveloper = `"tool_name":"Agent","tool_input":{"subagent_type":"software-developer","prompt":"Carry out the work that the plan lists"}`
	advance     = `"tool_name":"Agent","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"Advance to the following stage"}`
	skill       = `"tool_name":"Skill","tool_input":{"skill":"isdlc","args":"advance"}`
	otherSkill  = `"tool_name":"Skill","tool_input":{"skill":"format-code","args":""}`
	commit      = `"tool_name":"Bash","tool_input":{"command":"git add -A && git commit -m done"}`
	stateRead   = `"tool_name":"Bash","tool_input":{"command":"jq .phases .isdlc/state.json"}`
	failing     = `"tool_name":"Bash","tool_input":{"command":"npm test"},"tool_response":{"stdout":"Tests: 1 failed, 3 passed, 4 total","stderr":"","interrupted":false}`
	reported    = toDeveloper + `,"tool_response":{"status":"completed","content":[{"type":"text","text":"All of it is done."}]}`
	loaded      = `"tool_name":"Skill","tool_input":{"skill":"isdlc","args":"feature x"},"tool_response":{"success":true}`
	written     = `"tool_name":"Write","tool_input":{"file_path":"README.md","content":"x"},"tool_response":{"type":"create"}`
)

var programs = []program{
	{"iteration-corridor", "PreToolUse", toDeveloper, advance},
	{"skill-validator", "PreToolUse", toDeveloper, ""},
	{"phase-loop-controller", "PreToolUse", toDeveloper, ""},
	{"plan-surfacer", "PreToolUse", toDeveloper, ""},
	{"phase-sequence-guard", "PreToolUse", toDeveloper, ""},
	{"gate-blocker", "PreToolUse", toDeveloper, advance},
	{"constitution-validator", "PreToolUse", toDeveloper, ""},
	{"test-adequacy-blocker", "PreToolUse", toDeveloper, ""},
	{"blast-radius-validator", "PreToolUse", toDeveloper, ""},
	{"constitutional-iteration-validator", "PreToolUse", skill, ""},
	{"branch-guard", "PreToolUse", commit, ""},
	{"state-file-guard", "PreToolUse", stateRead, ""},
	{"explore-readonly-enforcer", "PreToolUse", written, ""},
	{"state-write-validator", "PreToolUse", written, ""},
	{"model-provider-router", "PreToolUse", toDeveloper, ""},
	{"log-skill-usage", "PostToolUse", "", reported},
	{"menu-tracker", "PostToolUse", reported, ""},
	{"walkthrough-tracker", "PostToolUse", reported, ""},
	{"discover-menu-guard", "PostToolUse", reported, ""},
	{"phase-transition-enforcer", "PostToolUse", reported, ""},
	{"menu-halt-enforcer", "PostToolUse", reported, ""},
	{"skill-delegation-enforcer", "PostToolUse", "", loaded},
	{"test-watcher", "PostToolUse", "", failing},
	{"review-reminder", "PostToolUse", commit, ""},
	{"atdd-completeness-validator", "PostToolUse", failing, ""},
	{"output-format-validator", "PostToolUse", written, ""},
	{"workflow-completion-enforcer", "PostToolUse", written, ""},
	{"delegation-gate", "Stop", `"stop_hook_active":false`, ""},
	{"pre-task-dispatcher", "PreToolUse", toDeveloper, advance},
	{"pre-skill-dispatcher", "PreToolUse", otherSkill, skill},
	{"post-task-dispatcher", "PostToolUse", "", reported},
	{"post-bash-dispatcher", "PostToolUse", commit, failing},
	{"post-write-edit-dispatcher", "PostToolUse", written, ""},
	{"des-pre-tool-use", "PreToolUse", toDeveloper, ""},
	{"des-subagent-stop", "SubagentStop", `"agent_type":"worker","last_assistant_message":"done"`, ""},
	{"taskie-stop-hook", "Stop", `"stop_hook_active":false`, ""},
}

type event struct{ name, json string }

// unguarded are the programs that turn no event away: delegation-gate reads the
// state at every stop, and the DES programs leave a line for every event.
var unguarded = []string{"delegation-gate", "des-pre-tool-use", "des-subagent-stop"}

// events are those that a program is timed on.
func (p program) events() (list []event) {
	if !slices.Contains(unguarded, p.name) {
		list = append(list, event{"guard", p.json(`"tool_name":"Read","tool_input":{"file_path":"README.md"}`)})
	}
	if p.full != "" {
		list = append(list, event{"full", p.json(p.full)})
	}
	if p.write != "" {
		list = append(list, event{"write", p.json(p.write)})
	}
	return list
}

// json is a whole event as the client sends it.
func (p program) json(rest string) string {
	return fmt.Sprintf(`{"session_id":"5f2c","transcript_path":"/tmp/t.jsonl","cwd":"/tmp","permission_mode":"default","hook_event_name":%q,"tool_use_id":"toolu_1",%s}`,
		p.event, rest)
}
