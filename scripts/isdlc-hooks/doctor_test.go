package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-json"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestDoctor(t *testing.T) {
	bin, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	program(t, bin, "branch-guard")
	_, err := run(nil, "install", "--project", project, "--bin", bin, "--yes")
	assert.NilError(t, err)

	out, notes, code := outputs("doctor", "--project", project, "--bin", bin)
	assert.Equal(t, code, 0, out)
	assert.Equal(t, notes, "")
	assert.Check(t, is.Contains(out, "branch-guard answered in "))
	assert.Check(t, strings.HasSuffix(out, "\nAll is well in "+project+".\n"), out)
	out, _, code = outputs("doctor", "--project", project, "--bin", bin, "--quiet")
	assert.Equal(t, code, 0)
	assert.Equal(t, out, "")

	t.Chdir(filepath.Join(project, ".claude", "hooks"))
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	assert.NilError(t, os.Chmod(filepath.Join(project, ".claude/hooks/branch-guard"), 0o644))
	out, notes, code = outputs("doctor", "--bin", bin, "-q")
	assert.Equal(t, code, 1)
	assert.Equal(t, notes, "", "what there is to say is in the report")
	lines := strings.Split(out, "\n")
	assert.Check(t, is.Len(lines, 4), out)
	assert.Check(t, strings.HasPrefix(lines[0], "error  command  .claude/settings.json:"), out)
	assert.Check(t, is.Contains(lines[0], "branch-guard is not executable; remedy: chmod +x "+filepath.Join(project, ".claude/hooks/branch-guard")))
	assert.Check(t, is.Equal(lines[2], "1 error, 0 warnings in "+project+"."))

	out, _, code = outputs("doctor", "--bin", bin, "--json")
	assert.Equal(t, code, 1)
	var report struct {
		Healthy bool
		Errors  int
		Lines   []struct{ Severity, Check, Where, What, Remedy string }
		Hooks   []struct{ Program string }
	}
	assert.NilError(t, json.Unmarshal([]byte(out), &report))
	assert.Check(t, !report.Healthy && report.Errors == 1 && len(report.Lines) > 1 && len(report.Hooks) == 0, out)

	for _, args := range [][]string{{"--project", filepath.Join(project, "none")}, {"--bin", "none"}, {"--frob"}, {"word"}} {
		_, notes, code := outputs(append([]string{"doctor"}, args...)...)
		assert.Check(t, is.Equal(code, 2), "%v", args)
		assert.Check(t, strings.HasPrefix(notes, "isdlc-hooks: "), notes)
	}
}
