package multicall

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

// apart are the programs that no executable is beside their own: they would make
// the others slower.
var apart = []string{"des-pre-tool-use", "des-subagent-stop", "model-provider-router", "taskie-stop-hook"}

func TestTheyAreEveryProgram(t *testing.T) {
	names := slices.Clone(apart)
	for _, executable := range []string{"isdlc-hooks-plain", "isdlc-hooks-shell"} {
		out, err := exec.Command(hooktest.Program(t, executable)).Output()
		assert.NilError(t, err)
		names = append(names, strings.Fields(string(out))...)
	}
	slices.Sort(names)
	assert.DeepEqual(t, names, hooktest.Programs(t))
}

func TestOneAnswersByItsName(t *testing.T) {
	shell := hooktest.Program(t, "isdlc-hooks-shell")
	dir := t.TempDir()
	const event = `{"tool_name":"Bash","tool_input":{"command":"rm .isdlc/state.json"}}`
	for name, denied := range map[string]bool{"state-file-guard": true, "state-file-guard.exe": true, "State-File-Guard.EXE": true, "branch-guard": false} {
		path := filepath.Join(dir, name)
		assert.NilError(t, os.Link(shell, path))
		cmd := exec.Command(path)
		cmd.Env = []string{"CLAUDE_PROJECT_DIR=" + dir}
		cmd.Stdin = strings.NewReader(event)
		out, err := cmd.Output()
		assert.NilError(t, err)
		assert.Equal(t, strings.Contains(string(out), `"deny"`), denied, name)
	}
	stranger := filepath.Join(dir, "stranger")
	assert.NilError(t, os.Link(shell, stranger))
	out, err := exec.Command(stranger).CombinedOutput()
	assert.ErrorContains(t, err, "exit status 1")
	assert.Equal(t, string(out), "isdlc-hooks-shell: there is no hook called stranger\n")
}

// Nobody pays for the parser who parses nothing.
func TestThePlainOneDoesNotParse(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "isdlc-hooks/scripts/isdlc-hooks-plain").CombinedOutput()
	assert.NilError(t, err, "%s", out)
	for dependency := range strings.FieldsSeq(string(out)) {
		assert.Assert(t, dependency != "regexp" && !strings.HasPrefix(dependency, "mvdan.cc/"), dependency)
	}
}
