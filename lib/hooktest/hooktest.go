// Package hooktest runs the built programs as the client runs them: one event on
// stdin, a project on disk, an environment of a few variables, and afterwards
// stdout, stderr, the exit code and the files.
//
// The programs are built from the checkout that the test stands in, once for
// each test process. A package that uses hooktest needs
//
//	func TestMain(m *testing.M) { hooktest.Main(m) }
//
// which removes what was built. A test then reads
//
//	p := hooktest.NewProject(t)
//	p.Configs()
//	p.Write(".isdlc/state.json", `{"current_phase": "06-implementation"}`)
//	before := p.Files()
//	r := p.Run("branch-guard", `{"tool_name": "Bash", …}`)
//	// r.Stdout, r.Stderr, r.Exit; before.Changed(p.Files())
//
// No shell is involved anywhere, and nothing of the environment of the test
// reaches the program but PATH.
package hooktest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Root is the folder of the checkout: the nearest one upwards that holds
// go.work.
func Root(t testing.TB) string {
	t.Helper()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

var findRoot = sync.OnceValues(func() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the checkout: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("finding the checkout: no go.work above %s", start)
		}
	}
})

// scratch is the folder of this process for what its tests share: programs and
// template repositories.
var scratch struct {
	sync.Mutex
	dir   string
	owned bool // Main runs and will remove it
}

// Main runs the tests of a package, removes what hooktest built for them, and
// ends the process. Further functions are called after the tests, to print a
// summary for example.
func Main(m *testing.M, after ...func()) {
	scratch.owned = true
	code := m.Run()
	for _, f := range after {
		f()
	}
	if scratch.dir != "" {
		os.RemoveAll(scratch.dir)
	}
	os.Exit(code)
}

func scratchDir() (string, error) {
	scratch.Lock()
	defer scratch.Unlock()
	if !scratch.owned {
		return "", errors.New("the test package needs: func TestMain(m *testing.M) { hooktest.Main(m) }")
	}
	if scratch.dir == "" {
		dir, err := os.MkdirTemp("", "hooktest-")
		if err != nil {
			return "", err
		}
		scratch.dir = dir
	}
	return scratch.dir, nil
}
