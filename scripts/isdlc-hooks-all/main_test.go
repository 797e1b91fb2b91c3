package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

// apart are the programs that it is not: they would make all others slower.
var apart = []string{"des-pre-tool-use", "des-subagent-stop", "model-provider-router", "taskie-stop-hook"}

func TestItIsEveryProgram(t *testing.T) {
	out, err := exec.Command(hooktest.Program(t, "isdlc-hooks-all")).Output()
	assert.NilError(t, err)
	names := strings.Fields(string(out))
	slices.Sort(names)
	want := slices.DeleteFunc(hooktest.Programs(t), func(name string) bool { return slices.Contains(apart, name) })
	assert.DeepEqual(t, names, want)
}

func TestItAnswersByItsName(t *testing.T) {
	all := hooktest.Program(t, "isdlc-hooks-all")
	dir := t.TempDir()
	const event = `{"tool_name":"Bash","tool_input":{"command":"rm .isdlc/state.json"}}`
	for name, denied := range map[string]bool{"state-file-guard": true, "state-file-guard.exe": true, "branch-guard": false} {
		path := filepath.Join(dir, name)
		assert.NilError(t, os.Link(all, path))
		cmd := exec.Command(path)
		cmd.Env = []string{"CLAUDE_PROJECT_DIR=" + dir}
		cmd.Stdin = strings.NewReader(event)
		out, err := cmd.Output()
		assert.NilError(t, err)
		assert.Equal(t, strings.Contains(string(out), `"deny"`), denied, name)
	}
	stranger := filepath.Join(dir, "stranger")
	assert.NilError(t, os.Link(all, stranger))
	out, err := exec.Command(stranger).CombinedOutput()
	assert.ErrorContains(t, err, "exit status 1")
	assert.Equal(t, string(out), "isdlc-hooks-all: there is no hook called stranger\n")
}
