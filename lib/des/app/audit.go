package app

import "time"

// The names of audit events.
const (
	PreToolUseAllowed  = "HOOK_PRE_TOOL_USE_ALLOWED"
	PreToolUseBlocked  = "HOOK_PRE_TOOL_USE_BLOCKED"
	SubagentStopPassed = "HOOK_SUBAGENT_STOP_PASSED"
	SubagentStopFailed = "HOOK_SUBAGENT_STOP_FAILED"
	ScopeViolation     = "SCOPE_VIOLATION"
)

// The hooks that are recorded.
const (
	PreToolUseHook   = "PreToolUse"
	SubagentStopHook = "SubagentStop"
)

// An AuditEvent is one record of the audit log (spec 60 §6.3). An empty
// FeatureName, StepID or Reason is recorded as null.
type AuditEvent struct {
	Time        time.Time
	Event       string
	Hook        string
	FeatureName string // the project
	StepID      string
	Decision    Action
	Reason      string
	// Details are of the event: nil, bool, int, string, []string or domain.Value.
	Details map[string]any
}
