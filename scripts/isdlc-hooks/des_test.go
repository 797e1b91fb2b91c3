package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"gotest.tools/v3/icmd"

	"isdlc-hooks/lib/hooktest"
)

const desTranscript = `{"type":"user","message":{"role":"user","content":"<!-- DES-VALIDATION: required -->\n<!-- DES-PROJECT-ID: checkout -->\n<!-- DES-STEP-ID: 01-02 -->\nDo it."}}
`

const desLog = `project_id: checkout
events:
  - "01-02|PREPARE|EXECUTED|PASS|2026-02-06T10:00:00Z"
  - "01-02|RED_ACCEPTANCE|EXECUTED|FAIL|2026-02-06T10:01:00Z"
  - "01-02|RED_UNIT|EXECUTED|FAIL|2026-02-06T10:02:00Z"
  - "01-02|GREEN|EXECUTED|PASS|2026-02-06T10:03:00Z"
  - "01-02|REFACTOR_CONTINUOUS|EXECUTED|PASS|2026-02-06T10:04:00Z"
`

// The DES hooks of an installed project, run as the client runs them, keep an
// agent whose log lacks two phases; what they record is verified.
func TestDESInstalled(t *testing.T) {
	bin, project := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./hooks/des-pre-tool-use", "./hooks/des-subagent-stop")
	build.Dir = hooktest.Root(t)
	out, err := build.CombinedOutput()
	assert.NilError(t, err, string(out))
	lay := func(name, text string) string {
		path := filepath.Join(project, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	transcript := lay("agent.jsonl", desTranscript)
	lay("docs/feature/checkout/execution-log.yaml", desLog)

	_, err = run(nil, "install", "--project", project, "--bin", bin, "--yes", "--only", "des")
	assert.NilError(t, err)
	event, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": project, "hook_event_name": "SubagentStop", "agent_id": "a1", "agent_type": "software-crafter",
		"stop_hook_active": false, "agent_transcript_path": transcript, "last_assistant_message": "done",
	})
	assert.NilError(t, err)
	result := icmd.RunCmd(icmd.Command("/bin/sh", "-c", registered(t, project, "SubagentStop")),
		icmd.Dir(project), icmd.WithStdin(strings.NewReader(string(event))),
		icmd.WithEnv("PATH="+os.Getenv("PATH"), "HOME="+t.TempDir(), "CLAUDE_PROJECT_DIR="+project))
	result.Assert(t, icmd.Expected{ExitCode: 2, Out: "Missing phases: REVIEW, COMMIT"})

	t.Setenv("DES_AUDIT_LOG_DIR", "")
	files, err := auditFiles(project)
	assert.NilError(t, err)
	assert.Assert(t, is.Len(files, 1))
	record, err := os.ReadFile(files[0])
	assert.NilError(t, err)
	assert.Check(t, is.Contains(string(record), `"event":"HOOK_SUBAGENT_STOP_FAILED"`))
	t.Log(string(record))

	said, err := run(nil, "des", "verify-audit", "--project", project)
	assert.NilError(t, err)
	_, mark, found := strings.Cut(strings.TrimSpace(said), ": ok, mark ")
	assert.Assert(t, found, said)
	assert.Check(t, strings.HasPrefix(mark, "1:"), said)

	lay(".nwave/logs/des/"+filepath.Base(files[0]), strings.Replace(string(record), "block", "allow", 1)+string(record))
	said, err = run(nil, "des", "verify-audit", "--since", mark, files[0])
	assert.ErrorContains(t, err, "exit code 1")
	assert.Check(t, is.Contains(said, "the first 1 entries are not what they were"))

	_, err = run(nil, "des", "verify-audit", "--since", mark)
	assert.ErrorContains(t, err, "name it")
	said, err = run(nil, "des", "verify-audit", "--project", t.TempDir())
	assert.NilError(t, err)
	assert.Equal(t, said, "There is no audit log.\n")
	_, err = run(nil, "des", "verify-audit", "--project", filepath.Join(project, "none"))
	assert.ErrorContains(t, err, "none")

	_, err = run(nil, "uninstall", "--project", project, "--yes")
	assert.NilError(t, err)
	_, err = os.Stat(filepath.Join(project, ".claude"))
	assert.Check(t, os.IsNotExist(err))
}

// registered is the only command that the project's settings have for an event.
func registered(t *testing.T, project, event string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(project, ".claude", "settings.json"))
	assert.NilError(t, err)
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	assert.NilError(t, json.Unmarshal(data, &settings))
	assert.Assert(t, is.Len(settings.Hooks[event], 1))
	assert.Assert(t, is.Len(settings.Hooks[event][0].Hooks, 1))
	return settings.Hooks[event][0].Hooks[0].Command
}
