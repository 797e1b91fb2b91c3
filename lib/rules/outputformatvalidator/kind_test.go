package outputformatvalidator

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestKindOf(t *testing.T) {
	for path, want := range map[string]string{
		"docs/old-user-stories.json":      "user-stories.json",
		"docs/user-stories.json.md":       "",
		"a/traceability-matrix.csv":       "traceability-matrix.csv",
		"a/Traceability-matrix.csv":       "",
		"adr-1-test-strategy.md":          "test-strategy.md",
		"docs/adr-notes/readme.md":        "adr",
		"quadr-1.md":                      "adr",
		"ADR-12.MD":                       "adr",
		"adr-.md":                         "adr",
		"adr-md":                          "",
		"adr.md":                          "",
		"docs/adr-1\n/x.md":               "",
		"docs/adr-1\n/adr-2.md":           "adr",
		"docs/adr-1.md/":                  "",
		"docs/requirements/user-stories/": "",
	} {
		got := ""
		if k := kindOf(path); k != nil {
			got = k.name
		}
		assert.Check(t, got == want, "%q: %q", path, got)
	}
}

func TestMissing(t *testing.T) {
	for _, test := range []struct{ path, data, want string }{
		{"user-stories.json", `{"stories": "US-1"}`, "stories (array)"},
		{"user-stories.json", `[{"id": 1}]`, "stories (array)"},
		{"user-stories.json", `{"stories": [{"id": 0, "title": "t", "acceptance_criteria": []}]}`, "stories[0].id"},
		{"user-stories.json", `{"stories": [7]}`, "stories[0].id stories[0].title stories[0].acceptance_criteria"},
		{"traceability-matrix.csv", "\nid,requirement,test,status\n", "id requirement test status"},
		{"traceability-matrix.csv", "\ufeff \u3000\n", "non-empty content (the file is empty)"},
		{"traceability-matrix.csv", "status,\xff", "id test"},
		{"test-strategy.md", "the STRATEGY is in scope", "Entry/Exit Criteria"},
		{"adr-1.md", "Status, context and rationale", "Decision"},
	} {
		got := strings.Join(kindOf(test.path).missing([]byte(test.data)), " ")
		assert.Check(t, got == test.want, "%q: %q", test.data, got)
	}
}
