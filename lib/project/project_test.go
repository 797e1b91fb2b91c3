package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

// tree makes a folder with these files and gives its path without links.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NilError(t, err)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			assert.NilError(t, os.MkdirAll(path, 0o755))
			continue
		}
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func find(env map[string]string, workDir string) *Project {
	return Find(func(name string) string { return env[name] }, func() (string, error) { return workDir, nil })
}

func TestRoot(t *testing.T) {
	dir := tree(t, map[string]string{".isdlc/": "", "a/b/": ""})
	assert.Equal(t, find(map[string]string{"CLAUDE_PROJECT_DIR": "/as/it is/"}, dir).Root, "/as/it is/")
	assert.Equal(t, find(nil, filepath.Join(dir, "a", "b")).Root, dir)
	outside := tree(t, nil)
	assert.Equal(t, find(nil, outside).Root, outside, "no .isdlc above: the working directory itself")
	gone := Find(func(string) string { return "" }, func() (string, error) { return "", errors.New("removed") })
	assert.Equal(t, gone.Root, ".")
}

const registry = `{"default_project":"main","projects":{
	"api":{"path":"packages/api/"},
	"deep":{"path":"packages/api/deep","docs_location":"project"},
	"main":{"path":"apps/main"},
	"out":{"path":"../elsewhere","docs_location":"project"}}}`

func TestActiveProject(t *testing.T) {
	dir := tree(t, map[string]string{".isdlc/monorepo.json": registry, "packages/api/src/": "", "packages/api/deep/x/": "", "packages/apiary/": ""})
	for _, test := range []struct{ env, in, id, docs string }{
		{"", ".", "main", "docs/main"},
		{"", "packages/api", "api", "docs/api"},
		{"", "packages/api/src", "api", "docs/api"},
		{"", "packages/api/deep/x", "deep", "packages/api/deep/docs"},
		{"", "packages/apiary", "main", "docs/main"},
		{"", "..", "main", "docs/main"},
		{"ghost", "packages/api", "ghost", "docs/ghost"},
		{"out", ".", "out", "docs/out"},
	} {
		p := find(map[string]string{"CLAUDE_PROJECT_DIR": dir, "ISDLC_PROJECT": test.env}, filepath.Join(dir, test.in))
		assert.NilError(t, p.Err())
		assert.Equal(t, p.ID, test.id, test.in)
		assert.Equal(t, p.Docs(), filepath.Join(dir, filepath.FromSlash(test.docs)), test.in)
		assert.Equal(t, p.State(), filepath.Join(dir, ".isdlc", "projects", test.id, "state.json"))
		assert.Equal(t, p.Log(), filepath.Join(dir, ".isdlc", "hook-activity.log"), "one log for all projects")
	}
}

func TestNoMonorepo(t *testing.T) {
	dir := tree(t, map[string]string{".isdlc/": ""})
	p := find(map[string]string{"CLAUDE_PROJECT_DIR": dir, "ISDLC_PROJECT": "api"}, dir)
	assert.Equal(t, p.ID, "", "without monorepo.json the variable means nothing")
	assert.Equal(t, p.State(), filepath.Join(dir, ".isdlc", "state.json"))
	assert.Equal(t, p.Docs(), filepath.Join(dir, "docs"))
	assert.Equal(t, p.ExternalSkills(), filepath.Join(dir, ".claude", "skills", "external"))
}

func TestAnUnreadableRegistry(t *testing.T) {
	for _, content := range []string{"{", "[]", "null"} {
		dir := tree(t, map[string]string{".isdlc/monorepo.json": content, "packages/api/": ""})
		env := map[string]string{"CLAUDE_PROJECT_DIR": dir}
		assert.Equal(t, find(env, filepath.Join(dir, "packages/api")).ID, "")
		env["ISDLC_PROJECT"] = "api"
		assert.Equal(t, find(env, dir).ID, "api")
	}
}

func TestAnIDNeverLeadsOut(t *testing.T) {
	for _, id := range []string{".", "..", "../../etc", "a/b", `a\b`, "a\x00b", "/etc"} {
		dir := tree(t, map[string]string{".isdlc/monorepo.json": `{"projects":{}}`})
		p := find(map[string]string{"CLAUDE_PROJECT_DIR": dir, "ISDLC_PROJECT": id}, dir)
		assert.Equal(t, p.ID, "", "%q", id)
		assert.Assert(t, cmp.ErrorContains(p.Err(), "leads out"))
		assert.Equal(t, p.State(), filepath.Join(dir, ".isdlc", "state.json"))
	}
}

func TestDocuments(t *testing.T) {
	for _, test := range []struct {
		name, env string
		files     []string
		want      string
	}{
		{"neither", "", nil, "docs/isdlc/tasks.md"},
		{"old alone", "", []string{".isdlc/tasks.md"}, ".isdlc/tasks.md"},
		{"both", "", []string{".isdlc/tasks.md", "docs/isdlc/tasks.md"}, "docs/isdlc/tasks.md"},
		{"a project: neither", "api", []string{"docs/isdlc/tasks.md"}, "docs/isdlc/projects/api/tasks.md"},
		{"a project: old alone", "api", []string{".isdlc/projects/api/tasks.md"}, ".isdlc/projects/api/tasks.md"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{".isdlc/": ""}
			if test.env != "" {
				files[".isdlc/monorepo.json"] = "{}"
			}
			for _, f := range test.files {
				files[f] = ""
			}
			dir := tree(t, files)
			p := find(map[string]string{"CLAUDE_PROJECT_DIR": dir, "ISDLC_PROJECT": test.env}, dir)
			assert.Equal(t, p.Doc("tasks.md"), filepath.Join(dir, filepath.FromSlash(test.want)))
		})
	}
}
