package driver

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/ordered"
)

// SubagentStop lets port judge the stop of a sub-agent that s tells of, and gives
// the exit code of the process.
func SubagentStop(s Streams, port app.SubagentStopPort) int {
	return run(s, func(e *claude.Event) (app.HookDecision, error) {
		in, err := subagentStopInput(e.Body)
		if err != nil {
			return app.HookDecision{}, err
		}
		return port.Validate(in)
	}, stopBlocked)
}

const (
	logPathField   = "executionLogPath"
	projectIDField = "projectId"
	stepIDField    = "stepId"
)

// subagentStopInput tells the two forms of a stop apart and checks that all
// fields are there (spec 60 §5.1).
func subagentStopInput(body *ordered.Value) (app.SubagentStopInput, error) {
	if live(body) {
		return app.SubagentStopInput{Live: &app.LiveStop{
			Transcript: body.Get("agent_transcript_path").Text(),
			WorkDir:    text(body.Get("cwd")),
			Repeated:   body.Get("stop_hook_active").IsTrue(),
		}}, nil
	}
	step := app.Step{
		ProjectID: body.Get(projectIDField).Text(),
		StepID:    body.Get(stepIDField).Text(),
		LogPath:   body.Get(logPathField).Text(),
	}
	if step.ProjectID == "" || step.StepID == "" || step.LogPath == "" {
		return app.SubagentStopInput{}, fmt.Errorf("%s, %s and %s are all needed, as texts that are not empty", logPathField, projectIDField, stepIDField)
	}
	if !strings.HasPrefix(step.LogPath, "/") && !filepath.IsAbs(step.LogPath) {
		return app.SubagentStopInput{}, fmt.Errorf("%s must be absolute, but is %s", logPathField, step.LogPath)
	}
	step.LogPath = filepath.ToSlash(step.LogPath)
	return app.SubagentStopInput{Step: &step}, nil
}

// live tells whether the event is one of the client, which names no step.
func live(body *ordered.Value) bool {
	for _, name := range [...]string{logPathField, projectIDField, stepIDField} {
		if truthy(body.Get(name)) {
			return false
		}
	}
	return body.Get("hook_event_name") != nil || body.Get("agent_transcript_path") != nil
}

// truthy is [ordered.Value.Present] where an empty list or object says nothing
// either.
func truthy(v *ordered.Value) bool {
	switch v.Kind() {
	case ordered.Array:
		return len(v.Items()) > 0
	case ordered.Object:
		return len(v.Members()) > 0
	}
	return v.Present()
}

// stopBlocked tells why a stop is blocked to all who may read it: the agent, the
// orchestrator and the person (spec 60 §5.5).
func stopBlocked(d app.HookDecision) *ordered.Value {
	context := []string{
		"Step " + d.Step.ProjectID + "/" + d.Step.StepID + " FAILED its validation.",
		"Execution log: " + orNone(d.Step.LogPath),
		"Reason: " + d.Reason,
		"RECOVERY REQUIRED:",
	}
	for i, step := range d.RecoverySuggestions {
		context = append(context, strconv.Itoa(i+1)+". "+step)
	}
	return ordered.NewObject(
		"decision", string(d.Action),
		"reason", d.Reason,
		"recovery", d.RecoverySuggestions,
		"hookSpecificOutput", ordered.NewObject(
			"hookEventName", "SubagentStop",
			"additionalContext", strings.Join(context, "\n"),
		),
		"systemMessage", "DES: step "+d.Step.ProjectID+"/"+d.Step.StepID+" is not complete. "+d.Reason,
	)
}

func orNone(path string) string {
	if path == "" {
		return "none"
	}
	return path
}
