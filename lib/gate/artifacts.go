package gate

import (
	"fmt"
	"path"
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

const folderPlaceholder = "{artifact_folder}"

func (g *Gate) artifacts(required *ordered.Value) *Failure {
	paths := phase.Lookup(g.ArtifactPaths().Get("phases"), g.Key).Get("paths").Items()
	if len(paths) == 0 {
		paths = required.Get("paths").Items()
	}
	var missing []string
	for _, group := range alternatives(paths, g.State.ArtifactFolder()) {
		if !g.hasAny(group) {
			missing = append(missing, describe(group))
		}
	}
	if missing == nil {
		return nil
	}
	return &Failure{
		Reason: "artifacts are missing: " + strings.Join(missing, ", "),
		Action: "CREATE_ARTIFACTS",
		extra:  []field{{"missing_artifacts", ordered.Of(missing)}},
	}
}

func (g *Gate) hasAny(group []string) bool {
	for _, p := range group {
		if g.Exists(p) {
			return true
		}
	}
	return false
}

// alternatives groups paths by their directory, in order: one of each group is
// asked for. What needs the artifact folder is left out where there is none.
func alternatives(paths []*ordered.Value, folder string) [][]string {
	var groups [][]string
	at := make(map[string]int, len(paths))
	for _, v := range paths {
		p := v.Text()
		if p == "" || folder == "" && strings.Contains(p, folderPlaceholder) {
			continue
		}
		p = strings.ReplaceAll(p, folderPlaceholder, folder)
		i, ok := at[path.Dir(p)]
		if !ok {
			i = len(groups)
			at[path.Dir(p)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// describe names a group of alternatives by its first path and the names of the
// others.
func describe(group []string) string {
	if len(group) == 1 {
		return group[0]
	}
	var others []string
	for _, p := range group[1:] {
		others = append(others, path.Base(p))
	}
	return fmt.Sprintf("%s (or %s)", group[0], strings.Join(others, ", "))
}
