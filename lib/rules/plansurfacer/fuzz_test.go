package plansurfacer

import (
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzFindings holds that no plan makes the judgement panic or take long, and
// that what it says can be printed.
func FuzzFindings(f *testing.F) {
	for _, seed := range []string{
		"Format: v2.0\n## Phase 06: Implementation\n- [ ] T0001 do | traces: FR-1\n  files: a.go\n  blocked_by: T0002\n- [ ] T0002 x\n  blocked_by: [T0001]\n## Dependency Graph\n",
		"Format:\tv2.0\n## Phase 06\n", "Format: v2.0\r\n## Phase 06: Implementation\r\n- [X] T1\r\n  blocks: T1, T2\r\n## x", "## Dependency Graph", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, plan string) {
		start := time.Now()
		found := findings(plan)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("took %s", d)
		}
		for _, text := range found {
			if text == "" || utf8.ValidString(plan) && !utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
		}
	})
}
