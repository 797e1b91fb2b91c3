package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/copytree"
)

const (
	longest  = 30 * time.Second // that an answer is waited for, whatever the timeout
	scratch  = 64 << 20         // bytes of state and configuration that are copied
	auditLog = "DES_AUDIT_LOG_DIR"
)

// answers runs each registered program of ours once, as the client does, on an
// event that no rule is about.
//
// The session that the programs are shown is one in a scratch folder: it has the
// .claude of the project, by a link, and a copy of its state, so that answers
// take as long as they do in the project and nothing is written there, not even
// by those programs that keep a record of every event.
func (e *examination) answers(ctx context.Context) {
	const check = "answer"
	var commands []*command
	for _, c := range e.commands {
		if c.name != "" && !c.dead {
			commands = append(commands, c)
		}
	}
	if len(commands) == 0 {
		return
	}
	dir, err := e.stage()
	if dir != "" {
		defer os.RemoveAll(filepath.Dir(dir))
	}
	if err != nil {
		e.add(Note, check, "", "", "no program was tried: %v", err)
		return
	}
	env := map[string]string{}
	for name, value := range e.env {
		env[name] = value
	}
	env[auditLog] = filepath.Join(filepath.Dir(dir), "audit")
	for _, c := range commands {
		r := client.Run(ctx, client.Call{Hook: c.Hook, Event: harmless(c.Event, dir), Project: dir, Plugin: c.scope.Root, Dir: dir, Env: env, Limit: longest})
		if ctx.Err() != nil {
			return
		}
		ms := float64(r.Took.Microseconds()) / 1000
		e.report.Hooks = append(e.report.Hooks, Time{c.name, c.Event, c.Command, c.scope.String(), ms, client.Limit(c.Hook).Seconds()})
		fault := client.Read(claude.EventName(c.Event), r).Fault
		switch {
		case r.TimedOut:
			e.add(Error, check, c.where(), "see what it waits for: run it by hand with an event on standard input", "%s gave no answer within %s", c.name, r.Limit)
		case fault != "":
			e.add(Error, check, c.where(), e.remedyFor(r), "%s does not answer: %s", c.name, fault)
		case r.Took > r.Limit/2:
			e.add(Warning, check, c.where(), "find out what slows it, or raise its timeout", "%s took %.0f ms of its %s", c.name, ms, r.Limit)
		default:
			e.add(OK, check, c.where(), "", "%s answered in %s ms", c.name, strconv.FormatFloat(ms, 'f', 1, 64))
		}
	}
}

func (e *examination) remedyFor(r client.Result) string {
	switch r.Exit {
	case 126, 127:
		return "mend the command; the shell finds no program in it that it can run"
	}
	return e.reinstall()
}

// stage makes the scratch project.
func (e *examination) stage() (dir string, err error) {
	top, err := os.MkdirTemp("", "isdlc-doctor-")
	if err != nil {
		return "", err
	}
	// A blank shows what is not quoted, where the project would show it too.
	name := "project"
	if strings.ContainsAny(e.Project, " \t") {
		name = "a project"
	}
	dir = filepath.Join(top, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return dir, err
	}
	claudeFolder := e.path(".claude")
	if _, err := os.Stat(claudeFolder); err == nil {
		if os.Symlink(claudeFolder, filepath.Join(dir, ".claude")) != nil {
			// Not every system lets everybody make links.
			if _, err := copytree.Copy(claudeFolder, filepath.Join(dir, ".claude"), copytree.Options{}); err != nil {
				return dir, err
			}
		}
	}
	if _, err := os.Stat(e.path(project.Dir)); err == nil {
		_, err := copytree.Copy(e.path(project.Dir), filepath.Join(dir, project.Dir), copytree.Options{MaxBytes: scratch})
		if err != nil && !errors.Is(err, copytree.ErrTooLarge) { // without it the programs answer too
			return dir, err
		}
	}
	return dir, nil
}

// harmless is an event that no rule is about.
func harmless(event, dir string) []byte {
	body := ordered.NewObject("session_id", "doctor", "transcript_path", "", "cwd", dir, "hook_event_name", event)
	switch event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure":
		body.Set("tool_name", "DoctorCheck")
		body.Set("tool_input", ordered.NewObject())
		switch event {
		case "PostToolUse":
			body.Set("tool_response", ordered.NewObject())
		case "PostToolUseFailure":
			body.Set("error", "")
		}
	case "Stop", "SubagentStop":
		body.Set("stop_hook_active", false)
		body.Set("last_assistant_message", "")
		if event == "SubagentStop" {
			body.Set("agent_id", "doctor")
			body.Set("agent_type", "doctor-check")
			body.Set("agent_transcript_path", "")
		}
	}
	return fmt.Appendf(nil, "%s\n", body.Compact())
}
