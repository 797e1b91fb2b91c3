package install

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// The names of few executables: linked, replaced by separate programs and back,
// and taken out again without a trace.
func TestLinks(t *testing.T) {
	dir := lay(t, t.TempDir(), tree{settingsFile: cjsSettings})
	before := snapshot(t, dir)
	bin := built(t, answers)
	executables(t, bin)
	at := func(name string) string { return filepath.Join(dir, ".claude/hooks", name) }
	for _, links := range []bool{true, true, false, true} {
		install(t, Options{Project: dir, Bin: bin, Links: links})
		assert.Equal(t, same(t, at("delegation-gate"), at("dispatchers/pre-task-dispatcher")), links)
		assert.Equal(t, same(t, at("branch-guard"), at("dispatchers/pre-skill-dispatcher")), links)
		assert.Assert(t, !same(t, at("branch-guard"), at("delegation-gate")))
		assert.Assert(t, !same(t, at("branch-guard"), at("plan-surfacer")))
	}
	uninstall(t, dir)
	assert.DeepEqual(t, snapshot(t, dir), before)
}

// executables puts stand-ins for those that can be many programs beside the others.
func executables(t *testing.T, bin string) {
	t.Helper()
	for executable, names := range map[string]string{"isdlc-hooks-plain": "delegation-gate pre-task-dispatcher", "isdlc-hooks-shell": "branch-guard pre-skill-dispatcher"} {
		script := "#!/bin/sh\n# " + names + "\ncase $0 in *" + executable + ") for name in " + names + "; do echo $name; done;; *) cat >/dev/null;; esac\n"
		assert.NilError(t, os.WriteFile(filepath.Join(bin, executable), []byte(script), 0o755))
	}
}

// The folder of the built programs may be the one that the user is in.
func TestLinksFromTheWorkingFolder(t *testing.T) {
	dir, bin := t.TempDir(), built(t, answers)
	executables(t, bin)
	t.Chdir(bin)
	install(t, Options{Project: dir, Bin: ".", Links: true})
	assert.Assert(t, same(t, filepath.Join(dir, ".claude/hooks/delegation-gate"), filepath.Join(dir, ".claude/hooks/dispatchers/pre-task-dispatcher")))
}

func TestLinksWithoutTheExecutables(t *testing.T) {
	dir := t.TempDir()
	install(t, Options{Project: dir, Bin: built(t, answers), Links: true})
	assert.Assert(t, !same(t, filepath.Join(dir, ".claude/hooks/branch-guard"), filepath.Join(dir, ".claude/hooks/plan-surfacer")))
}

func TestAnExecutableThatDoesNotTellItsNames(t *testing.T) {
	dir := t.TempDir()
	before := snapshot(t, dir)
	bin := built(t, answers)
	assert.NilError(t, os.WriteFile(filepath.Join(bin, multicall[0]), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	_, err := Install(Options{Project: dir, Bin: bin, Links: true})
	assert.ErrorContains(t, err, "asking "+multicall[0])
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
