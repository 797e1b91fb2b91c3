package hooktest

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
)

// A Project is a scratch folder that programs are run on. Everything in it is
// removed when the test ends.
type Project struct {
	Dir  string // the project: CLAUDE_PROJECT_DIR and the working directory of every run
	Home string // an empty home, beside the project and not in it
	bin  string // executables that come first on PATH; "" without any

	t testing.TB
}

// NewProject makes an empty project.
func NewProject(t testing.TB) *Project {
	t.Helper()
	base, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	base = filepath.Join(base, neutralName())
	p := &Project{Dir: filepath.Join(base, "project"), Home: filepath.Join(base, "home"), t: t}
	for _, dir := range []string{base, p.Dir, p.Home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { removeAll(t, base) })
	return p
}

// neutralName is a folder name that no rule can take for a word and no expected
// number can be found in: the paths of a project stand in prompts, commands and
// messages. With 20 letters to the 12 it does not repeat.
func neutralName() string {
	const consonants = "bcdfghjklmnpqrstvwxz"
	name := make([]byte, 12)
	for i := range name {
		name[i] = consonants[rand.IntN(len(consonants))]
	}
	return string(name)
}

// removeAll also removes what a test has made unreadable.
func removeAll(t testing.TB, base string) {
	if os.RemoveAll(base) == nil {
		return
	}
	filepath.WalkDir(base, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o755)
		}
		return nil
	})
	if err := os.RemoveAll(base); err != nil {
		t.Error(err)
	}
}

// Path is the full path of a file that is named below the project.
func (p *Project) Path(name string) string { return filepath.Join(p.Dir, filepath.FromSlash(name)) }

// Write lays down a file, with the folders above it.
func (p *Project) Write(name, text string) {
	p.t.Helper()
	p.write(p.Path(name), text, 0o644)
}

// Remove deletes a file or a folder; it does nothing where there is none.
func (p *Project) Remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(p.Path(name)); err != nil {
		p.t.Fatal(err)
	}
}

// Chmod sets the mode of a file or folder.
func (p *Project) Chmod(name string, mode fs.FileMode) {
	p.t.Helper()
	if err := os.Chmod(p.Path(name), mode); err != nil {
		p.t.Fatal(err)
	}
}

// Executable puts a script in front of everything else on PATH. The script is
// outside the project.
func (p *Project) Executable(name, script string) {
	p.t.Helper()
	p.bin = filepath.Join(filepath.Dir(p.Dir), "bin")
	// A process that another test starts while the file is open for writing would
	// inherit it, and until that one has reached its exec the script cannot be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	p.write(filepath.Join(p.bin, name), script, 0o755)
}

func (p *Project) write(path, text string, mode fs.FileMode) {
	p.t.Helper()
	err := os.WriteFile(path, []byte(text), mode)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(path, []byte(text), mode)
		}
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// ConfigNames are the configuration files that Configs lays down.
var ConfigNames = []string{"iteration-requirements.json", "skills-manifest.json", "artifact-paths.json", "workflows.json"}

// Configs lays down configuration files where the framework installs them: all
// of [ConfigNames], or those that are named.
func (p *Project) Configs(names ...string) {
	p.t.Helper()
	if len(names) == 0 {
		names = ConfigNames
	}
	for _, name := range names {
		folder := ".claude/hooks/config/"
		if name == "workflows.json" {
			folder = ".isdlc/config/"
		}
		p.Write(folder+name, Config(p.t, name))
	}
}

// Config is the text of a file of testdata/config.
func Config(t testing.TB, name string) string {
	t.Helper()
	if text, read := configTexts.Load(name); read {
		return text.(string)
	}
	if name != "provider-defaults.yaml" && !slices.Contains(ConfigNames, name) {
		t.Fatalf("no configuration file is called %s", name)
	}
	text, err := os.ReadFile(filepath.Join(Root(t), "testdata", "config", name))
	if err != nil {
		t.Fatal(err)
	}
	configTexts.Store(name, string(text))
	return string(text)
}

var configTexts sync.Map // name to text: thousands of projects hold the same four files
