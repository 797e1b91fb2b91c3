//go:build unix

package faults

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// askers are the programs that ask git, with an event for which they do, and
// what of the answer tells that they have.
var askers = []struct{ program, event, state string }{
	{"branch-guard", bash("git commit -m x && git record"), onBranch},
	{"review-reminder", bash("git commit -m x"), onBranch},
	{"post-bash-dispatcher", bash("git commit -m x"), onBranch},
	{"blast-radius-validator", `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"subagent_type":"sdlc-orchestrator","prompt":"advance to the next phase"}}`,
		`{"active_workflow":{"type":"feature","phases":["06-implementation","08-code-review"],"current_phase":"06-implementation","artifact_folder":"R1","git_branch":{"name":"feature/x","status":"active"}}}`},
	{"des-subagent-stop", `{"executionLogPath":"%DIR%/log.yaml","projectId":"p","stepId":"01-01"}`, "{}"},
}

func bash(command string) string {
	data, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": command}})
	check(err)
	if !strings.Contains(command, "git") {
		panic(command)
	}
	return string(data)
}

const onBranch = `{"active_workflow":{"type":"feature","phases":["01-requirements","06-implementation"],"current_phase":"01-requirements","git_branch":{"name":"feature/x","status":"active"}},"code_review":{"enabled":true,"team_size":1}}`

// repository is a project on main with a branch feature/x, with files for all of
// the askers.
func repository(t *testing.T) *hooktest.Project {
	p := hooktest.NewProject(t)
	p.Configs()
	p.Write("docs/requirements/R1/impact-analysis.md", "## Tier 1\n| `src/a.go` | modify |\n")
	p.Write("src/a.go", "package a")
	p.Write("log.yaml", "project_id: p\nevents: []\n")
	p.Write("new\nline/-x.go", "package x")
	p.Git(hooktest.Repository{Branch: "main", Add: true})
	git(t, p, "branch", "feature/x")
	return p
}

func git(t *testing.T, p *hooktest.Project, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = p.Dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.Home, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := c.CombinedOutput()
	assert.NilError(t, err, "git %v: %s", args, out)
}

// Whatever the configuration of a repository, its hooks and the environment name
// as programs, none of them is run.
func TestHostileRepository(t *testing.T) {
	p := repository(t)
	p.Write(state, onBranch)
	mark := filepath.Join(p.Home, "executed")
	evil := filepath.Join(p.Home, "evil")
	assert.NilError(t, os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $*\" >> "+mark+"\nexit 0\n"), 0o755))
	hooks := filepath.Join(p.Home, "hooks")
	assert.NilError(t, os.Mkdir(hooks, 0o755))
	for _, name := range []string{"post-checkout", "pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman", "query-watchman", "pre-auto-gc"} {
		assert.NilError(t, os.Symlink(evil, filepath.Join(hooks, name)))
	}
	p.Write(".gitattributes", "* diff=evil filter=evil merge=evil\n")
	git(t, p, "add", "-A")
	git(t, p, "commit", "-q", "-m", "attributes")
	for key, value := range map[string]string{
		"core.fsmonitor": evil, "core.pager": evil, "pager.diff": evil, "pager.symbolic-ref": evil, "pager.config": evil, "diff.external": evil, "diff.evil.command": evil,
		"diff.evil.textconv": evil, "filter.evil.smudge": evil, "core.editor": evil, "core.sshCommand": evil, "core.askPass": evil, "core.hooksPath": hooks,
		"alias.symbolic-ref": "!" + evil, "alias.record": "!" + evil + " && git commit", "alias.diff": "!" + evil, "credential.helper": "!" + evil, "gpg.program": evil,
		"sequence.editor": evil, "core.gitProxy": evil, "uploadpack.packObjectsHook": evil, "core.alternateRefsCommand": evil, "trailer.x.command": evil, "interactive.diffFilter": evil,
	} {
		git(t, p, "config", key, value)
	}
	p.Write("src/a.go", "package changed")
	env := []string{
		"GIT_PAGER=" + evil, "PAGER=" + evil, "GIT_EDITOR=" + evil, "EDITOR=" + evil, "GIT_EXTERNAL_DIFF=" + evil, "GIT_SSH_COMMAND=" + evil, "GIT_ASKPASS=" + evil,
		"SSH_ASKPASS=" + evil, "GIT_PROXY_COMMAND=" + evil, "GIT_TRACE=" + filepath.Join(p.Home, "trace"), "BASH_ENV=" + evil, "ENV=" + evil, "SHELL=" + evil,
	}
	for _, a := range askers {
		p.Write(state, a.state)
		r := do(t, p, call{program: a.program, stdin: strings.ReplaceAll(a.event, "%DIR%", p.Dir), env: env})
		assert.Assert(t, strings.HasPrefix(a.program, "des") || r.exit == 0, "%s: %s", a.program, r.stderr)
		if a.program == "branch-guard" {
			assert.Assert(t, strings.Contains(r.stdout, "feature/x"), r.stdout)
		}
		ran, err := os.ReadFile(mark)
		assert.Assert(t, os.IsNotExist(err), "%s ran %s", a.program, ran)
	}
	trace, err := os.ReadFile(filepath.Join(p.Home, "trace"))
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(trace), "symbolic-ref"), "git was not even asked: %s", trace)
}

