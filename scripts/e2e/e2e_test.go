package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) {
	tee() // when this process is a command of a recorded session
	hooktest.Main(m)
}

var scenarios = []scenario{
	commitOnMain,
	stateInShell,
	testRuns,
	wrongDelegation,
	backgroundAgent,
	shutGate,
	pendingDelegation,
	chosenModel,
	staleState,
	exploring,
	reviewLoop,
	desBlocks,
}

func TestClient(t *testing.T) {
	client := requireClient(t)
	tool := build(t)
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			sc.need(t)
			s := sc.run(t, client, tool)
			t.Cleanup(func() {
				if t.Failed() {
					t.Log(s.report(sc.scripts))
				}
			})
			s.healthy(t, sc.unheard)
			sc.check(t, s)
			for name := range sc.scripts {
				t.Logf("what the model received, script %s:\n%s", name, s.heard(name))
			}
			if recording() && !t.Failed() {
				s.save(t, sc)
			}
		})
	}
}

// build makes the programs and the tool from this checkout, in one folder, as
// make build does. A program that does not build only concerns the scenarios
// that need it.
func build(t *testing.T) (tool string) {
	t.Helper()
	programs := hooktest.Programs(t)
	path, _ := hooktest.Build(t, programs...)
	tool = filepath.Join(filepath.Dir(path), "isdlc-hooks"+filepath.Ext(path))
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", tool, "./scripts/isdlc-hooks")
	command.Dir = hooktest.Root(t)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("building isdlc-hooks: %v\n%s", err, output)
	}
	return tool
}

// need skips a scenario whose programs the checkout does not hold.
func (sc scenario) need(t *testing.T) {
	t.Helper()
	programs := hooktest.Programs(t)
	for _, name := range sc.programs {
		if !slices.Contains(programs, name) {
			t.Skipf("the checkout holds no program %s", name)
		}
		if _, err := hooktest.Build(t, name); err != nil {
			t.Fatal(err)
		}
	}
}
