package main

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestPlugin(t *testing.T) {
	bin, out := t.TempDir(), filepath.Join(t.TempDir(), "a plugin")
	program(t, bin, "branch-guard")
	const note = "isdlc-hooks-plain is not built: every program is an executable of its own"
	where := "isdlc-hooks 1.0.0 is in " + out + ": 1 program, 1 registration, 4 configuration files\nload it with: claude --plugin-dir '" + out + "'\n"
	said, notes, code := outputs("plugin", "--out", out, "--bin", bin, "--only", "branch-guard", "--links=false")
	assert.Equal(t, code, 0, notes)
	assert.Equal(t, said, where)
	said, notes, code = outputs("plugin", "--out", out, "--bin", bin, "--only", "branch-guard")
	assert.Equal(t, code, 0, notes)
	assert.Equal(t, said, where+"note: "+note+"\n")
	said, _, code = outputs("plugin", "--out", out, "--bin", bin, "--only", "branch-guard", "--json")
	assert.Equal(t, code, 0)
	assert.Check(t, is.Contains(said, note))
	assert.Check(t, is.Contains(said, `"programs": [
    "branch-guard"
  ]`))

	assert.NilError(t, os.WriteFile(filepath.Join(out, "notes.txt"), nil, 0o644))
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--out", out, "--bin", bin, "--only", "branch-guard"}, 1, "holds notes.txt"},
		{nil, 2, "use --out DIR"},
		{[]string{"--out", out, "more"}, 2, "unknown command"},
	} {
		_, notes, code := outputs(append([]string{"plugin"}, c.args...)...)
		assert.Check(t, is.Equal(code, c.code), "%v", c.args)
		assert.Check(t, is.Contains(notes, c.says), "%v", c.args)
	}
	said, _, _ = outputs("__complete", "plugin", "--with", "des,tas")
	assert.Check(t, is.Contains(said, "des,taskie\n"))
}

func TestVersion(t *testing.T) {
	said, _, code := outputs("--version")
	assert.Equal(t, code, 0)
	assert.Equal(t, said, "isdlc-hooks version 1.0.0\n")
}
