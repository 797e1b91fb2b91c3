package domain

import (
	"path"
	"slices"
	"strings"
)

// AllowedPatterns are where an agent may change files (spec 60 §5.6).
func AllowedPatterns() []string { return []string{"**/*"} }

// OutOfScope lists the files, as they come, that match none of patterns. A
// pattern is one of the shell for names, not for paths: * and ? match slashes
// too. So **/* is any file that is in a folder.
func OutOfScope(files, patterns []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return nameMatches(p, file) })
	})
}

// nameMatches is path.Match with the slash made an ordinary character, by one
// that no file name holds.
func nameMatches(pattern, name string) bool {
	matched, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
	return matched && err == nil
}
