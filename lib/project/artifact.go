package project

import (
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/disk"
)

// Artifact is where the artifact of a workflow is that is written path, with
// slashes and relative to the root. In a monorepo, what is written below docs
// belongs into the docs folder of the active project; a file that is not there,
// but below the root's own docs, is found too (spec 05 B.5).
func (p *Project) Artifact(path string) string {
	shared := p.Path(filepath.FromSlash(path))
	inDocs, ok := strings.CutPrefix(path, "docs/")
	if p.ID == "" || !ok {
		return shared
	}
	own := filepath.Join(p.Docs(), filepath.FromSlash(inDocs))
	if !disk.Exists(own) && disk.Exists(shared) {
		return shared
	}
	return own
}
