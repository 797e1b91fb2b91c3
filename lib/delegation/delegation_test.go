package delegation

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestAction(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`analyze "x"`, "analyze"},
		{"analyze-all", "analyze"},
		{"ANALYZE", "ANALYZE"},
		{"--verbose -l analyze x", "analyze"},
		{"-v\tadd", "add"},
		{"-v\u00a0\u3000add", "add"},
		{"--verbose\nanalyze", "analyze"},
		{"add.", "add"},
		{"addé", "add"},
		{"feature add", "feature"},
		{"_x1 add", "_x1"},
		{" analyze", ""},
		{`"analyze" x`, ""},
		{"#42 analyze", ""},
		{"--analyze", ""},
		{"--no-scan analyze", ""},
		{"--mode=deep analyze", ""},
		{"---v analyze", ""},
		{"-- analyze", ""},
		{"--größe analyze", ""},
		{"ünalyze", ""},
		{"-v ", ""},
		{"", ""},
	} {
		assert.Equal(t, action(c.args), c.want, "%q", c.args)
	}
}

func TestExempt(t *testing.T) {
	for _, args := range []string{"add", "-v ADD x", "Analyze: it"} {
		assert.Assert(t, Exempt(args), "%q", args)
	}
	for _, args := range []string{"", "adding", "feature add", "\u212aadd"} {
		assert.Assert(t, !Exempt(args), "%q", args)
	}
}
