package domain

import "strings"

// The reasons for which a sub-agent must not stop.
const (
	LogFileNotFound   Code = "LOG_FILE_NOT_FOUND"
	LogFileCorrupted  Code = "LOG_FILE_CORRUPTED"
	ProjectIDMismatch Code = "PROJECT_ID_MISMATCH"
	SilentCompletion  Code = "SILENT_COMPLETION"
	AbandonedPhase    Code = "ABANDONED_PHASE"
	IncompletePhase   Code = "INCOMPLETE_PHASE"
	InvalidSkip       Code = "INVALID_SKIP"
	MultipleErrors    Code = "MULTIPLE_ERRORS"
)

// A Failure is why a step does not count as done, and what to do about it.
type Failure struct {
	Code     Code
	Messages []string // what is wrong, one text each; never empty
	Recovery []string // what to do, one step each; never empty
	Missing  []string // phases without an event, in the order of the schema
	Invalid  []string // phases whose event is not good, in the order of the schema
	// Completion tells that the work itself falls short, not that it cannot be
	// judged: an agent that was told once already may stop all the same.
	Completion bool
}

// Reason is the code and all messages.
func (f *Failure) Reason() string { return string(f.Code) + ": " + strings.Join(f.Messages, "; ") }

// LogNotFound is the failure of a step whose log is not there.
func LogNotFound(path string) *Failure {
	return &Failure{
		Code:     LogFileNotFound,
		Messages: []string{"there is no execution log at " + path},
		Recovery: []string{
			"Create execution-log.yaml at " + path + ", with the project_id and an empty list of events.",
			"Let the orchestrator set the log up before it starts agents on the step.",
		},
	}
}

// LogCorrupted is the failure of a step whose log cannot be understood.
func LogCorrupted(path, why string) *Failure {
	return &Failure{
		Code:     LogFileCorrupted,
		Messages: []string{"the execution log " + path + " is not one YAML mapping: " + why},
		Recovery: []string{"Repair the YAML of execution-log.yaml: one document, a mapping with project_id and events."},
	}
}

// ProjectMismatch is the failure of a step whose log is that of another project.
// Found is how to call what the log says, for it may be no text.
func ProjectMismatch(wanted, found string) *Failure {
	return projectFailure("the work is on project " + wanted + ", but the execution log is of project " + found)
}

// UnsafeID is the failure of a step whose project id or step id could lead out
// of the folder of its log (spec 05 G.3).
func UnsafeID(projectID, stepID string) *Failure {
	return projectFailure("the markers name project " + projectID + " and step " + stepID +
		"; neither may hold a path separator, two dots in a row or a NUL byte, so no execution log was looked for: found none")
}

func projectFailure(message string) *Failure {
	return &Failure{
		Code:     ProjectIDMismatch,
		Messages: []string{message},
		Recovery: []string{
			"Check that the work is on the wanted project, and that execution-log.yaml is the log of that project.",
			"Check the DES-PROJECT-ID marker in the prompt of the agent.",
		},
	}
}

// SafeID tells whether an id can stand in a path as the name of one folder.
func SafeID(id string) bool {
	return !strings.ContainsAny(id, "/\\\x00") && !strings.Contains(id, "..")
}
