package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/ordered"
)

// at runs a command line about a project, and gives what it printed and the exit
// code.
func at(t *testing.T, dir string, line ...string) (stdout, stderr string, code int) {
	t.Helper()
	return outputs(append(line, "--project", dir)...)
}

// empty is a project of the framework without a state.
func empty(t *testing.T) string {
	t.Helper()
	t.Setenv("CLAUDE_PROJECT_DIR", filepath.Join(t.TempDir(), "elsewhere")) // what is named counts
	t.Setenv("ISDLC_PROJECT", "")
	dir := t.TempDir()
	assert.NilError(t, os.Mkdir(filepath.Join(dir, ".isdlc"), 0o755))
	return dir
}

func stateOf(t *testing.T, dir string) *ordered.Value {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, ".isdlc", "state.json"))
	assert.NilError(t, err)
	v, err := ordered.Parse(data)
	assert.NilError(t, err)
	return v
}

func write(t *testing.T, text string, elem ...string) {
	t.Helper()
	path := filepath.Join(elem...)
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestHandshakeCommand(t *testing.T) {
	dir := empty(t)
	out, errs, code := at(t, dir, "handshake", "status")
	assert.Equal(t, code, 1, out)
	assert.Check(t, is.Contains(errs, "there is no state file"))

	out, errs, code = at(t, filepath.Join(dir, ".isdlc"), "handshake", "init", "--type", "fix", "--phases", "02-tracing,06-implementation") // from a folder below
	assert.Equal(t, code, 0, errs)
	assert.Equal(t, out, "a fix workflow of 2 phases has begun\nnext: isdlc-hooks handshake activate 02-tracing\n")

	out, errs, code = at(t, dir, "handshake", "activate", "06-implementation")
	assert.Equal(t, code, 1)
	assert.Equal(t, out, "")
	assert.Equal(t, errs, "isdlc-hooks: refused: phase 06-implementation is not due: complete 02-tracing first\n")
	out, _, code = at(t, dir, "handshake", "activate", "06-implementation", "--json")
	assert.Equal(t, code, 1)
	assert.Check(t, is.Contains(out, `"refused": "phase 06-implementation is not due`))

	out, _, _ = at(t, dir, "handshake", "activate", "02-tracing")
	assert.Equal(t, out, "activated 02-tracing, the work of tracing-orchestrator\nnext: isdlc-hooks handshake complete 02-tracing --summary TEXT\n")
	out, _, _ = at(t, dir, "handshake", "activate", "02-tracing", "--json")
	status, err := ordered.Parse([]byte(out))
	assert.NilError(t, err)
	assert.Equal(t, status.Get("phases").Items()[0].Get("retries").Literal(), "1")
	out, _, code = at(t, dir, "handshake", "complete", "02-tracing", "--summary", "a race\nin the cache")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(out, "02-tracing is completed after 0 min\n"))
	out, _, _ = at(t, dir, "handshake", "status")
	assert.Check(t, is.Contains(out, "   02-tracing         completed  tracing-orchestrator  0        1        a race in the cache\n>  06-implementation  pending    software-developer\n"))
	_, _, code = at(t, dir, "handshake", "finalize", "--cancel", "--reason", "moved")
	assert.Equal(t, code, 0)
	out, _, _ = at(t, dir, "handshake", "status")
	assert.Equal(t, out, "no workflow is active\nnext: isdlc-hooks handshake init --type TYPE\n")
	assert.Equal(t, stateOf(t, dir).Get("state_version").Literal(), "5")
}

// Where the hooks come as a plugin, the transitions and the audit go by what the
// plugin brings, as its hooks do.
func TestConfigurationOfAPlugin(t *testing.T) {
	dir, plugin := empty(t), t.TempDir()
	write(t, `{"phase_requirements":{"02-tracing":{"constitutional_validation":{"enabled":true}}}}`, plugin, "config", "iteration-requirements.json")
	begin := func() {
		for _, line := range [][]string{{"init", "--type", "fix", "--phases", "02-tracing,06-implementation"}, {"activate", "02-tracing"}} {
			_, errs, code := at(t, dir, append([]string{"handshake"}, line...)...)
			assert.Equal(t, code, 0, errs)
		}
	}
	complete := []string{"handshake", "complete", "02-tracing", "--summary", "found"}
	begin()
	_, errs, code := at(t, dir, append(complete, "--plugin-dir", plugin)...)
	assert.Equal(t, code, 1)
	assert.Check(t, is.Contains(errs, "constitutional_validation"))
	t.Setenv("CLAUDE_PLUGIN_ROOT", plugin)
	_, errs, code = at(t, dir, complete...)
	assert.Equal(t, code, 1)
	assert.Check(t, is.Contains(errs, "constitutional_validation"))
	t.Setenv("CLAUDE_PLUGIN_ROOT", "")
	_, errs, code = at(t, dir, append(complete, "--plugin-dir", dir)...)
	assert.Equal(t, code, 2)
	assert.Check(t, is.Contains(errs, "is no plugin of the hooks"))
	_, errs, code = at(t, dir, complete...)
	assert.Equal(t, code, 0, errs)
}

