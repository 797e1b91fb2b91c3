package conformance

import (
	"encoding/json"
	"strings"

	"isdlc-hooks/lib/hooktest"
)

// A form is how a case is put to a program.
type form string

const (
	recorded form = "recorded" // as it stands in the vectors
	today    form = "today"    // the same event as today's client sends it
	legacy   form = "legacy"   // as recorded, with ISDLC_BLOCK_FORMAT=legacy
)

var forms = []form{recorded, today, legacy}

// registrations tell for which event each program is registered: what an event
// without a name is taken for. The programs of the other two systems, which have
// a protocol of their own, are known in the recorded form only.
var registrations = map[string]struct {
	event string
	other bool
}{
	"atdd-completeness-validator":        {event: "PostToolUse"},
	"blast-radius-validator":             {event: "PreToolUse"},
	"branch-guard":                       {event: "PreToolUse"},
	"constitution-validator":             {event: "PreToolUse"},
	"constitutional-iteration-validator": {event: "PreToolUse"},
	"delegation-gate":                    {event: "Stop"},
	"des-pre-tool-use":                   {event: "PreToolUse", other: true},
	"des-subagent-stop":                  {event: "SubagentStop", other: true},
	"discover-menu-guard":                {event: "PostToolUse"},
	"explore-readonly-enforcer":          {event: "PreToolUse"},
	"gate-blocker":                       {event: "PreToolUse"},
	"iteration-corridor":                 {event: "PreToolUse"},
	"log-skill-usage":                    {event: "PostToolUse"},
	"menu-halt-enforcer":                 {event: "PostToolUse"},
	"menu-tracker":                       {event: "PostToolUse"},
	"model-provider-router":              {event: "PreToolUse"},
	"output-format-validator":            {event: "PostToolUse"},
	"phase-loop-controller":              {event: "PreToolUse"},
	"phase-sequence-guard":               {event: "PreToolUse"},
	"phase-transition-enforcer":          {event: "PostToolUse"},
	"plan-surfacer":                      {event: "PreToolUse"},
	"post-bash-dispatcher":               {event: "PostToolUse"},
	"post-task-dispatcher":               {event: "PostToolUse"},
	"post-write-edit-dispatcher":         {event: "PostToolUse"},
	"pre-skill-dispatcher":               {event: "PreToolUse"},
	"pre-task-dispatcher":                {event: "PreToolUse"},
	"review-reminder":                    {event: "PostToolUse"},
	"skill-delegation-enforcer":          {event: "PostToolUse"},
	"skill-validator":                    {event: "PreToolUse"},
	"state-file-guard":                   {event: "PreToolUse"},
	"state-write-validator":              {event: "PreToolUse"},
	"taskie-stop-hook":                   {event: "Stop", other: true},
	"test-adequacy-blocker":              {event: "PreToolUse"},
	"test-watcher":                       {event: "PostToolUse"},
	"walkthrough-tracker":                {event: "PostToolUse"},
	"workflow-completion-enforcer":       {event: "PostToolUse"},
}

// applies tells whether a case is run in form f.
func (f form) applies(v *vector) bool {
	switch f {
	case today:
		return !registrations[v.Program].other && !inconclusive(v)
	case legacy:
		if registrations[v.Program].other {
			return false
		}
		speaks := false
		for _, s := range v.runs() {
			switch s.Expect.Stdout.Kind {
			case "json": // that of another format
				return false
			case "block", "text":
				speaks = true
			}
		}
		return speaks
	}
	return true
}

// inconclusive tells whether a test run is recorded without a verdict: today's
// client sends it only with exit code 0, so that there the verdict is known
// (spec 05, E.2).
func inconclusive(v *vector) bool {
	if v.Program != "test-watcher" && v.Program != "post-bash-dispatcher" {
		return false
	}
	for _, s := range v.runs() {
		for _, f := range s.Expect.Files {
			for _, o := range f.Patch {
				if doc, err := parse(o.Value); err == nil && hasVerdict(doc, "INCONCLUSIVE") {
					return true
				}
			}
			if doc, err := parse(f.JSON); err == nil && lastVerdict(doc) == "inconclusive" {
				return true
			}
		}
	}
	return false
}

