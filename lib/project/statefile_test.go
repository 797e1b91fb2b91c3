package project

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestIsStateFile(t *testing.T) {
	for path, want := range map[string]bool{
		".isdlc/state.json":                     true,
		"/p/.isdlc/state.json":                  true,
		`C:\p\.isdlc\state.json`:                true,
		"/p/.isdlc/projects/api/state.json":     true,
		`C:\p\.isdlc\projects/api\state.json`:   true,
		"my.isdlc/state.json":                   true,
		".isdlc/projects/state.json/state.json": true,
		"/p/src/state.json":                     false,
		".isdlc/state.json.bak":                 false,
		".isdlc/STATE.JSON":                     false,
		".isdlc/projects/a/b/state.json":        false,
		".isdlc/projects//state.json":           false,
		".isdlc/projects/state.json":            false,
		".isdlc/config.json":                    false,
		".isdlcstate.json":                      false,
		".isdlc//state.json":                    false,
		"state.json":                            false,
		"/state.json":                           false,
		"":                                      false,
	} {
		assert.Check(t, IsStateFile(path) == want, path)
	}
}