func TestMisuse(t *testing.T) {
	dir := empty(t)
	for _, line := range []string{
		"handshake activate", "handshake activate a b", "handshake frobnicate", "handshake init", "handshake complete 02-tracing", "handshake status --verbose",
		"audit now", "audit --all --id x", "audit --id x", "audit --against none.json", "audit --all", "audit",
	} {
		_, errs, code := at(t, dir, strings.Fields(line)...)
		assert.Check(t, is.Equal(code, 2), line)
		assert.Check(t, errs != "", line)
	}
	_, errs, code := at(t, filepath.Join(dir, "none"), "audit")
	assert.Equal(t, code, 2)
	assert.Check(t, is.Contains(errs, "does not exist"))
	_, _, code = at(t, dir, "handshake", "finalize", "--reason", "x")
	assert.Equal(t, code, 1, "without a state there is nothing to say about the reason")
}

func TestUnusableState(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "null"} {
		dir := empty(t)
		write(t, text, dir, ".isdlc", "state.json")
		for _, line := range []string{"audit", "audit --fix", "handshake init --type fix --phases 02-tracing", "handshake status"} {
			out, errs, code := at(t, dir, strings.Fields(line)...)
			assert.Check(t, is.Equal(code, 1), line)
			assert.Check(t, is.Contains(out+errs, "holds no JSON object"), line)
		}
		data, err := os.ReadFile(filepath.Join(dir, ".isdlc", "state.json"))
		assert.NilError(t, err)
		assert.Equal(t, string(data), text)
	}
}

// Commands at the same time do not lose each other's transitions.
func TestParallelTransitions(t *testing.T) {
	dir := empty(t)
	_, _, code := at(t, dir, "handshake", "init", "--type", "fix", "--phases", "02-tracing")
	assert.Equal(t, code, 0)
	const n = 8
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			_, errs, code := at(t, dir, "handshake", "activate", "02-tracing")
			assert.Check(t, is.Equal(code, 0), errs)
		})
	}
	group.Wait()
	doc := stateOf(t, dir)
	assert.Equal(t, doc.Get("phases", "02-tracing", "timing", "retries").Literal(), "7")
	assert.Equal(t, doc.Get("state_version").Literal(), "9")
}

func TestAuditCommand(t *testing.T) {
	dir := empty(t)
	_, _, code := at(t, dir, "handshake", "init", "--type", "fix", "--phases", "02-tracing,06-implementation")
	assert.Equal(t, code, 0)
	before := stateOf(t, dir).Indent()
	out, _, code := at(t, dir, "audit", "--fix")
	assert.Equal(t, code, 0)
	assert.Equal(t, out, ".isdlc/state.json: nothing found\n")
	assert.Equal(t, string(stateOf(t, dir).Indent()), string(before), "nothing to mend, nothing written")

	text := strings.Replace(string(before), `"current_phase_index": 0`, `"current_phase_index": 9`, 1)
	write(t, strings.Replace(text, `"type": "fix"`, `"type": null`, 1), dir, ".isdlc", "state.json")
	out, _, code = at(t, dir, "audit")
	assert.Equal(t, code, 1)
	assert.Equal(t, out, `.isdlc/state.json: 2 findings
error  AC-008a  active_workflow.type = null; has to name a workflow; write the type that the workflow was begun with
error  AC-009b  active_workflow.current_phase_index = 9; has to be a whole number from 0 to 2; set it to 0, where all statuses lead (--fix)
`)
	out, _, code = at(t, dir, "audit", "--fix", "--json")
	assert.Equal(t, code, 1)
	report, err := ordered.Parse([]byte(out))
	assert.NilError(t, err)
	state := report.Get("states").Items()[0]
	assert.Equal(t, state.Get("mended").Items()[0].Get("criterion").Text(), "AC-009b")
	assert.Equal(t, len(state.Get("findings").Items()), 1)
	assert.Equal(t, stateOf(t, dir).Get("state_version").Literal(), "2")
	assert.Equal(t, stateOf(t, dir).Get("active_workflow", "current_phase_index").Literal(), "0")

	write(t, string(before), dir, "old.json")
	write(t, `{"state_version":0,"active_workflow":null}`, dir, ".isdlc", "state.json")
	out, _, code = at(t, dir, "audit", "--against", filepath.Join(dir, "old.json"))
	assert.Equal(t, code, 1)
	assert.Check(t, is.Contains(out, "AC-011c V7"))
}

func TestAuditAll(t *testing.T) {
	dir := empty(t)
	write(t, `{"projects": {"api": {"path": "api"}, "web": {"path": "web"}}}`, dir, ".isdlc", "monorepo.json")
	write(t, `{"state_version": 1}`, dir, ".isdlc", "projects", "api", "state.json")
	write(t, `{"state_version": "1"}`, dir, ".isdlc", "projects", "unregistered", "state.json")
	out, errs, code := at(t, dir, "audit", "--all")
	assert.Equal(t, code, 1, errs)
	assert.Equal(t, out, `.isdlc/projects/api/state.json: nothing found

.isdlc/projects/web/state.json: there is none

.isdlc/projects/unregistered/state.json: 1 finding
warning  AC-011a  state_version = "1"; has to be a whole number, 1 or more; begin to count at 1 (--fix)
`)
	out, _, code = at(t, dir, "audit", "--all", "--fix")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(out, "unregistered/state.json: healthy now, 1 mended"))
	out, _, code = at(t, dir, "audit", "--id", "api")
	assert.Equal(t, code, 0)
	assert.Equal(t, out, ".isdlc/projects/api/state.json: nothing found\n")
}
