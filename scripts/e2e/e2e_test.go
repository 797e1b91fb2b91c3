package e2e

import (
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

// TestClient plays the scenarios in each form.
func TestClient(t *testing.T) {
	tools := tools{client: requireClient(t)}
	tools.isdlc = build(t)
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			sc.need(t)
			for _, f := range forms {
				if f.plays(sc) {
					t.Run(f.name, func(t *testing.T) { sc.play(t, f, tools) })
				}
			}
		})
	}
}

func (sc scenario) play(t *testing.T, f form, tools tools) {
	s := sc.run(t, f, tools)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.report(sc.scripts))
		}
	})
	s.healthy(t, sc.unheard)
	sc.check(t, s)
	for name := range sc.scripts {
		s.commanded(t, f, name)
		t.Logf("what the model received, script %s:\n%s", name, s.heard(name))
	}
	if f.recorded && recording() && !t.Failed() {
		s.save(t, sc)
	}
}

// build makes the programs and the tool from this checkout, in one folder, as
// make build does. A hook that does not build only concerns the scenarios that
// need it.
func build(t *testing.T) (tool string) {
	t.Helper()
	_, _ = hooktest.Build(t, hooktest.Programs(t)...) // need tells the error
	hooktest.Program(t, "isdlc-hooks-plain")
	hooktest.Program(t, "isdlc-hooks-shell")
	return hooktest.Program(t, "isdlc-hooks")
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
