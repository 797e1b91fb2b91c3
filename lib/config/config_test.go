package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/fs"
)

func store(t *testing.T, files map[string]string) *Store {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return &Store{Root: dir}
}

const (
	inHooks = ".claude/hooks/config/"
	inIsdlc = ".isdlc/config/"
)

func TestWhichFileCounts(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  map[string]string // file → its "is"
	}{
		{"none", nil, map[string]string{}},
		{"order of folders", map[string]string{
			inHooks + "skills-manifest.json": `{"is":"hooks"}`, inIsdlc + "skills-manifest.json": `{"is":"isdlc"}`,
			inHooks + "iteration-requirements.json": `{"is":"hooks"}`, inIsdlc + "iteration-requirements.json": `{"is":"isdlc"}`,
			inHooks + "workflows.json": `{"is":"hooks"}`, inIsdlc + "workflows.json": `{"is":"isdlc"}`,
			inHooks + "artifact-paths.json": `{"is":"hooks"}`, inIsdlc + "artifact-paths.json": `{"is":"isdlc"}`,
		}, map[string]string{"manifest": "hooks", "requirements": "hooks", "workflows": "isdlc", "artifacts": "hooks"}},
		{"broken in front", map[string]string{
			inHooks + "skills-manifest.json": `{`, inIsdlc + "skills-manifest.json": `{"is":"isdlc"}`,
			inHooks + "iteration-requirements.json": `{`, inIsdlc + "iteration-requirements.json": "\xef\xbb\xbf" + `{"is":"isdlc"}`,
			inHooks + "artifact-paths.json": `null`, inIsdlc + "artifact-paths.json": `{"is":"isdlc"}`,
		}, map[string]string{"requirements": "isdlc", "artifacts": "isdlc"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := store(t, test.files)
			assert.Equal(t, s.Manifest().Get("is").Text(), test.want["manifest"])
			assert.Equal(t, s.Requirements().Get("is").Text(), test.want["requirements"])
			assert.Equal(t, s.Workflows().Get("is").Text(), test.want["workflows"])
			assert.Equal(t, s.ArtifactPaths().Get("is").Text(), test.want["artifacts"])
		})
	}
}

func TestTheCacheCounts(t *testing.T) {
	s := store(t, map[string]string{inHooks + "skills-manifest.json": `{"is":"one"}`, inHooks + "iteration-requirements.json": "{"})
	for range 3 {
		assert.Equal(t, s.Manifest().Get("is").Text(), "one")
	}
	assert.Equal(t, s.Misses, 1)
	assert.Equal(t, s.Hits, 2)

	path := filepath.Join(s.Root, inHooks, "skills-manifest.json")
	assert.NilError(t, os.WriteFile(path, []byte(`{"is":"two"}`), 0o644))
	assert.NilError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)))
	assert.Equal(t, s.Manifest().Get("is").Text(), "two", "a file that changed is read again")
	assert.Equal(t, s.Misses, 2)

	for range 2 {
		assert.Assert(t, s.Requirements() == nil)
	}
	assert.Equal(t, s.Misses, 4, "a failure is not remembered")
	assert.Equal(t, s.Hits, 2)
}

func TestNewerVersionsAreToldOnce(t *testing.T) {
	s := store(t, map[string]string{
		inHooks + "skills-manifest.json": `{"version":"5.0.0"}`, inHooks + "iteration-requirements.json": `{"version":"2.9.1"}`,
		inHooks + "workflows.json": `{"version":"no version"}`, inHooks + "artifact-paths.json": `{"version":3}`,
	})
	for range 2 {
		assert.Assert(t, s.Manifest() != nil, "it is used all the same")
		s.Requirements()
		s.Workflows()
		s.ArtifactPaths()
	}
	assert.DeepEqual(t, s.Warnings(), []string{"skills-manifest.json has version 5.0.0; this release knows up to 4"})
}

// Major is a short cut; the real grammar of versions is semver's.
func TestMajorAgreesWithSemver(t *testing.T) {
	for _, version := range []string{
		"1.2.3", "v4.0.0", "10.20.30-rc.1+build", "3", "3.1", "0.0.1", "v2", "18446744073709551615.0.0", "99999999999999999999.0.0",
		"", "v", "x", "1x", "+1", "-1.0.0", " 1.0.0", "one.two",
	} {
		want, err := semver.NewVersion(version)
		got, ok := Major(version)
		assert.Equal(t, ok, err == nil, "%q: %v", version, err)
		if ok {
			assert.Equal(t, got, want.Major(), version)
		}
	}
}

func TestWhatIsNoFileIsNoConfiguration(t *testing.T) {
	dir := fs.NewDir(t, "config", fs.WithDir(".claude", fs.WithDir("hooks", fs.WithDir("config", fs.WithDir("skills-manifest.json")))))
	s := &Store{Root: dir.Path()}
	assert.Assert(t, s.Manifest() == nil)
}

func TestAPluginBringsWhatTheProjectLacks(t *testing.T) {
	s := store(t, map[string]string{
		inHooks + "iteration-requirements.json": `{"is":"project"}`,
		inHooks + "skills-manifest.json":        `{`,
	})
	s.Plugin = store(t, map[string]string{
		"config/iteration-requirements.json": `{"is":"plugin"}`,
		"config/workflows.json":              `{"is":"plugin","version":"9.0.0"}`,
		"config/skills-manifest.json":        `{"is":"plugin"}`,
	}).Root
	assert.Equal(t, s.Requirements().Get("is").Text(), "project")
	assert.Equal(t, s.Workflows().Get("is").Text(), "plugin")
	assert.Equal(t, len(s.Warnings()), 1)
	assert.Assert(t, s.ArtifactPaths() == nil)
	assert.Assert(t, s.Manifest() == nil, "a manifest that is there decides, even when it is broken")
}
