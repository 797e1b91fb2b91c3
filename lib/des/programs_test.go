package des

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/des/adapters/audit"
	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

const (
	preToolUse   = "des-pre-tool-use"
	subagentStop = "des-subagent-stop"

	logName = "docs/feature/checkout/execution-log.yaml"
	auditIn = ".nwave/logs/des"
)

// executionLog is one in which these phases of step 01-02 were executed.
func executionLog(phases string) string {
	var b strings.Builder
	b.WriteString("project_id: checkout\nevents:\n")
	for phase := range strings.FieldsSeq(phases) {
		fmt.Fprintf(&b, "  - \"01-02|%s|EXECUTED|PASS|2026-02-06T10:00:00Z\"\n", phase)
	}
	return b.String()
}

func transcript(projectID, stepID string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":"<!-- DES-VALIDATION: required -->\n<!-- DES-PROJECT-ID: %s -->\n<!-- DES-STEP-ID: %s -->\nDo it."}}`, projectID, stepID) + "\n" +
		`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}` + "\n"
}

// stop is the event of today's client.
func stop(p *hooktest.Project) string {
	event, err := json.Marshal(map[string]any{
		"session_id": "s", "transcript_path": p.Home + "/main.jsonl", "cwd": p.Dir, "permission_mode": "default", "hook_event_name": "SubagentStop",
		"agent_id": "a1", "agent_type": "software-crafter", "stop_hook_active": false, "agent_transcript_path": p.Path("agent.jsonl"), "last_assistant_message": "done",
	})
	if err != nil {
		panic(err)
	}
	return string(event)
}

func direct(path string) string {
	event, err := json.Marshal(map[string]string{"executionLogPath": path, "projectId": "checkout", "stepId": "01-02"})
	if err != nil {
		panic(err)
	}
	return string(event)
}

