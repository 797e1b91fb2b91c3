package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Events are the events of the client that this release knows. A hook that is
// registered for another one never runs.
var Events = []string{
	"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionRequest", "PermissionDenied",
	"UserPromptSubmit", "UserPromptExpansion", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "SessionStart", "SessionEnd",
	"Setup", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "Notification", "MessageDisplay",
	"TaskCreated", "TaskCompleted", "TeammateIdle", "ConfigChange", "InstructionsLoaded", "CwdChanged", "DirectoryAdded",
	"FileChanged", "WorktreeCreate", "WorktreeRemove", "Elicitation", "ElicitationResult",
}

// tools are the tools of the client that this release knows (2.1.329), under all
// names that they have had.
var tools = []string{
	"Agent", "Artifact", "AskUserQuestion", "Bash", "BashOutput", "ClaudeDesign", "CronCreate", "CronDelete", "CronList", "Edit",
	"EndConversation", "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillBash", "KillShell",
	"LS", "LSP", "ListAgents", "ListMcpResourcesTool", "Monitor", "MultiEdit", "NotebookEdit", "NotebookRead",
	"OfferChromeSetup", "PowerShell", "Projects", "PushNotification", "Read", "ReadMcpResourceDirTool", "ReadMcpResourceTool",
	"ReadNotifications", "RemoteTrigger", "ReportFindings", "ScheduleWakeup", "SendFeedback", "SendMessage", "SendUserFile",
	"SendUserMessage", "SetGoal", "ShareOnboardingGuide", "ShowOnboardingRolePicker", "Skill", "SlashCommand",
	"StructuredOutput", "SubagentHandback", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate",
	"TodoRead", "TodoWrite", "ToolSearch", "WaitForMcpServers", "WebFetch", "WebSearch", "Workflow", "Write",
	"exit_plan_mode", "propose_skills",
}

const mcp = "mcp__" // begins the names of tools that servers bring

// Subject is the field of an event that the matcher of a group is compared
// with; empty where the client does not look at the matcher.
func Subject(event string) string {
	switch event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied":
		return "tool_name"
	case "SubagentStart", "SubagentStop":
		return "agent_type"
	case "SessionStart":
		return "source"
	case "SessionEnd":
		return "reason"
	case "PreCompact", "PostCompact":
		return "trigger"
	case "Notification":
		return "notification_type"
	}
	return ""
}

// Runs tells whether a group with this matcher runs for an event whose [Subject]
// has this value. A call of Agent is also matched by the tool's older name; a
// client that says Task knows no newer one.
func Runs(event, matcher, subject string) bool {
	if Subject(event) == "" {
		return true
	}
	return Matches(matcher, subject) || subject == "Agent" && Matches(matcher, "Task")
}

// Never tells why a group with this matcher never runs, as far as this release
// knows the tools of the client; empty where it may run.
func Never(event, matcher string) string {
	if matcher == "" || matcher == "*" || Subject(event) == "" {
		return ""
	}
	names, list := matcherNames(matcher)
	if !list {
		return neverExpression(event, matcher)
	}
	known := func(name string) bool { return slices.Contains(tools, name) || strings.HasPrefix(name, mcp) }
	if Subject(event) != "tool_name" || slices.ContainsFunc(names, known) {
		return ""
	}
	for _, name := range names {
		for _, tool := range tools {
			if strings.EqualFold(name, tool) {
				return fmt.Sprintf("no tool is called %s; it is %s", name, tool)
			}
		}
	}
	return fmt.Sprintf("no tool is called %s, and a name must be the whole name", strings.Join(names, " or "))
}

func neverExpression(event, matcher string) string {
	re, err := regexp.Compile(matcher)
	switch {
	case err != nil && lookaround().MatchString(matcher):
		return "" // the client understands it; we do not
	case err != nil:
		return "it is no regular expression"
	case Subject(event) != "tool_name" || strings.Contains(matcher, "mcp") || re.MatchString(mcp+"server__tool") || slices.ContainsFunc(tools, re.MatchString):
		return ""
	case strings.Contains(matcher, "("):
		return "a matcher is compared with the name of the tool alone; what the call is about goes into the key \"if\" of the hook"
	}
	return "as a regular expression it is found in the name of no tool"
}

func lookaround() *regexp.Regexp { return regexp.MustCompile(`\(\?(?:=|!|<=|<!)|\\[1-9]|\\k<`) }

// Overlap tells whether there is a tool, or whatever else the event is about,
// for which groups with both matchers run.
func Overlap(event, a, b string) bool {
	if a == b || Runs(event, a, "") && Runs(event, b, "") {
		return true
	}
	if Subject(event) == "tool_name" {
		return slices.ContainsFunc(tools, func(tool string) bool { return Runs(event, a, tool) && Runs(event, b, tool) })
	}
	names, _ := matcherNames(a + "|" + b)
	return len(names) == 0 || a == "" || b == "" || slices.ContainsFunc(names, func(name string) bool { return Runs(event, a, name) && Runs(event, b, name) })
}
