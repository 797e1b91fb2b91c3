package client

import "strings"

// Quote writes a path so that a shell takes it as one word.
func Quote(path string) string {
	if !strings.ContainsAny(path, " \t\n'\"\\$`&;|<>()*?[]#~!{}") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
