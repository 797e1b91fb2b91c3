package taskie

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// The root that the environment names counts whatever is there, with one
// exception: a plugin without rules that has brought this very program.
func TestPluginRoot(t *testing.T) {
	program, err := os.Executable()
	assert.NilError(t, err)
	own := filepath.Dir(filepath.Dir(program)) // of go test: no rules there
	other, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if os.Symlink(own, link) != nil {
		link = own
	}
	for _, c := range []struct{ taskie, plugin, root string }{
		{"", "", ""},
		{"", other, other},
		{"", "/not/there", "/not/there"},
		{"", own, ""},
		{"", own + "/", ""},
		{"", link, ""},
		{other, own, other},
		{own, other, own},
	} {
		env := map[string]string{"TASKIE_PLUGIN_ROOT": c.taskie, "CLAUDE_PLUGIN_ROOT": c.plugin}
		assert.Equal(t, pluginRoot(func(name string) string { return env[name] }), c.root, "%v", env)
	}
}
