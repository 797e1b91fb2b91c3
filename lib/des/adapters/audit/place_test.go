package audit

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestResolve(t *testing.T) {
	for _, test := range []struct {
		what, dir, config string
		files             []string // plain files that are in the way
		home              string   // the project itself for "."
		want              string   // below the base; "" is an error
	}{
		{what: "the project", want: "project/.nwave/logs/des"},
		{what: "the environment", dir: "BASE/env", config: `{"audit_log_dir":"c"}`, want: "env"},
		{what: "the environment, relative", dir: "../env/x", want: "env/x"},
		{what: "the environment, a file in the way", dir: "BASE/file/x", files: []string{"file"}, want: "project/.nwave/logs/des"},
		{what: "the environment and the configuration, both in the way", dir: "BASE/file", config: `{"audit_log_dir":"../file"}`, files: []string{"file"}, want: "project/.nwave/logs/des"},
		{what: "the configuration", config: `{"audit_log_dir":"c"}`, want: "project/c"},
		{what: "the configuration, with a byte order mark", config: "\ufeff" + `{"audit_log_dir":"c"}`, want: "project/c"},
		{what: "the configuration, empty", config: `{"audit_log_dir":""}`, want: "project/.nwave/logs/des"},
		{what: "the configuration, no text", config: `{"audit_log_dir":["c"]}`, want: "project/.nwave/logs/des"},
		{what: "the configuration, no object", config: `["c"]`, want: "project/.nwave/logs/des"},
		{what: "the configuration, no JSON", config: `{`, want: "project/.nwave/logs/des"},
		{what: "the project, a file in the way", files: []string{"project/.nwave/logs"}},
		{what: "the home", home: ".", want: "project/.claude/des/logs"},
		{what: "the home, a file in the way", home: ".", files: []string{"project/.claude"}},
	} {
		base := t.TempDir()
		path := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
		write := func(name, text string) {
			assert.NilError(t, os.MkdirAll(filepath.Dir(path(name)), 0o755))
			assert.NilError(t, os.WriteFile(path(name), []byte(text), 0o644))
		}
		p := Place{WorkDir: path("project"), Home: path("home")}
		assert.NilError(t, os.MkdirAll(p.WorkDir, 0o755))
		if test.home != "" {
			p.Home = path("link") // the same folder by another name
			assert.NilError(t, os.Symlink(p.WorkDir, p.Home))
		}
		if test.config != "" {
			write("project/.nwave/des-config.json", test.config)
		}
		for _, name := range test.files {
			write(name, "")
		}
		p.Dir = test.dir
		if rest, ok := cutBase(test.dir); ok {
			p.Dir = path(rest)
		}
		want := test.want
		if test.home != "" && want != "" {
			want = "link/.claude/des/logs"
		}
		dir, err := p.Resolve()
		if test.want == "" {
			assert.Check(t, err != nil, test.what)
			continue
		}
		found, _ := p.Find()
		assert.Check(t, is.Equal(found, dir), test.what)
		assert.NilError(t, err, test.what)
		assert.Check(t, is.Equal(dir, path(want)), test.what)
		info, err := os.Stat(dir)
		assert.Check(t, err == nil && info.IsDir(), test.what)
	}
}

func cutBase(dir string) (string, bool) {
	const mark = "BASE/"
	if len(dir) > len(mark) && dir[:len(mark)] == mark {
		return dir[len(mark):], true
	}
	return "", false
}

func TestResolveInSharedFolders(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"/", "/usr", "/tmp", "", "/tmp/."} {
		got, err := Place{WorkDir: dir, Home: home}.Resolve()
		assert.NilError(t, err)
		assert.Check(t, is.Equal(got, filepath.Join(home, ".claude", "des", "logs")), dir)
	}
	_, err := Place{WorkDir: "/tmp"}.Resolve()
	assert.ErrorContains(t, err, "home")
	_, err = Place{Dir: "relative"}.Resolve()
	assert.ErrorContains(t, err, "home")
}

// To look makes nothing.
func TestFindMakesNothing(t *testing.T) {
	base := t.TempDir()
	for _, p := range []Place{{Dir: "a", WorkDir: base}, {WorkDir: base}, {WorkDir: "/tmp", Home: base}} {
		_, err := p.Find()
		assert.NilError(t, err)
		entries, err := os.ReadDir(base)
		assert.NilError(t, err)
		assert.Check(t, is.Len(entries, 0))
	}
}
