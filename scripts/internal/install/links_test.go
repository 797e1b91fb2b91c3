package install

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// The names of one executable: linked, replaced by separate programs and back,
// and taken out again without a trace.
func TestLinks(t *testing.T) {
	dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings})
	before := snapshot(t, dir)
	bin := built(t, answers)
	one := filepath.Join(bin, allInOne)
	assert.NilError(t, os.WriteFile(one, []byte("#!/bin/sh\ncase $0 in *"+allInOne+") echo branch-guard; echo pre-task-dispatcher;; *) cat >/dev/null;; esac\n"), 0o755))

	guard, dispatcher := filepath.Join(dir, ".claude/hooks/branch-guard"), filepath.Join(dir, ".claude/hooks/dispatchers/pre-task-dispatcher")
	for _, links := range []bool{true, true, false, true} {
		install(t, Options{Project: dir, Bin: bin, Links: links})
		assert.Equal(t, same(t, guard, dispatcher), links)
		assert.Assert(t, !same(t, guard, filepath.Join(dir, ".claude/hooks/plan-surfacer")))
	}
	uninstall(t, dir)
	assert.DeepEqual(t, snapshot(t, dir), before)
}

func TestLinksWithoutTheExecutable(t *testing.T) {
	dir := t.TempDir()
	before := snapshot(t, dir)
	_, err := Install(Options{Project: dir, Bin: built(t, answers), Links: true})
	assert.ErrorContains(t, err, "asking "+allInOne)
	assert.DeepEqual(t, snapshot(t, dir), before)
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	infoA, err := os.Stat(a)
	assert.NilError(t, err)
	infoB, err := os.Stat(b)
	assert.NilError(t, err)
	return os.SameFile(infoA, infoB)
}
