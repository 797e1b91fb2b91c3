package settings

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestCheck(t *testing.T) {
	hook := func(h string) string {
		return `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[` + h + `]}]}}`
	}
	for _, c := range []struct{ name, in, want string }{
		{"blank", " \n", ""},
		{"byte order mark, fraction", "\ufeff" + hook(`{"type":"command","command":"x","timeout":0.5}`), ""},
		{"unknown keys", `{"$schema":"s","hooks":{"New":[{"z":1,"hooks":[]}]},"q":null}`, ""},
		{"repeated names", `{"a":1,"a":2,"hooks":3,"hooks":{}}`, ""},
		{"no JSON", "{\n  oops\n}", "line 2, column 3: no JSON"},
		{"cut off", `{"a": [1`, "column 9: the file ends in the middle"},
		{"line comment", "{\n  // hm\n}", "line 2, column 3: a comment"},
		{"block comment", `{"a": /* b */ 1}`, "column 7: a comment"},
		{"trailing comma in an object", "{\n  \"a\": 1,\n}", "line 2, column 9: a trailing comma"},
		{"trailing comma in an array", `{"a": [1, 2, ]}`, "column 12: a trailing comma"},
		{"text behind", `{} x`, "column"},
		{"two documents", `{} {}`, "text after the closing brace"},
		{"no object", `[]`, "the file is an array where an object"},
		{"hooks", `{"hooks":[]}`, "hooks is an array"},
		{"event", `{"hooks":{"Stop":{}}}`, "hooks.Stop is an object where an array"},
		{"group", `{"hooks":{"Stop":["x"]}}`, "hooks.Stop[0] is a string"},
		{"group without hooks", `{"hooks":{"Stop":[{}]}}`, "hooks.Stop[0] has no hooks"},
		{"hooks of a group", `{"hooks":{"Stop":[{"hooks":{}}]}}`, "hooks.Stop[0].hooks is an object"},
		{"matcher", `{"hooks":{"Stop":[{"matcher":1,"hooks":[]}]}}`, "hooks.Stop[0].matcher is a number"},
		{"hook", hook(`null`), "hooks.PreToolUse[0].hooks[0] is null"},
		{"no type", hook(`{"command":"x"}`), "hooks[0] has no type"},
		{"unknown type", hook(`{"type":"cmd","command":"x"}`), `type is "cmd"`},
		{"no command", hook(`{"type":"command"}`), "has no command"},
		{"command", hook(`{"type":"command","command":["x"]}`), "command is an array"},
		{"timeout a string", hook(`{"type":"command","command":"x","timeout":"10"}`), "timeout is a string"},
		{"timeout zero", hook(`{"type":"command","command":"x","timeout":0}`), "timeout is 0 where a positive"},
		{"timeout negative", hook(`{"type":"command","command":"x","timeout":-1}`), "timeout is -1 where a positive"},
		{"args", hook(`{"type":"command","command":"x","args":"y"}`), "args is a string where an array"},
		{"args of numbers", hook(`{"type":"command","command":"x","args":[1]}`), "args[0] is a number"},
		{"second hook", hook(`{"type":"command","command":"x"},{"type":"command"}`), "hooks.PreToolUse[0].hooks[1] has no command"},
		{"permissions", `{"permissions":[]}`, "permissions is an array"},
		{"permissions.allow", `{"permissions":{"allow":"Bash"}}`, "permissions.allow is a string"},
		{"model", `{"model":1}`, "model is a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check([]byte(c.in))
			if c.want == "" {
				assert.NilError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.want)
			assert.ErrorIs(t, err, ErrBroken)
		})
	}
}
