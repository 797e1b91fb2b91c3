package hooktest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// The tests use this test binary itself as the program: with this variable set it
// tells on stdout what it was given.
const tellTale = "HOOKTEST_TELL_TALE"

type tale struct {
	Stdin, Dir string
	Env        []string
}

func TestMain(m *testing.M) {
	switch os.Getenv(tellTale) {
	case "tell":
		stdin, _ := io.ReadAll(os.Stdin)
		dir, _ := os.Getwd()
		json.NewEncoder(os.Stdout).Encode(tale{string(stdin), dir, os.Environ()})
		fmt.Fprint(os.Stderr, "told")
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "leave a child":
		child := exec.Command(os.Args[0])
		child.Env = []string{tellTale + "=hang a little"}
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "hang a little":
		time.Sleep(4 * time.Second)
		os.Exit(0)
	}
	Main(m)
}

func self(t *testing.T) string {
	path, err := os.Executable()
	assert.NilError(t, err)
	return path
}

func TestRunGivesWhatIsPromisedAndNothingElse(t *testing.T) {
	t.Setenv("SOMETHING_OF_THE_PERSON", "1")
	p := NewProject(t)
	r := p.RunWith(self(t), "an event", Options{
		Env:   map[string]string{tellTale: "tell", "TZ": "Asia/Tokyo"},
		Unset: []string{"CLAUDE_PROJECT_DIR"},
		Dir:   "src/a",
	})
	assert.Equal(t, r.Exit, 3)
	assert.Equal(t, r.Stderr, "told")
	var got tale
	assert.NilError(t, json.Unmarshal([]byte(r.Stdout), &got))
	assert.Equal(t, got.Stdin, "an event")
	assert.Equal(t, got.Dir, p.Path("src/a"))
	assert.DeepEqual(t, got.Env, []string{
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1",
		"HOME=" + p.Home,
		tellTale + "=tell",
		"LANG=C.UTF-8",
		"PATH=" + os.Getenv("PATH"),
		"TZ=Asia/Tokyo",
	})
}

func TestRunEndsWhatHangs(t *testing.T) {
	t.Parallel()
	p := NewProject(t)
	r := p.RunWith(self(t), "", Options{Env: map[string]string{tellTale: "hang"}, Timeout: 200 * time.Millisecond})
	assert.Assert(t, r.TimedOut)
	assert.Equal(t, r.Exit, -1)
}

func TestRunNoticesAChildThatKeepsTheOutput(t *testing.T) {
	t.Parallel()
	p := NewProject(t)
	r := p.RunWith(self(t), "", Options{Env: map[string]string{tellTale: "leave a child"}})
	assert.Assert(t, r.Lingering)
	assert.Assert(t, !r.TimedOut)
}

func TestFilesChanged(t *testing.T) {
	p := NewProject(t)
	p.Write("same", "x")
	p.Write("a/content", "x")
	p.Write("gone", "x")
	p.Write("mode", "x")
	p.Write(".git/HEAD", "x")
	before := p.Files()
	p.Write("a/content", "y")
	p.Write("new", "x")
	p.Write(".git/HEAD", "y")
	p.Remove("gone")
	p.Chmod("mode", 0o600)
	assert.NilError(t, os.Symlink("same", p.Path("link")))
	after := p.Files()
	assert.DeepEqual(t, before.Changed(after), []string{"a/content", "gone", "link", "mode", "new"})
	assert.Equal(t, after["link"].Data, "same")
	assert.Equal(t, len(before.Changed(before)), 0)
}

func TestGit(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		repository              Repository
		branch, commits, listed string
	}{
		{"plain", Repository{}, "main", "1", ""},
		{"named", Repository{Branch: "feature/x"}, "feature/x", "1", ""},
		{"unborn", Repository{Branch: "main", Unborn: true}, "main", "", ""},
		{"detached", Repository{Detached: true}, "", "1", ""},
		{"with files", Repository{Branch: "main", Add: true}, "main", "1", "kept.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := NewProject(t)
			p.Write("kept.txt", "x\n")
			p.Write(".git/refs/heads/other", "ref: refs/heads/"+tt.repository.Branch+"\n")
			p.Git(tt.repository)
			git := func(args ...string) string {
				command := exec.Command("git", args...)
				command.Dir, command.Env = p.Dir, p.environment(Options{})
				output, _ := command.Output() // what does not exist prints nothing
				return strings.TrimSpace(string(output))
			}
			assert.Equal(t, git("symbolic-ref", "-q", "--short", "HEAD"), tt.branch)
			assert.Equal(t, git("rev-list", "--count", "HEAD"), tt.commits)
			assert.Equal(t, git("ls-files"), tt.listed)
			data, err := os.ReadFile(p.Path(".git/refs/heads/other"))
			assert.NilError(t, err)
			assert.Assert(t, strings.HasPrefix(string(data), "ref: "))
		})
	}
}

func TestExecutableComesFirst(t *testing.T) {
	p := NewProject(t)
	p.Executable("git", "#!/bin/sh\n")
	for _, variable := range p.environment(Options{}) {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			assert.Assert(t, strings.HasPrefix(path, p.bin+":"))
			assert.Assert(t, !strings.HasPrefix(p.bin, p.Dir))
		}
	}
	assert.Equal(t, len(p.Files()), 0)
}

func TestConfigs(t *testing.T) {
	p := NewProject(t)
	p.Configs()
	assert.Equal(t, len(p.Files()), 4)
	assert.Assert(t, strings.Contains(p.Files()[".isdlc/config/workflows.json"].Data, "workflows"))
}
