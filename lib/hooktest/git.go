package hooktest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A Repository says what kind of git repository a project is made into.
type Repository struct {
	Branch   string // what HEAD names; main when empty
	Detached bool   // HEAD names the commit instead
	Unborn   bool   // there is no commit
	Add      bool   // the files of the project are in the commit, which is empty otherwise
}

// Git makes the project a repository. Files that were laid into .git before stay.
func (p *Project) Git(r Repository) {
	p.t.Helper()
	if r.Branch == "" {
		r.Branch = "main"
	}
	var err error
	if r.Add {
		err = makeRepository(p.Dir, r)
	} else {
		err = copyTemplate(p.Path(".git"), r)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// makeRepository runs git in dir. The author is named in the repository's own
// configuration, so that programs under test can commit too.
func makeRepository(dir string, r Repository) error {
	steps := [][]string{
		{"init", "-q", "--template=", "-b", r.Branch},
		{"config", "user.name", "Test"},
		{"config", "user.email", "test@example.com"},
	}
	if r.Add {
		steps = append(steps, []string{"add", "-A"})
	}
	if !r.Unborn {
		steps = append(steps, []string{"commit", "-q", "--allow-empty", "-m", "start"})
	}
	if r.Detached {
		steps = append(steps, []string{"checkout", "-q", "--detach"})
	}
	for _, step := range steps {
		command := exec.Command("git", step...)
		command.Dir = dir
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", strings.Join(step, " "), err, output)
		}
	}
	return nil
}

// templates are the repositories without files, one of each kind: to copy one
// costs a tenth of making one.
var templates = struct {
	sync.Mutex
	dirs map[Repository]string
}{dirs: map[Repository]string{}}

func copyTemplate(gitDir string, r Repository) error {
	dir, err := template(r)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		to := filepath.Join(gitDir, name)
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		if _, err := os.Lstat(to); err == nil {
			return nil // laid down before, as git init leaves it too
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
}

func template(r Repository) (string, error) {
	scratch, err := scratchDir()
	if err != nil {
		return "", err
	}
	templates.Lock()
	defer templates.Unlock()
	if dir, made := templates.dirs[r]; made {
		return dir, nil
	}
	dir, err := os.MkdirTemp(scratch, "git-")
	if err != nil {
		return "", err
	}
	if err := makeRepository(dir, r); err != nil {
		return "", err
	}
	templates.dirs[r] = filepath.Join(dir, ".git")
	return templates.dirs[r], nil
}
