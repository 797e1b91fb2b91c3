package replay

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"isdlc-hooks/lib/ordered"
)

// stale is how old a copy must be to be that of a replay that was killed.
const stale = 24 * time.Hour

// scratch makes the folder for a copy. It is not one for temporary files where
// there is another, for rules are less strict about those.
func scratch() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "isdlc-hooks")
		err = os.MkdirAll(cache, 0o755)
	}
	if err != nil {
		return os.MkdirTemp("", "isdlc-replay-")
	}
	old, _ := filepath.Glob(filepath.Join(cache, "replay-*")) // the pattern is a good one
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > stale {
			_ = os.RemoveAll(dir) // the next replay tries again
		}
	}
	return os.MkdirTemp(cache, "replay-")
}

// exchange makes the replacer that turns the paths in a recorded line into those
// of the copy: that of the recorded project and that of the project itself, and
// the names that stand for folders in recordings which are neutral. It works on
// the text of the line, so that numbers stay as they were written.
func (p *player) exchange(recorded, home, tmp string) *strings.Replacer {
	pairs := []string{"{{project}}", escaped(p.copy), "{{home}}", escaped(home), "{{tmp}}", escaped(tmp)}
	for _, root := range []string{recorded, p.Project} {
		if !filepath.IsAbs(root) || filepath.Dir(root) == root {
			continue
		}
		// What follows is part of the match, so that /src/shop is not found in
		// /src/shop-2.
		for _, end := range "/\\\"' :;,)]}`&|<>" {
			pairs = append(pairs, escaped(root)+string(end), escaped(p.copy)+string(end))
		}
	}
	return strings.NewReplacer(pairs...)
}

// escaped is a text as it stands inside a JSON string.
func escaped(text string) string {
	quoted := string(ordered.Of(text).Compact())
	return quoted[1 : len(quoted)-1]
}

// below tells whether a path is dir or in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
