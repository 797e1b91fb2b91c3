package gate

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func TestAlternatives(t *testing.T) {
	for _, test := range []struct {
		paths, folder string
		want          [][]string
	}{
		{`["docs/a.md","docs/b.md","src/a.md","docs/c.md"]`, "", [][]string{{"docs/a.md", "docs/b.md", "docs/c.md"}, {"src/a.md"}}},
		{`["d/{artifact_folder}/x.md","d/x.md"]`, "", [][]string{{"d/x.md"}}},
		{`["{artifact_folder}/{artifact_folder}.md"]`, "$1", [][]string{{"$1/$1.md"}}},
		{`[7,null,"a.md",""]`, "F", [][]string{{"a.md"}}},
		{`[]`, "F", nil},
	} {
		paths, err := ordered.Parse([]byte(test.paths))
		assert.NilError(t, err)
		assert.DeepEqual(t, alternatives(paths.Items(), test.folder), test.want)
	}
	assert.Equal(t, describe([]string{"d/a.yaml", "d/b.md", "d/c.txt"}), "d/a.yaml (or b.md, c.txt)")
}
