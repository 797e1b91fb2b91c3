package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// recordWord makes this test binary a command of a hook, called as
//
//	e2e.test record FILE [NAME PROGRAM]
//
// It writes the event to FILE and hands it on to the program, if there is one,
// whose answer it passes on and writes too.
const recordWord = "record"

// A run is one event that the client handed to one command.
type run struct {
	At      time.Time
	Event   string // as it came, without the line end
	Program string // "" for the command that only watches
	Stdout  string
	Stderr  string
	Exit    int
}

// tee is the command of a hook, where this process is one.
func tee() {
	if len(os.Args) < 3 || os.Args[1] != recordWord {
		return
	}
	exit, err := teeRun(os.Args[2], os.Args[3:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		exit = 70
	}
	os.Exit(exit)
}

func teeRun(file string, command []string) (exit int, err error) {
	r := run{At: time.Now()}
	event, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	r.Event = strings.TrimSpace(string(event))
	if len(command) > 1 {
		var stdout, stderr bytes.Buffer
		program := exec.Command(command[1], command[2:]...)
		program.Stdin, program.Stdout, program.Stderr = bytes.NewReader(event), &stdout, &stderr
		if err := program.Run(); program.ProcessState == nil {
			return 0, err
		}
		os.Stdout.Write(stdout.Bytes())
		os.Stderr.Write(stderr.Bytes())
		r.Program, r.Stdout, r.Stderr, r.Exit = command[0], stdout.String(), stderr.String(), program.ProcessState.ExitCode()
	}
	line, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return 0, err
	}
	return r.Exit, out.Close()
}

// watched are the events that are recorded whether a program is registered for
// them or not.
var watched = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
	"SubagentStart", "SubagentStop", "Stop", "SessionEnd",
}

func (s *session) recordFile() string { return filepath.Join(s.base, "record.jsonl") }

// record puts the recorder in front of every registered program, and beside them
// for all events.
func (s *session) record(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	assert.NilError(t, err)
	recorder := fmt.Sprintf("%q %s %q", self, recordWord, s.recordFile())

	type hook map[string]any
	type group struct {
		Matcher string `json:"matcher,omitempty"`
		Hooks   []hook `json:"hooks"`
	}
	var settings struct {
		Hooks map[string][]group `json:"hooks"`
	}
	assert.NilError(t, json.Unmarshal([]byte(s.read(".claude/settings.json")), &settings))
	for _, groups := range settings.Hooks {
		for _, g := range groups {
			for _, h := range g.Hooks {
				command := h["command"].(string)
				h["command"] = fmt.Sprintf("%s %s %s", recorder, filepath.Base(command), command)
			}
		}
	}
	text, err := json.MarshalIndent(settings, "", "  ")
	assert.NilError(t, err)
	s.Write(".claude/settings.json", string(text))

	settings.Hooks = map[string][]group{}
	for _, event := range watched {
		settings.Hooks[event] = []group{{Hooks: []hook{{"type": "command", "command": recorder}}}}
	}
	text, err = json.MarshalIndent(settings, "", "  ")
	assert.NilError(t, err)
	s.Write(".claude/settings.local.json", string(text))
}
