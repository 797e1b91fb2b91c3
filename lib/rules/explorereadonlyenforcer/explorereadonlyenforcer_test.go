package explorereadonlyenforcer

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestIsTemporary(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp":                   true,
		"/tmp/a":                 true,
		"/tmpfiles/a":            true, // the prefix of the system is not tied to a separator
		"/var/folders/x/y":       true,
		"/home/../tmp/a":         true,
		"/x/TEMP/a":              true,
		"/x//tmp///a":            true,
		"/x/tmp/":                true,
		"src/Tmp/a":              true,
		`C:\U\Temp\a`:            true,
		`\temp\a`:                true,
		"/x/./tmp/./a":           true,
		"/tmp/../home/x":         false,
		"tmp/a":                  false,
		"./tmp/a":                false,
		"/x/mytmp/a":             false,
		"/x/tmp.d/a":             false,
		"/x/temp":                false,
		"/x/templates/a":         false,
		"/x/tmp/../a":            false,
		"/var/foldersx/y":        false,
		"/home/dev/src/index.js": false,
	} {
		assert.Check(t, isTemporary(path, "/tmp") == want, path)
	}
	assert.Check(t, isTemporary("/scratch/space2/a", "/scratch/space"))
	assert.Check(t, !isTemporary("/scratch/other/a", "/scratch/space"))
}

func TestSystemTemp(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "/tmp"},
		{map[string]string{"TEMP": "/c", "TMP": "/b"}, "/b"},
		{map[string]string{"TEMP": "/c", "TMP": "/b", "TMPDIR": "/a/"}, "/a"},
		{map[string]string{"TMPDIR": "/a//"}, "/a/"},
	} {
		assert.Equal(t, systemTemp(func(name string) string { return test.env[name] }), test.want)
	}
}
