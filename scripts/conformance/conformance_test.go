package conformance

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"isdlc-hooks/lib/hooktest"
)

var (
	onlyForm = flag.String("form", "", "run the cases in one form only: recorded, today or legacy")
	complete = flag.Bool("complete", false, "fail when the program of some vectors does not exist")
)

func TestMain(m *testing.M) {
	standIn() // when this process is one of those that the tests start
	hooktest.Main(m, func() { printSummary(os.Stdout) })
}

func TestConformance(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectorDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s: %v", vectorDir(t), err)
	}
	if *onlyForm != "" && !slices.Contains(forms, form(*onlyForm)) {
		t.Fatalf("there is no form %q, only %v", *onlyForm, forms)
	}
	programs := hooktest.Programs(t)
	if !strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		hooktest.Build(t, programs...) // one command is faster than one for each
	}
	unproved := programs
	for _, file := range files {
		program := strings.TrimSuffix(filepath.Base(file), ".json")
		unproved = slices.DeleteFunc(unproved, func(name string) bool { return name == program })
		t.Run(program, func(t *testing.T) { testProgram(t, load(t, file)) })
	}
	noteUnproved(unproved)
}

func testProgram(t *testing.T, file *vectorFile) {
	if !slices.Contains(hooktest.Programs(t), file.Program) {
		remark(file.Program, "no program")
		missing(t, file.Program)
	}
	if _, err := hooktest.Build(t, file.Program); err != nil {
		remark(file.Program, "does not build")
		t.Fatal(err)
	}
	for _, raw := range file.Cases {
		id, err := identify(raw)
		if err != nil {
			t.Fatal(err)
		}
		v, err := scene{project: "/p"}.read(raw)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for _, f := range forms {
			if *onlyForm != "" && f != form(*onlyForm) || !f.applies(v) {
				continue
			}
			t.Run(filepath.Base(id)+"/"+string(f), func(t *testing.T) {
				t.Parallel()
				testCase(t, file, raw, v, f)
			})
		}
	}
}

func testCase(t *testing.T, file *vectorFile, raw json.RawMessage, v *vector, f form) {
	for _, s := range v.runs() {
		if !slices.Contains(hooktest.Programs(t), s.Program) {
			remark(v.ID, "needs the program "+s.Program)
			missing(t, s.Program)
		}
	}
	problems, err := runCase(t, file.Bases, raw, f)
	if err != nil {
		t.Fatalf("the vector cannot be run: %v", err)
	}
	tally(file.Program, f, len(problems) == 0)
	key := v.ID + " " + string(f)
	reason, isKnown := known[key]
	switch {
	case isKnown && len(problems) == 0:
		t.Errorf("listed as a known failure (%s) and passes", reason)
	case isKnown:
		noteKnown(key, reason)
	case len(problems) > 0:
		t.Error(excerpt(v.Why + "\n" + strings.Join(problems, "\n")))
	}
}

func missing(t *testing.T, program string) {
	if *complete {
		t.Fatalf("no program %s", program)
	}
	t.Skipf("no program %s", program)
}

// excerpt keeps a failure short enough to be read among many.
func excerpt(message string) string {
	const maxLines, maxColumns = 40, 400
	lines := strings.Split(message, "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "…")
	}
	for i, line := range lines {
		if len(line) > maxColumns {
			lines[i] = strings.ToValidUTF8(line[:maxColumns], "") + "…"
		}
	}
	return strings.Join(lines, "\n")
}