// records are the lines of the only file of the audit log.
func records(t *testing.T, p *hooktest.Project) (path string, lines []string) {
	t.Helper()
	files, err := audit.Files(p.Path(auditIn))
	assert.NilError(t, err)
	assert.Assert(t, is.Len(files, 1))
	data, err := os.ReadFile(files[0])
	assert.NilError(t, err)
	assert.Assert(t, strings.HasSuffix(string(data), "\n"))
	return files[0], strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func reason(t *testing.T, r hooktest.Result) string {
	t.Helper()
	var answer struct{ Decision, Reason string }
	assert.NilError(t, json.Unmarshal([]byte(r.Stdout), &answer), r.Stdout)
	assert.Equal(t, answer.Decision, "block")
	return answer.Reason
}

// The client tells of the stop of an agent that was started with the markers;
// its log lacks two phases.
func TestLiveStopIsBlocked(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Write("agent.jsonl", transcript("checkout", "01-02"))
	p.Write(logName, executionLog("PREPARE RED_ACCEPTANCE RED_UNIT GREEN REFACTOR_CONTINUOUS"))
	r := p.Run(subagentStop, stop(p))
	assert.Equal(t, r.Exit, 2)
	assert.Equal(t, r.Stderr, "")
	for _, token := range []string{"ABANDONED_PHASE", "Missing phases: REVIEW, COMMIT"} {
		assert.Check(t, is.Contains(reason(t, r), token))
	}
	_, lines := records(t, p)
	assert.Assert(t, is.Len(lines, 1))
	assert.Check(t, regexp.MustCompile(
		`^\{"decision":"block","details":\{"error_messages":\["Missing phases: REVIEW, COMMIT"\],"invalid_phases":\[\],"missing_phases":\["REVIEW","COMMIT"\]\},`+
			`"event":"HOOK_SUBAGENT_STOP_FAILED","feature_name":"checkout","hook_type":"SubagentStop","reason":"ABANDONED_PHASE","step_id":"01-02",`+
			`"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"\}$`).MatchString(lines[0]), lines[0])

	p.Write(logName, executionLog("PREPARE RED_ACCEPTANCE RED_UNIT GREEN REVIEW REFACTOR_CONTINUOUS COMMIT"))
	r = p.Run(subagentStop, stop(p))
	assert.Equal(t, r.Exit, 0, r.Stdout)
	_, lines = records(t, p)
	assert.Check(t, is.Len(lines, 2))
}

// The mode of the file, and what the records look like, through several runs.
func TestRecords(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Write(logName, executionLog("PREPARE"))
	for _, event := range []string{
		`{"tool_name":"Task","tool_input":{"prompt":"p","max_turns":12345678901234567890}}`,
		`{"tool_name":"Task","tool_input":{"prompt":"p","max_turns":{"b":1,"a":[2.50]}}}`,
		`{"tool_name":"Agent","tool_input":{"prompt":"<!-- DES-PROJECT-ID: é -->"}}`,
	} {
		p.Run(preToolUse, event)
	}
	p.Run(subagentStop, direct(p.Path(logName)))
	path, lines := records(t, p)
	assert.Assert(t, is.Len(lines, 4))
	for i, token := range []string{
		`"max_turns":12345678901234567890}`, `"max_turns":{"a":[2.50],"b":1}}`, `{"is_des_task":false,"max_turns":null,"mode":null},"event":"HOOK_PRE_TOOL_USE_ALLOWED","feature_name":"é"`, `"reason":"ABANDONED_PHASE"`,
	} {
		assert.Check(t, is.Contains(lines[i], token))
	}
	info, err := os.Stat(path)
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), fs.FileMode(0o640))
	report, err := audit.Verify(path) // keys, their order, the timestamps, the mode
	assert.NilError(t, err)
	assert.Check(t, is.Len(report.Problems, 0))
	assert.Check(t, is.Len(report.Hashes, 4))

	// What was recorded stays the same under further records.
	before, err := report.Hashes.Digest(0, 4)
	assert.NilError(t, err)
	p.Run(preToolUse, `{}`)
	report, err = audit.Verify(path)
	assert.NilError(t, err)
	after, err := report.Hashes.Digest(0, 4)
	assert.NilError(t, err)
	assert.Check(t, is.Len(report.Hashes, 5))
	assert.Equal(t, after, before)
}

// Many processes at once: each leaves its record, whole.
func TestParallelRecords(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Write(logName, executionLog("PREPARE"))
	long := strings.Repeat("x", 50_000) // the records go far beyond what a pipe or a page takes at once
	const writers, each = 8, 12
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			for j := range each {
				if i%4 == 0 {
					p.Run(subagentStop, direct(p.Path(logName)))
					continue
				}
				p.Run(preToolUse, fmt.Sprintf(`{"tool_input":{"max_turns":"%d-%d-%s"}}`, i, j, long))
			}
		})
	}
	wait.Wait()
	path, lines := records(t, p)
	assert.Equal(t, len(lines), writers*each)
	report, err := audit.Verify(path)
	assert.NilError(t, err)
	assert.Check(t, is.Len(report.Problems, 0))
	assert.Check(t, is.Len(report.Hashes, writers*each))
}

// A log that cannot be read is an error: the client keeps the agent, and there is
// no record.
func TestUnreadableLogs(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Write("file", "x")
	p.Write("folder/execution-log.yaml/x", "x")
	p.Write("binary.yaml", executionLog("PREPARE")+"# \xe9\n")
	p.Write("utf16.yaml", "\xff\xfep\x00")
	p.Write("secret.yaml", executionLog("PREPARE"))
	p.Chmod("secret.yaml", 0)
	names := []string{"file/execution-log.yaml", "folder/execution-log.yaml", "binary.yaml", "utf16.yaml"}
	if os.Getuid() != 0 { // whom no mode keeps out
		names = append(names, "secret.yaml")
	}
	for _, name := range names {
		r := p.Run(subagentStop, direct(p.Path(name)))
		assert.Check(t, is.Equal(r.Exit, 1), name)
		assert.Check(t, is.Contains(r.Stdout, `"status":"error"`), name)
		assert.Check(t, is.Contains(reason(t, r), "execution log"), name)
	}
	_, err := os.Stat(p.Path(auditIn))
	assert.Check(t, os.IsNotExist(err))
}

