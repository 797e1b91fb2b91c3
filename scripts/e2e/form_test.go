package e2e

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// A form is a way in which the hooks get into a session. All forms have to do the
// same there.
type form struct {
	name string

	// lay puts the hooks of the scenario where the client is to find them. What it
	// gives are further arguments of the client.
	lay func(t *testing.T, s *session, sc scenario, tools tools) (args []string)

	// only names the scenarios that are played; none: all of them.
	only []string

	// command is in all commands that are registered.
	command string

	// recorded is set for the form whose sessions are written to testdata/sessions.
	recorded bool
}

var forms = []form{
	{name: "installed", lay: installed, command: `"$CLAUDE_PROJECT_DIR"/.claude/hooks/`, recorded: true},
	{name: "plugin", lay: plugin, command: `"${CLAUDE_PLUGIN_ROOT}"/hooks/`},
	// To get a plugin takes the client longer than to play a scenario, and what runs
	// then is the same: one scenario for each of the executables that most programs
	// are names of, the second of which needs the configuration of the plugin.
	{name: "fetched", lay: fetched, only: []string{commitOnMain.name, shutGate.name}, command: `"${CLAUDE_PLUGIN_ROOT}"/hooks/`},
}

func (f form) plays(sc scenario) bool { return len(f.only) == 0 || slices.Contains(f.only, sc.name) }

// tools are the programs that a session is set up with.
type tools struct{ client, isdlc string }

// installed are the hooks of one project, in its own folder and settings.
func installed(t *testing.T, s *session, sc scenario, tools tools) []string {
	t.Helper()
	tools.lay(t, sc, "install", "--project", s.Dir, "--yes")
	if recording() {
		s.record(t)
	}
	return nil
}

// plugin are the hooks as a folder that the client is told of, with a blank in its
// name as that of the project, which holds nothing of them: no configuration either.
func plugin(t *testing.T, s *session, sc scenario, tools tools) []string {
	t.Helper()
	dir := filepath.Join(s.base, "a plugin")
	tools.lay(t, sc, "plugin", "--out", dir)
	return []string{"--plugin-dir", dir}
}

// fetched is a plugin that the client gets for itself, from a repository that a
// marketplace names. What it runs is its own copy, in which no program is a link to
// another any more: nothing else is there when the session begins. (A plugin that
// lies in the folder of a local marketplace is copied too, but run where it lies.)
func fetched(t *testing.T, s *session, sc scenario, tools tools) []string {
	t.Helper()
	dir := filepath.Join(s.base, "published")
	tools.lay(t, sc, "plugin", "--out", dir)
	s.prepare(t, dir, "git", "init", "-q", "--template=", "-b", "main")
	s.prepare(t, dir, "git", "add", "-A")
	s.prepare(t, dir, "git", "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "publish")

	market := filepath.Join(s.base, "market")
	text, err := json.Marshal(object{"name": "market", "owner": object{"name": "Test"}, "plugins": []object{{
		"name": "isdlc-hooks", "source": object{"source": "url", "url": (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()},
	}}})
	assert.NilError(t, err)
	assert.NilError(t, os.MkdirAll(filepath.Join(market, ".claude-plugin"), 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(market, ".claude-plugin", "marketplace.json"), text, 0o644))
	s.prepare(t, s.Dir, tools.client, "plugin", "marketplace", "add", market)
	s.prepare(t, s.Dir, tools.client, "plugin", "install", "isdlc-hooks@market")
	assert.NilError(t, os.RemoveAll(dir))
	return nil
}

// lay has isdlc-hooks lay out what the scenario needs.
func (tools tools) lay(t *testing.T, sc scenario, args ...string) {
	t.Helper()
	for _, group := range sc.with {
		args = append(args, "--with", group)
	}
	if output, err := exec.Command(tools.isdlc, args...).CombinedOutput(); err != nil {
		t.Fatalf("isdlc-hooks %s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// prepare has a program do something for the session, in the environment of the client.
func (s *session) prepare(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir, command.Env = dir, s.environment()
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, output)
	}
}

// blocking is how the client begins the feedback of a hook that keeps a turn or an
// agent from ending. It names the command as it is registered, variable and all,
// which is all that the model can see of the form.
var blocking = regexp.MustCompile(`hook blocking error from command: "(.*)": `)

// commanded checks that the feedback comes from where the hooks are in this form.
func (s *session) commanded(t *testing.T, f form, script string) {
	t.Helper()
	for _, match := range blocking.FindAllStringSubmatch(s.heard(script).between("", ""), -1) {
		assert.Check(t, strings.Contains(match[1], f.command), "%s ran %s", f.name, match[1])
	}
}
