package project

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

func TestArtifact(t *testing.T) {
	root := t.TempDir()
	lay := func(name string) string {
		path := filepath.Join(root, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, nil, 0o644))
		return path
	}
	const doc = "docs/requirements/R1/spec.md"
	single := &Project{Root: root, docs: "docs"}
	shared := &Project{Root: root, ID: "api", docs: "docs/api"}
	local := &Project{Root: root, ID: "api", docs: "services/api/docs"}
	own := func(dir string) string {
		return filepath.Join(root, filepath.FromSlash(dir), "requirements", "R1", "spec.md")
	}

	assert.Equal(t, single.Artifact(doc), own("docs"))
	assert.Equal(t, shared.Artifact(doc), own("docs/api"), "where it belongs when it is nowhere")
	atRoot := lay(doc)
	assert.Equal(t, shared.Artifact(doc), atRoot)
	assert.Equal(t, local.Artifact(doc), atRoot)
	assert.Equal(t, local.Artifact("src/a.go"), filepath.Join(root, "src", "a.go"), "only documents are scoped")
	lay("services/api/docs/requirements/R1/spec.md")
	assert.Equal(t, local.Artifact(doc), own("services/api/docs"))
	assert.Equal(t, shared.Artifact(doc), atRoot)
}