// Ids that would lead out of the project are refused, though there is a log where
// they lead.
func TestIDsDoNotLeadOutside(t *testing.T) {
	for _, ids := range [][2]string{{"../../../elsewhere", "01-02"}, {"checkout/../checkout", "01-02"}, {`a\\b`, "01-02"}, {"checkout", "../01"}, {`a\u0000b`, "01-02"}} {
		p := hooktest.NewProject(t)
		full := executionLog("PREPARE RED_ACCEPTANCE RED_UNIT GREEN REVIEW REFACTOR_CONTINUOUS COMMIT")
		p.Write("../elsewhere/execution-log.yaml", strings.Replace(full, "checkout", "../../../elsewhere", 1))
		p.Write(logName, full)
		p.Write("agent.jsonl", transcript(ids[0], ids[1]))
		r := p.Run(subagentStop, stop(p))
		assert.Equal(t, r.Exit, 2, ids)
		assert.Check(t, is.Contains(reason(t, r), "PROJECT_ID_MISMATCH"))
		_, lines := records(t, p)
		assert.Check(t, is.Contains(lines[0], `"reason":"PROJECT_ID_MISMATCH"`))
	}
}

// Nobody waits for a git that does not answer, nor for a transcript of any size.
func TestSlowThings(t *testing.T) {
	t.Parallel()
	p := hooktest.NewProject(t)
	p.Executable("git", "#!/bin/sh\nsleep 60 & sleep 60\n")
	p.Write(logName, executionLog("PREPARE RED_ACCEPTANCE RED_UNIT GREEN REVIEW REFACTOR_CONTINUOUS COMMIT"))
	noise := `{"type":"assistant","message":{"content":[{"type":"text","text":"` + strings.Repeat("word ", 10_000) + `"}]}}` + "\n"
	p.Write("agent.jsonl", strings.Repeat(noise, 800)+transcript("checkout", "01-02")) // 40 MB
	r := p.Run(subagentStop, stop(p))
	assert.Equal(t, r.Exit, 0, r.Stdout)
	assert.Check(t, is.Equal(strings.Count(r.Stderr, "\n"), 1))
	assert.Check(t, is.Contains(r.Stderr, "not checked"))
	_, lines := records(t, p)
	assert.Check(t, is.Len(lines, 1))
	assert.Check(t, is.Contains(lines[0], "HOOK_SUBAGENT_STOP_PASSED"))
}

// Without a record there is no decision, and a link does not choose where it goes.
func TestNoRecordNoDecision(t *testing.T) {
	p := hooktest.NewProject(t)
	dir := filepath.Join(p.Dir, filepath.FromSlash(auditIn))
	p.Write(".nwave/logs/x", "")
	assert.NilError(t, os.Symlink(p.Home, dir)) // a folder elsewhere is somebody's wish
	p.Run(preToolUse, `{}`)
	files, err := audit.Files(p.Home)
	assert.NilError(t, err)
	assert.Assert(t, is.Len(files, 1))

	assert.NilError(t, os.Rename(files[0], files[0]+".old"))
	assert.NilError(t, os.Symlink(files[0]+".old", files[0])) // a file elsewhere is not
	before, err := os.ReadFile(files[0])
	assert.NilError(t, err)
	r := p.Run(preToolUse, `{"tool_input":{"max_turns":30}}`)
	assert.Equal(t, r.Exit, 1)
	assert.Check(t, is.Contains(reason(t, r), "audit log"))
	after, err := os.ReadFile(files[0])
	assert.NilError(t, err)
	assert.Equal(t, string(after), string(before))
}
