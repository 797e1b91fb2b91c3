package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"gotest.tools/v3/icmd"
)

// program lays a stand-in for a built program into a folder.
func program(t *testing.T, dir, name string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins for programs are shell scripts")
	}
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ncat >/dev/null\n"), 0o755))
}

func run(in io.Reader, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := root()
	cmd.SetArgs(args)
	cmd.SetIn(in)
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	err := cmd.Execute()
	return out.String(), err
}

func TestConsent(t *testing.T) {
	bin, project := t.TempDir(), t.TempDir()
	program(t, bin, "branch-guard")
	empty := func(want bool) {
		t.Helper()
		entries, err := os.ReadDir(project)
		assert.NilError(t, err)
		assert.Check(t, is.Equal(len(entries) == 0, want))
	}
	install := []string{"install", "--project", project, "--bin", bin}

	_, err := run(strings.NewReader("y\n"), install...)
	assert.ErrorContains(t, err, "there is no terminal to ask on: say --yes")
	empty(true)

	out, err := run(nil, append(install, "--dry-run")...)
	assert.NilError(t, err)
	assert.Check(t, is.Contains(out, "This would be done in "+project+":\n  copy 1 program into .claude/hooks: branch-guard\n"))
	empty(true)

	out, err = run(nil, append(install, "--yes")...)
	assert.NilError(t, err)
	assert.Check(t, is.Contains(out, "copied 1 program into .claude/hooks: branch-guard\n"))
	assert.Check(t, is.Contains(out, "registered PreToolUse Bash: .claude/hooks/branch-guard (10 s) in .claude/settings.json\n"))
	assert.Check(t, is.Contains(out, "proof: \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/branch-guard answered an event: exit 0"))
	empty(false)

	out, err = run(nil, install...)
	assert.NilError(t, err)
	assert.Check(t, is.Contains(out, "Everything is installed already in "+project))

	out, err = run(nil, "uninstall", "--project", project, "--dry-run")
	assert.NilError(t, err)
	assert.Check(t, is.Contains(out, "This would be done in"))
	empty(false)

	_, err = run(nil, "uninstall", "--project", project, "--yes")
	assert.NilError(t, err)
	empty(true)

	out, err = run(nil, "uninstall", "--project", project)
	assert.NilError(t, err)
	assert.Check(t, is.Contains(out, "There is nothing to uninstall in "+project))
}

func TestAsk(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "Yes\n": true, "y": true, "n\n": false, "\n": false, "": false, "yeah\n": false} {
		assert.Check(t, is.Equal(ask(strings.NewReader(answer), io.Discard), want), "%q", answer)
	}
}

func TestArguments(t *testing.T) {
	bin := t.TempDir()
	program(t, bin, "branch-guard")
	program(t, bin, "delegation-gate")
	for _, c := range []struct {
		name string
		args []string
		has  []string
		err  string
	}{
		{"several words", []string{"--only", "branch-guard", "delegation-gate"}, []string{"branch-guard (", "delegation-gate ("}, ""},
		{"commas", []string{"--only", "branch-guard,delegation-gate"}, []string{"branch-guard (", "delegation-gate ("}, ""},
		{"a word too many", []string{"bash"}, nil, "unknown command"},
		{"unknown flag", []string{"--force"}, nil, "unknown flag: --force"},
		{"unknown group", []string{"--with", "everything"}, nil, "no group or registered program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := run(nil, append([]string{"install", "--project", t.TempDir(), "--bin", bin, "--dry-run"}, c.args...)...)
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			assert.NilError(t, err)
			for _, want := range c.has {
				assert.Check(t, is.Contains(out, want))
			}
		})
	}
}

// The wrappers work from any folder and with blanks in every path.
func TestWrappers(t *testing.T) {
	top := filepath.Join(t.TempDir(), "a clone")
	program(t, filepath.Join(top, "bin"), "isdlc-hooks")
	assert.NilError(t, os.WriteFile(filepath.Join(top, "bin", "isdlc-hooks"), []byte("#!/bin/sh\nfor a in \"$@\"; do echo \"[$a]\"; done\n"), 0o755))
	assert.NilError(t, os.MkdirAll(filepath.Join(top, "scripts/isdlc-hooks"), 0o755))
	for from, to := range map[string]string{"run.sh": "scripts/isdlc-hooks/run.sh", "../../install.sh": "install.sh", "../../uninstall.sh": "uninstall.sh"} {
		data, err := os.ReadFile(from)
		assert.NilError(t, err)
		assert.NilError(t, os.WriteFile(filepath.Join(top, to), data, 0o755))
	}
	project := filepath.Join(t.TempDir(), "a project")
	assert.NilError(t, os.Mkdir(project, 0o755))
	noGo := t.TempDir()
	for _, tool := range []string{"dirname", "sh"} {
		path, err := exec.LookPath(tool)
		assert.NilError(t, err)
		assert.NilError(t, os.Symlink(path, filepath.Join(noGo, tool)))
	}
	assert.NilError(t, os.WriteFile(filepath.Join(top, "Makefile"), []byte("build:\n\t@echo compiler says no; false\n"), 0o644))

	for _, c := range []struct {
		name string
		cmd  icmd.Cmd
		want icmd.Expected
	}{
		{
			"install", icmd.Command(filepath.Join(top, "install.sh"), "--project", "a project", "--no-build", "--yes", "--only", "a b"),
			icmd.Expected{Out: "[install]\n[--project]\n[a project]\n[--yes]\n[--only]\n[a b]\n"},
		},
		{
			"uninstall", icmd.Command(filepath.Join(top, "uninstall.sh"), "--no-build", "--project="+project),
			icmd.Expected{Out: "[uninstall]\n[--project=" + project + "]\n"},
		},
		{
			"help", icmd.Command(filepath.Join(top, "install.sh"), "--no-build", "--help"),
			icmd.Expected{Out: "[--help]"},
		},
		{
			"no project", icmd.Command(filepath.Join(top, "install.sh"), "--yes"),
			icmd.Expected{ExitCode: 1, Err: "install.sh: no project given: use --project DIR"},
		},
		{
			"no such project", icmd.Command(filepath.Join(top, "uninstall.sh"), "--project", "none"),
			icmd.Expected{ExitCode: 1, Err: "uninstall.sh: the project none does not exist"},
		},
		{
			"the build fails", icmd.Command(filepath.Join(top, "install.sh"), "--project", project),
			icmd.Expected{ExitCode: 1, Err: "compiler says no"},
		},
		{
			"no Go", icmd.Cmd{Command: []string{filepath.Join(top, "install.sh"), "--project", project}, Env: []string{"PATH=" + noGo}},
			icmd.Expected{ExitCode: 1, Err: "install.sh: Go is needed to build the hooks"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cmd.Dir = filepath.Dir(project)
			icmd.RunCmd(c.cmd).Assert(t, c.want)
		})
	}
}
