package settings

import (
	"regexp"
	"strings"
	"sync"
)

// plain is a command that does nothing but run one script: perhaps node with
// options, then one word, quoted or not.
var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^\\s*(?:(?:\"[^\"]*[/\\\\]node(?:\\.exe)?\"|(?:[^\\s\"']*[/\\\\])?node(?:\\.exe)?)\\s+(?:--?[\\w-]+(?:=[^\\s\"';|&<>]+)?\\s+)*)?" +
		"((?:\"[^\"`;|&<>]*\"|'[^']*'|[^\\s\"'`;|&<>()])+)\\s*$")
})

// mentioned is a script of a hooks folder somewhere in a command.
var mentioned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`hooks["']?[/\\](?:dispatchers[/\\])?([A-Za-z0-9_-]+)\.cjs\b`)
})

// cjsHook is the name, without the ending, of the .cjs hook that a command
// runs; empty where it runs none. Only a simple command can be exchanged: one
// that does more is somebody's own work.
func cjsHook(command string) (name string, simple bool) {
	if match := plain().FindStringSubmatch(command); match != nil {
		script := strings.NewReplacer(`"`, "", `'`, "", `\`, "/").Replace(match[1])
		if found := mentioned().FindStringSubmatch(script); found != nil && strings.HasSuffix(script, "/"+found[1]+".cjs") {
			return found[1], true
		}
	}
	if found := mentioned().FindStringSubmatch(command); found != nil {
		return found[1], false
	}
	return "", false
}

// sameCommand compares commands without regard to how they quote.
func sameCommand(a, b string) bool { return bare(a) == bare(b) }

func bare(command string) string {
	return strings.TrimSpace(strings.NewReplacer(`"`, "", `'`, "", "{", "", "}", "", `\`, "/").Replace(command))
}