// hasVerdict finds a history entry with a result in v.
func hasVerdict(v *value, result string) bool {
	if r := v.get("result"); r != nil && r.text == result {
		return true
	}
	for _, m := range v.members {
		if hasVerdict(m.value, result) {
			return true
		}
	}
	for _, item := range v.items {
		if hasVerdict(item, result) {
			return true
		}
	}
	return false
}

func lastVerdict(state *value) string {
	phases := state.get("phases")
	if phases == nil {
		return ""
	}
	for _, phase := range phases.members {
		if r := phase.value.get("iteration_requirements").get("test_iteration").get("last_test_result"); r != nil {
			return r.text
		}
	}
	return ""
}

// stdin is what is sent for a run: a string as it is, an object as JSON, in the
// form asked for.
func (f form) stdin(s step, p *hooktest.Project) (string, error) {
	if s.Stdin == nil {
		return "", nil
	}
	event, err := parse(s.Stdin)
	if err != nil {
		return "", err
	}
	if event.kind == text {
		return event.text, nil
	}
	if f == today && event.kind == object {
		modernise(event, s, p)
	}
	return event.compact(), nil
}

// modernise turns a recorded event into today's.
func modernise(event *value, s step, p *hooktest.Project) {
	tool := ""
	if name := event.get("tool_name"); name != nil && name.kind == text {
		tool = name.text
	}
	for i, m := range event.members {
		switch {
		case m.name == "tool_name" && tool == "Task":
			event.members[i].value = str("Agent")
		case m.name == "tool_result":
			event.members[i] = member{"tool_response", response(tool, m.value)}
		}
	}
	common := []member{
		{"session_id", str("0a1b2c3d-0000-4000-8000-000000000000")},
		{"transcript_path", str(p.Home + "/.claude/projects/p/session.jsonl")},
		{"cwd", str(p.Path(s.Cwd))},
		{"permission_mode", str("default")},
		{"hook_event_name", str(eventOf(s, event))},
	}
	if tool != "" {
		common = append(common, member{"tool_use_id", str("toolu_0")})
	}
	for _, m := range common {
		if event.get(m.name) == nil {
			event.members = append(event.members, m)
		}
	}
}

// response is what today's client sends for a text result: an object in the
// tool's own shape.
func response(tool string, result *value) *value {
	if result.kind != text {
		return result
	}
	shape := ""
	switch tool {
	case "Bash":
		shape = `{"stdout": R, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}`
	case "Task", "Agent":
		shape = `{"status": "completed", "agentId": "a1", "content": [{"type": "text", "text": R}], "totalTokens": 9}`
	default:
		return result
	}
	before, after, _ := strings.Cut(shape, "R")
	v, err := parse([]byte(before + quote(result.text) + after))
	if err != nil {
		panic(err)
	}
	return v
}

// eventOf is the event that a run is about. state-write-validator judges a write
// before it and its result after it; without a name it does both at once. What it
// blocks or lets pass without a word is put before the write, what it warns of
// after.
func eventOf(s step, event *value) string {
	if name := event.get("hook_event_name"); name != nil && name.kind == text {
		return name.text
	}
	if s.Program == "state-write-validator" && s.Expect.Stdout.Kind != "block" {
		tool := event.get("tool_name")
		silent := s.Expect.Stderr.Empty != nil && *s.Expect.Stderr.Empty
		if !silent || tool == nil || tool.text != "Write" {
			return "PostToolUse"
		}
	}
	return registrations[s.Program].event
}

// eventName is [eventOf] for a run whose stdin may be anything.
func eventName(s step) string {
	event, err := parse(s.Stdin)
	if err != nil || event.kind != object {
		var raw string
		if json.Unmarshal(s.Stdin, &raw) == nil {
			event, err = parse([]byte(raw))
		}
	}
	if err != nil || event == nil {
		event = &value{}
	}
	return eventOf(s, event)
}