// The variables that lead git elsewhere count for the commit, so they count for
// the question; what they name is asked and not changed.
func TestGitVariables(t *testing.T) {
	p := repository(t)
	other := repository(t)
	p.Write(state, onBranch)
	snapshot := gitFiles(t, other)
	for _, test := range []struct {
		name   string
		env    []string
		blocks bool
	}{
		{"another repository", []string{"GIT_DIR=" + other.Path(".git")}, true},
		{"none", []string{"GIT_DIR=/nonexistent"}, false},
		{"a file", []string{"GIT_DIR=/etc/passwd"}, false},
		{"a new line", []string{"GIT_DIR=a\nb"}, false},
		{"an option", []string{"GIT_DIR=--upload-pack=touch PWNED"}, false},
		{"an index elsewhere", []string{"GIT_INDEX_FILE=" + other.Path(".git/index"), "GIT_WORK_TREE=" + other.Dir}, true},
		{"a name space", []string{"GIT_NAMESPACE=x", "GIT_CEILING_DIRECTORIES=/", "GIT_LITERAL_PATHSPECS=1"}, true},
		{"configuration", []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=touch " + p.Path("PWNED")}, true},
		{"parameters", []string{"GIT_CONFIG_PARAMETERS='core.fsmonitor'='touch " + p.Path("PWNED") + "'"}, true},
		{"broken parameters", []string{"GIT_CONFIG_PARAMETERS=x y"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := do(t, p, call{program: "branch-guard", stdin: askers[0].event, env: test.env})
			assert.Equal(t, r.exit, 0)
			assert.Equal(t, strings.Contains(r.stdout, `"deny"`), test.blocks, "%s%s", r.stdout, r.stderr)
			_, err := os.Stat(p.Path("PWNED"))
			assert.Assert(t, os.IsNotExist(err))
		})
	}
	assert.DeepEqual(t, gitFiles(t, other), snapshot)
}

// gitFiles are the files of a repository with their times.
func gitFiles(t *testing.T, p *hooktest.Project) map[string]string {
	t.Helper()
	files := map[string]string{}
	assert.NilError(t, filepath.Walk(p.Path(".git"), func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			files[path] = info.ModTime().String()
		}
		return err
	}))
	return files
}

