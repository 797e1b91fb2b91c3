package blastradiusvalidator

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"
)

func TestAffectedFiles(t *testing.T) {
	for _, test := range []struct {
		line string
		want []affected
	}{
		{"| `a.go` | MODIFY | why |", []affected{{"a.go", "MODIFY"}}},
		{"|`a.go`|CREATE|", []affected{{"a.go", "CREATE"}}},
		{"|\u00a0` a b.go ` \t|\u2003DELETE\ufeff| x", []affected{{"a b.go", "DELETE"}}},
		{"| `a|b.go` | MODIFY |", []affected{{"a|b.go", "MODIFY"}}},
		{"| `a.go` | MODIFY |\r", []affected{{"a.go", "MODIFY"}}},
		{"| `a.go` | MODIFY", nil},
		{"| `a.go` | MODIFY it |", nil},
		{"| `a.go` | MODIFYCREATE |", nil},
		{"| `a.go` | NO  CHANGE |", nil},
		{"| `a.go` (new) | CREATE |", nil},
		{"| a.go | CREATE |", nil},
		{"| `` | CREATE |", nil},
		{"| `a.go | CREATE |", nil},
		{"| x | `a.go` | CREATE |", nil},
		{" | `a.go` | CREATE |", nil},
		{"| `a.go` | modify |", nil},
		{"| `a.go`\n| MODIFY |", nil},
		{"| `a.go` | NO CHANGE |\n| `b.go` | DELETE |\n| `a.go` | MODIFY |\n| `b.go` | CREATE |", []affected{{"b.go", "DELETE"}, {"a.go", "MODIFY"}}},
	} {
		assert.Assert(t, slices.Equal(affectedFiles(test.line), test.want), "%q gives %v", test.line, affectedFiles(test.line))
	}
}

func TestDeferrals(t *testing.T) {
	for _, test := range []struct {
		line     string
		deferred bool
	}{
		{"| `f` | MODIFY | deferred | later |", true},
		{"|`f`|m|DeFerred|x|", true},
		{"| ` f ` | NO CHANGE 2_x | deferred | a | b |", true},
		{"| `f` | MODIFY | deferred | später – 後で |\r", true},
		{"| `f` | MODIFY | deferred | |", false},
		{"| `f` | MODIFY | deferred | \u00a0\u2028 |", false},
		{"| `f` | MODIFY | deferred | one\u2028two |", false},
		{"| `f` | MODIFY | deferred | one\rtwo |", false},
		{"| `f` | MODIFY | deferred |", false},
		{"| `f` | MODIFY | deferred | later", false},
		{"| `f` | MODIFY | deferred | later | ", false},
		{"| `f` | NEU-BAU | deferred | later |", false},
		{"| `f` | É | deferred | later |", false},
		{"| `f` | | deferred | later |", false},
		{"| `f` | MODIFY | covered | deferred |", false},
		{"| `f` | MODIFY | deferred soon | later |", false},
		{"- `f` | MODIFY | deferred | later |", false},
	} {
		want := []string(nil)
		if test.deferred {
			want = []string{"f"}
		}
		assert.Assert(t, slices.Equal(deferrals(test.line), want), "%q", test.line)
	}
	assert.DeepEqual(t, deferrals("| `f` | MODIFY | deferred | later |\n| `f` | MODIFY | unaddressed | no |"), []string{"f"})
}
