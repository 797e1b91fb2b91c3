package conformance

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// summary counts what became of the cases, over all parallel tests.
var summary = struct {
	sync.Mutex
	counts   map[string]map[form]*count
	remarks  map[string]string // why the cases of a program were not run
	known    []string          // known failures that failed
	unproved []string          // programs without vectors
}{counts: map[string]map[form]*count{}, remarks: map[string]string{}}

type count struct{ passed, of int }

func tally(program string, f form, passed bool) {
	summary.Lock()
	defer summary.Unlock()
	if summary.counts[program] == nil {
		summary.counts[program] = map[form]*count{}
	}
	c := summary.counts[program][f]
	if c == nil {
		c = new(count)
		summary.counts[program][f] = c
	}
	c.of++
	if passed {
		c.passed++
	}
}

func remark(program, why string) {
	summary.Lock()
	defer summary.Unlock()
	summary.remarks[program] = why
}

func noteKnown(key, reason string) {
	summary.Lock()
	defer summary.Unlock()
	summary.known = append(summary.known, key+": "+reason)
}

func noteUnproved(programs []string) {
	summary.Lock()
	defer summary.Unlock()
	summary.unproved = programs
}

// printSummary writes a line for each program that was run, and the sum.
func printSummary(out io.Writer) {
	summary.Lock()
	defer summary.Unlock()
	total := map[form]*count{}
	for _, program := range slices.Sorted(maps.Keys(summary.counts)) {
		counts := summary.counts[program]
		fmt.Fprintf(out, "conformance %s %s\n", program, inForms(counts))
		for f, c := range counts {
			if total[f] == nil {
				total[f] = new(count)
			}
			total[f].of += c.of
			total[f].passed += c.passed
		}
	}
	for _, program := range slices.Sorted(maps.Keys(summary.remarks)) {
		fmt.Fprintf(out, "conformance %s: %s\n", program, summary.remarks[program])
	}
	for _, program := range summary.unproved {
		fmt.Fprintf(out, "conformance %s: no vectors\n", program)
	}
	slices.Sort(summary.known)
	for _, failure := range summary.known {
		fmt.Fprintf(out, "conformance known failure %s\n", failure)
	}
	if len(summary.counts) > 0 {
		fmt.Fprintf(out, "conformance total of %d programs: %s\n", len(summary.counts), inForms(total))
	}
}

func inForms(counts map[form]*count) string {
	var parts []string
	for _, f := range forms {
		if c := counts[f]; c != nil {
			parts = append(parts, fmt.Sprintf("%d/%d %s", c.passed, c.of, f))
		}
	}
	return strings.Join(parts, ", ")
}
