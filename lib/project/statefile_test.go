package project

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

func TestIsStateFile(t *testing.T) {
	for path, want := range map[string]bool{
		".isdlc/state.json":                     true,
		"/p/.isdlc/state.json":                  true,
		`C:\p\.isdlc\state.json`:                true,
		"/p/.isdlc/projects/api/state.json":     true,
		`C:\p\.isdlc\projects/api\state.json`:   true,
		"my.isdlc/state.json":                   true,
		".isdlc/projects/state.json/state.json": true,
		"/p/src/state.json":                     false,
		".isdlc/state.json.bak":                 false,
		".isdlc/STATE.JSON":                     false,
		".isdlc/projects/a/b/state.json":        false,
		".isdlc/projects//state.json":           false,
		".isdlc/projects/state.json":            false,
		".isdlc/config.json":                    false,
		".isdlcstate.json":                      false,
		".isdlc//state.json":                    false,
		"state.json":                            false,
		"/state.json":                           false,
		"":                                      false,
	} {
		assert.Check(t, IsStateFile(path) == want, path)
	}
}

func TestStateFile(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"p/.isdlc/state.json", "p/.isdlc/projects/api/state.json", "p/sample/.isdlc/state.json", "other/.isdlc/state.json"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte("{}"), 0o644))
	}
	assert.NilError(t, os.Symlink("p", filepath.Join(root, "link")))
	p := &Project{Root: filepath.Join(root, "p"), ID: "web"}
	single, api, active := p.Path(Dir, "state.json"), p.Path(Dir, "projects", "api", "state.json"), p.State()
	for path, want := range map[string]string{
		"p/.isdlc/state.json":                  single,
		"p/.isdlc/projects/../state.json":      single,
		"p/.isdlc/projects/api/state.json":     api,
		"link/.isdlc/projects/api/state.json":  api,
		"link/.isdlc/state.json":               single,
		"p/sample/.isdlc/state.json":           "",
		"other/.isdlc/state.json":              "",
		"p/.isdlc/config.json":                 "",
		"p/.isdlc/projects/missing/state.json": active,
		`C:\somewhere\.isdlc\state.json`:       active,
	} {
		assert.Check(t, p.StateFile(root+"/"+path) == want, path)
	}
}
