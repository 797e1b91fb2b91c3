package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// sessionLimit is the time that a session may take on a slow machine. An
// ordinary one takes a few seconds.
const sessionLimit = 2 * time.Minute

// A scenario is a session of the client in a project that has the hooks.
type scenario struct {
	name string
	with []string // what is installed besides the default

	// programs that the scenario is about; it is skipped while one is missing.
	programs []string

	// unheard is how often the client says that it cannot use the answer of a
	// hook. It goes on then as if the hook had said nothing.
	unheard int

	// arrange lays out the project before the hooks are installed.
	arrange func(s *session)

	// scripts are what the model says; the session begins with main.
	scripts map[string]script

	// check looks at what the model received and at the files.
	check func(t *testing.T, s *session)
}

// A session is one run of the client.
type session struct {
	*hooktest.Project
	*model
	base     string         // the folder that holds everything of the session
	arranged hooktest.Files // the project before the hooks were installed
	*repository
	stream string // what the client printed, JSON lines
	stderr string
	err    error
}

// run plays a scenario and leaves the session for the checks.
func (sc scenario) run(t *testing.T, f form, tools tools) *session {
	s := newSession(t)
	sc.arrange(s)
	s.arranged = s.Files()
	if _, err := os.Stat(s.Path(".git")); err == nil {
		s.repository = &repository{
			Branch:   s.git(t, "symbolic-ref", "--short", "HEAD"),
			Branches: strings.Fields(s.git(t, "branch", "--format=%(refname:short)")),
		}
	}
	s.model = newModel(t, s.Dir, sc.scripts, sessionLimit+30*time.Second)
	args := f.lay(t, s, sc, tools)
	s.drive(tools.client, args)
	return s
}

// newSession makes a project in a folder with a blank in its name, which a
// registration that is not quoted does not survive; and not below the system's
// folder for temporary files, since what is there is free to be written.
func newSession(t *testing.T) *session {
	t.Helper()
	cache, err := os.UserCacheDir()
	assert.NilError(t, err)
	sessions := filepath.Join(cache, "isdlc-hooks", "sessions")
	assert.NilError(t, os.MkdirAll(sessions, 0o755))
	t.Setenv("TMPDIR", sessions)
	p := hooktest.NewProject(t)
	s := &session{Project: p, base: filepath.Dir(p.Dir)}
	p.Dir = filepath.Join(s.base, "my project")
	assert.NilError(t, os.Rename(filepath.Join(s.base, "project"), p.Dir))
	assert.NilError(t, os.Mkdir(s.tmp(), 0o700))
	return s
}

// read is the text of a file of the project; "" where there is none.
func (s *session) read(name string) string {
	text, err := os.ReadFile(s.Path(name))
	if err != nil {
		return ""
	}
	return string(text)
}

func (s *session) tmp() string { return filepath.Join(s.base, "tmp") }

// drive runs the client until it is through with its prompt.
func (s *session) drive(client string, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), sessionLimit)
	defer cancel()
	args = append([]string{"-p", play("main"), "--output-format", "stream-json", "--verbose",
		"--permission-mode", "bypassPermissions", "--model", "sonnet"}, args...)
	command := exec.CommandContext(ctx, client, args...)
	command.Dir = s.Dir
	command.Env = s.environment()
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.WaitDelay = 2 * time.Second
	ownGroup(command)
	s.err = command.Run()
	if command.Process != nil {
		endGroup(command) // an error only says that nothing was left
	}
	if ctx.Err() != nil {
		s.err = fmt.Errorf("the client was not through after %s", sessionLimit)
	}
	s.stream, s.stderr = stdout.String(), stderr.String()
}

// environment lets nothing of the person's own settings through, names the model
// instead of the service, and makes the model the proxy to everything else, which
// it refuses.
func (s *session) environment() []string {
	return []string{
		"PATH=" + filepath.Join(s.base, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"HOME=" + s.Home,
		"TMPDIR=" + s.tmp(),
		"TZ=UTC",
		"LANG=C.UTF-8",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1",

		"CLAUDE_CONFIG_DIR=" + filepath.Join(s.Home, ".claude"),
		"CLAUDE_CODE_TMPDIR=" + s.tmp(),
		"ANTHROPIC_BASE_URL=" + s.url,
		"ANTHROPIC_API_KEY=not-a-key",
		"HTTPS_PROXY=" + s.url,
		"NO_PROXY=127.0.0.1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1",
		"DISABLE_AUTOUPDATER=1",
		"IS_SANDBOX=1", // without it the client refuses to skip permissions for root
	}
}

// healthy checks what holds for every session: the client came to its end, every
// hook was understood, and nobody wanted to leave the machine.
func (s *session) healthy(t *testing.T, unheard int) {
	t.Helper()
	assert.NilError(t, s.err)
	assert.Check(t, len(s.recorded()) <= maxRequests, "the client went round in circles")
	assert.Check(t, len(s.outside) == 0, "the client wanted to reach %v", s.outside)
	var last struct {
		Type    string
		IsError bool `json:"is_error"`
	}
	var complaints []string
	for line := range strings.Lines(s.stream) {
		last.Type, last.IsError = "", false
		assert.NilError(t, json.Unmarshal([]byte(line), &last), line)
		if strings.Contains(line, `"tag":"hook_no_verdict"`) {
			complaints = append(complaints, line)
		}
	}
	assert.Check(t, len(complaints) == unheard, "%d answers of hooks were of no use to the client, want %d: %s", len(complaints), unheard, complaints)
	assert.Check(t, last.Type == "result" && !last.IsError, "the client did not end with a result")
}

// report is what helps when a scenario fails.
func (s *session) report(scripts map[string]script) string {
	var out strings.Builder
	for name := range scripts {
		fmt.Fprintf(&out, "script %s, what the model received:\n%s\n", name, s.heard(name))
	}
	fmt.Fprintf(&out, "requests:\n")
	requests := s.recorded()
	for i, r := range requests {
		if i >= len(requests)-20 {
			fmt.Fprintf(&out, "  %d %s %s (%d messages, %d bytes)\n", i, r.path, r.script, len(r.Messages), len(r.body))
		}
	}
	fmt.Fprintf(&out, "the client printed:\n%s%s\n", cut(s.stream), cut(s.stderr))
	for _, name := range []string{".isdlc/hook-activity.log", ".isdlc/state.json", ".claude/settings.json"} {
		fmt.Fprintf(&out, "%s:\n%s\n", name, s.read(name))
	}
	return out.String()
}

// cut keeps the beginning of each line.
func cut(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > 600 {
			line = strings.ToValidUTF8(line[:600], "") + "...\n"
		}
		out.WriteString("  " + line)
	}
	return out.String()
}
