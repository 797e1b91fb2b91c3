package settings

import (
	"bytes"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"isdlc-hooks/lib/ordered"
)

// FuzzEdit checks what must hold for any settings file: a file that is refused
// was broken; the result passes the check; a second edit does nothing; and what
// is undone is the file that it was, but for white space in containers that
// were empty.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{ }\r\n", `{"hooks":{}}`, `{"hooks": {"Stop": [ ]}}`,
		"{\n\t\"a\": 1.0,\n\t\"hooks\": {\n\t\t\"PreToolUse\": [{\n\t\t\t\"matcher\": \"Task\",\n\t\t\t\"hooks\": [{\"type\": \"command\", \"command\": \"node .claude/hooks/plan-surfacer.cjs\", \"timeout\": 1e4}]\n\t\t}]\n\t}\n}",
		`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"node .claude/hooks/branch-guard.cjs"}]}]},"hooks":{"Stop":[]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"1"}]}]}}`,
		`{"hooks":{"PreToolUse":[{"matcher":"Task","hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs"},{"type":"command","command":"node .claude/hooks/pre-task-dispatcher.cjs"}]},{"matcher":"Agent","k":1,"hooks":[{"type":"command","command":"node .claude/hooks/plan-surfacer.cjs"}]}]}}`,
		"\ufeff{\"x\" : [ 1 , 2 ] , \"hooks\" :\n{ } }",
	} {
		f.Add([]byte(seed))
	}
	wish := Wish{Entries: []Entry{task, bash, stop}, Exchange: exchange, Known: known}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, changes, _, err := Edit(bytes.Clone(data), wish)
		if err != nil {
			assert.Check(t, Check(data) != nil, "refused though it is right: %v", err)
			return
		}
		assert.NilError(t, Check(got))
		again, more, _, err := Edit(bytes.Clone(got), wish)
		assert.NilError(t, err)
		assert.Check(t, is.Len(more, 0))
		assert.Check(t, bytes.Equal(again, got))

		back, err := Revert(got, changes)
		assert.NilError(t, err)
		if blank(data) {
			assert.Check(t, Empty(back))
			return
		}
		assert.Equal(t, compact(t, back, dropped(changes)), compact(t, data, dropped(changes)))
	})
}

// dropped tells whether entries were dropped: they come back in another order.
func dropped(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Was != nil && c.Was.Hook != "" })
}

func compact(t *testing.T, data []byte, anyOrder bool) string {
	v, err := ordered.Parse(data)
	assert.NilError(t, err)
	text := v.Compact()
	if anyOrder {
		slices.Sort(text)
	}
	return string(text)
}
