package discovermenuguard

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// The specification gives regular expressions (31 §2.1); the program reads
// without an engine for them. These are what it is held against.
var (
	numberedPattern = pattern.Pattern{Expr: `\[\d+\]|\d+\.\s|option\s+\d`, Fold: true}
	namedPattern    = pattern.Pattern{Expr: `new\s+project|existing\s+project|scoped\s+analysis|auto[- ]?detect`, Fold: true}
	optionPatterns  = map[string]*pattern.Pattern{
		"New Project":      {Expr: `new\s+project`, Fold: true},
		"Existing Project": {Expr: `existing\s+project`, Fold: true},
		"Chat/Explore":     {Expr: `chat|explore`, Fold: true},
		"Scoped Analysis":  {Expr: `scoped\s+analysis`, Fold: true},
		"Auto-detect":      {Expr: `auto[- ]?detect`, Fold: true},
	}
)

func TestMenuIsTheSpecification(t *testing.T) {
	pieces := []string{
		"[", "]", "1", "23", "٣", ".", "1.", "[4]", "option", "Option", "adoption", "new", "New", "project", "PROJECT", "existing", "Exiſting",
		"chat", "explored", "scoped", "analysis", "auto", "-", "detect", "Detect", strings.Repeat("😀", 10), "filler text",
	}
	between := []string{"", "", " ", " ", "\n", "\r\n", "\u00a0", "\u2028", "\ufeff", "_", "  "}
	rnd := rand.New(rand.NewPCG(5, 6))
	menus := 0
	for range 40000 {
		var b strings.Builder
		for range 1 + rnd.IntN(16) {
			b.WriteString(pieces[rnd.IntN(len(pieces))] + between[rnd.IntN(len(between))])
		}
		s := b.String()
		menu := text.Units(s) >= 50 && numberedPattern.In(s)
		assert.Equal(t, isMenu(s), menu, "%q", s)
		assert.Equal(t, namesOption(s), namedPattern.In(s), "%q", s)
		var wantMissing, wantForbidden []string
		for _, name := range []string{"New Project", "Existing Project", "Chat/Explore"} {
			if !optionPatterns[name].In(s) {
				wantMissing = append(wantMissing, name)
			}
		}
		for _, name := range []string{"Scoped Analysis", "Auto-detect"} {
			if optionPatterns[name].In(s) {
				wantForbidden = append(wantForbidden, name)
			}
		}
		missing, forbidden := findings(s)
		assert.DeepEqual(t, missing, wantMissing)
		assert.DeepEqual(t, forbidden, wantForbidden)
		if menu {
			menus++
		}
	}
	assert.Assert(t, menus > 0)
}

func TestJudged(t *testing.T) {
	const (
		menu    = "How would you like to start?\n[1] New Project\n[2] Existing Project\n[3] Scoped Analysis"
		tasks   = "Work on these in turn, please: 1. the parser 2. the printer 3. the tests of both"
		report  = "I discovered two things: 1. the parser is wrong 2. the printer is, too. Nothing else."
		nothing = "There is nothing to be shown."
	)
	for _, test := range []struct {
		why    string
		call   phase.Call
		result string
		want   string
	}{
		{"the result of the orchestrator", phase.Call{Agent: "d0"}, menu, menu},
		{"a list of the orchestrator is one, too", phase.Call{Agent: "discovery"}, tasks, tasks},
		{"a prompt that names discover", phase.Call{Agent: "x", Prompt: "Undiscovered land"}, menu, menu},
		{"a description that does", phase.Call{Agent: "x", Description: "/discover"}, menu, menu},
		{"the name of another agent does not", phase.Call{Agent: "discovery-agent"}, menu, ""},
		{"the prompt, where the result is none", phase.Call{Agent: "d0", Prompt: menu}, nothing, menu},
		{"the prompt of a background call", phase.Call{Agent: "d0", Prompt: menu}, "", menu},
		{"the result decides", phase.Call{Agent: "d0", Prompt: menu}, tasks, tasks},
		{"tasks in a prompt are no menu", phase.Call{Agent: "d0", Prompt: tasks}, nothing, ""},
		{"no call of the discovery, but its menu", phase.Call{Agent: "x"}, menu + " Discover", menu + " Discover"},
		{"no call of the discovery, and a report", phase.Call{Agent: "x"}, report, ""},
		{"no call of the discovery, its menu in the prompt", phase.Call{Agent: "x", Prompt: menu}, nothing, ""},
		{"a dotted capital is no i", phase.Call{Agent: "x", Prompt: "DİSCOVER"}, menu, ""},
	} {
		assert.Equal(t, judged(test.call, test.result), test.want, test.why)
	}
}
