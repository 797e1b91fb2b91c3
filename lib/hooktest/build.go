package hooktest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"sync"
	"testing"
)

// built remembers what became of each program in this process.
var built = struct {
	sync.Mutex
	programs map[string]buildResult
}{programs: map[string]buildResult{}}

type buildResult struct {
	path string
	err  error
}

// programParents are the modules that hold one main package for each program.
var programParents = []string{"hooks", "dispatchers"}

// toolParents hold programs that are no hooks: isdlc-hooks.
var toolParents = []string{"scripts"}

// Programs lists the names of the hooks and dispatchers that the checkout holds,
// sorted.
func Programs(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, parent := range programParents {
		mains, err := filepath.Glob(filepath.Join(Root(t), parent, "*", "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, main := range mains {
			names = append(names, filepath.Base(filepath.Dir(main)))
		}
	}
	sort.Strings(names)
	return names
}

// Program is the path of the executable called name, which is built when it is
// first asked for. It ends the test when there is no such program or it does not
// build; see [Build] for the reason as an error.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := Build(t, name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Build builds programs that were not built yet, with one command for all, and
// tells the path of the first. One that does not build leaves the others alone:
// the error is that of the first, what the compiler says included.
func Build(t testing.TB, names ...string) (path string, err error) {
	t.Helper()
	root := Root(t)
	dir, err := scratchDir()
	if err != nil {
		t.Fatal(err)
	}
	built.Lock()
	defer built.Unlock()

	var missing []string
	for _, name := range names {
		if _, done := built.programs[name]; !done {
			missing = append(missing, name)
		}
	}
	if len(missing) > 1 && compile(root, dir, missing) == nil {
		for _, name := range missing {
			built.programs[name] = buildResult{path: executable(dir, name)}
		}
		missing = nil
	}
	for _, name := range missing {
		built.programs[name] = buildResult{executable(dir, name), compile(root, dir, []string{name})}
	}
	if len(names) == 0 {
		return "", nil
	}
	first := built.programs[names[0]]
	return first.path, first.err
}

func executable(dir, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}

// compile builds as a release is built, also when the tests themselves run with
// the race detector: what is tested is what is shipped.
func compile(root, dir string, names []string) error {
	args := []string{"build", "-race=false", "-trimpath", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}
	for _, name := range names {
		folder := ""
		for _, parent := range slices.Concat(programParents, toolParents) {
			if _, err := os.Stat(filepath.Join(root, parent, name, "main.go")); err == nil {
				folder = "./" + parent + "/" + name
			}
		}
		if folder == "" {
			return fmt.Errorf("no program %s in hooks, dispatchers or scripts", name)
		}
		args = append(args, folder)
	}
	command := exec.Command("go", args...)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", names, err, output)
	}
	return nil
}