// A git that hangs, floods or crashes holds nobody up for long.
func TestOddGit(t *testing.T) {
	for name, script := range map[string]string{
		"hangs":      "#!/bin/sh\nsleep 600 & sleep 600\n",
		"floods":     "#!/bin/sh\nexec cat /dev/zero\n",
		"crashes":    "#!/bin/sh\nkill -SEGV $$\n",
		"no program": "x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := repository(t)
			bin := filepath.Join(p.Home, "bin")
			assert.NilError(t, os.Mkdir(bin, 0o755))
			assert.NilError(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
			for _, a := range askers {
				p.Write(state, a.state)
				r := do(t, p, call{program: a.program, stdin: strings.ReplaceAll(a.event, "%DIR%", p.Dir), env: []string{"PATH=" + bin + ":" + os.Getenv("PATH")}})
				assert.Assert(t, !r.timedOut && r.duration < 25*time.Second, "%s took %v", a.program, r.duration)
				assert.Assert(t, r.exit == 0 || strings.HasPrefix(a.program, "des"), "%s: %d", a.program, r.exit)
				assert.Assert(t, !strings.Contains(r.stdout, `"deny"`), "%s: %s", a.program, r.stdout)
			}
		})
	}
}

// Names that stand in the state or in a command reach git as names: as no
// option, no path, no command.
func TestHostileNames(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "PWNED")
	for _, name := range []string{
		"--output=" + outside, "-c", "--exec-path=" + outside, "$(touch " + outside + ")", "`touch " + outside + "`", "a; touch " + outside, "../../../" + outside,
		"a\nb", "a\x00b", "@{-1}", "feature/x^{/.*}", ":(top)", strings.Repeat("x", 100_000), "\xff\xfe", "",
	} {
		p := repository(t)
		quoted, err := json.Marshal(name)
		assert.NilError(t, err)
		for _, a := range askers {
			p.Write(state, strings.ReplaceAll(a.state, `"feature/x"`, string(quoted)))
			for _, command := range []string{a.event, strings.ReplaceAll(a.event, "git commit", "git -C '"+strings.ReplaceAll(strings.Trim(string(quoted), `"`), "'", "")+"' commit")} {
				r := do(t, p, call{program: a.program, stdin: strings.ReplaceAll(command, "%DIR%", p.Dir), env: []string{"SKILL_VALIDATOR_DEBUG=true"}})
				assert.Assert(t, r.exit == 0 || strings.HasPrefix(a.program, "des"), "%s, %.100q: exit %d", a.program, name, r.exit)
				assert.Assert(t, !strings.Contains(r.stderr, "panic"), r.stderr)
			}
		}
		_, err = os.Lstat(outside)
		assert.Assert(t, os.IsNotExist(err), "%.100q has made a file", name)
	}
}

// A project id that leads out, from the environment or from the registry: no file
// outside .isdlc is read as a state or written, and the log says so (spec 00
// §2.2).
func TestProjectIDThatWalksOut(t *testing.T) {
	for _, id := range []string{"..", ".", "../..", "../../victim", "/tmp", `..\..\victim`, "a/../../../victim", "x/y"} {
		for _, fromEnv := range []bool{true, false} {
			p := prepare(t)
			p.Write("victim/state.json", string(document(t, p.Path(state)).Indent()))
			p.Write(".isdlc/projects/x/y/state.json", string(document(t, p.Path(state)).Indent()))
			quoted, err := json.Marshal(id)
			assert.NilError(t, err)
			registry, env := `{"default_project":`+string(quoted)+`,"projects":{`+string(quoted)+`:{"path":"../..","docs_location":"project"}}}`, []string(nil)
			if fromEnv {
				registry, env = `{}`, []string{"ISDLC_PROJECT=" + id}
			}
			p.Write(".isdlc/monorepo.json", registry)
			for _, a := range changers {
				before := p.Files()
				r := do(t, p, call{program: a.program, stdin: a.event, env: env})
				assert.Equal(t, r.exit, 0)
				for _, name := range before.Changed(p.Files()) {
					assert.Assert(t, name == state || name == activity, "%s, id %q: %s changed", a.program, id, name)
				}
			}
			assert.Assert(t, len(log(t, p, "error")) >= len(changers), "%q", id)
			_, err = os.Lstat(filepath.Join(filepath.Dir(p.Dir), "state.json"))
			assert.Assert(t, os.IsNotExist(err))
		}
	}
}
