package testrun

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

const corpus = "../../testdata/testruns/runs.jsonl"

// A record is a real run with the truth about it; see the README of the corpus.
type record struct {
	ID        string `json:"id"`
	Runner    string `json:"runner"`
	Command   string `json:"command"`
	Stdout    string `json:"stdout"`
	Stderr    string `json:"stderr"`
	Exit      int    `json:"exit"`
	Kind      string `json:"kind"`
	Decidable bool   `json:"decidable"`
	Shown     []string
	Truth     struct {
		Result                  string
		Passed, Failed, Skipped *int
		Coverage                *float64
		Failing                 []string
		Alt                     struct {
			Result                  []string
			Passed, Failed, Skipped []int
		}
	}
}

// run is the record as the rule hands it over.
func (r *record) run() Run {
	out := r.Stdout
	if out != "" && r.Stderr != "" {
		out += "\n"
	}
	exit := Status(r.Command, r.Exit, notEveryday)
	return Run{Command: r.Command, Output: out + r.Stderr, Exit: exit, Hidden: !exit.Known}
}

// notEveryday takes any command for a test that is not plainly none: the corpus
// runs scripts that only the configuration of a project would tell.
func notEveryday(simple string) bool {
	word, _, _ := strings.Cut(simple, " ")
	return !slices.Contains([]string{"", "cd", "echo", "cat", "tail", "head", "grep", "tee", "true", "set", "git", "ls", "sed", "fi", "done"}, word)
}

func (r *record) verdicts() []Verdict {
	if !r.Decidable {
		return []Verdict{Inconclusive}
	}
	var list []Verdict
	for _, result := range append([]string{r.Truth.Result}, r.Truth.Alt.Result...) {
		list = append(list, map[string]Verdict{"passed": Passed, "failed": Failed, "none": Inconclusive}[result])
	}
	return list
}

// wrong tells which of the printed numbers a report has wrong.
func (r *record) wrong(got Report) []string {
	var list []string
	count := func(name string, got Count, want *int, alt []int) {
		if !slices.Contains(r.Shown, name) {
			return
		}
		if !got.Known || want == nil || got.N != *want && !slices.Contains(alt, got.N) {
			list = append(list, fmt.Sprintf("%s %+v, not %d", name, got, *want))
		}
	}
	count("passed", got.Passed, r.Truth.Passed, r.Truth.Alt.Passed)
	count("failed", got.Failed, r.Truth.Failed, r.Truth.Alt.Failed)
	count("skipped", got.Skipped, r.Truth.Skipped, r.Truth.Alt.Skipped)
	if slices.Contains(r.Shown, "coverage") && (!got.Coverage.Found || got.Coverage.Percent != *r.Truth.Coverage) {
		list = append(list, fmt.Sprintf("coverage %v, not %v", got.Coverage, *r.Truth.Coverage))
	}
	if slices.Contains(r.Shown, "failing") {
		for _, name := range r.Truth.Failing {
			if !slices.ContainsFunc(got.Failing, func(g string) bool { return strings.Contains(g, name) }) {
				list = append(list, fmt.Sprintf("failing %q lacks %q", got.Failing, name))
			}
		}
	}
	return list
}

func readCorpus(t testing.TB) []record {
	f, err := os.Open(corpus)
	assert.NilError(t, err)
	defer f.Close()
	var list []record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var r record
		assert.NilError(t, json.Unmarshal(lines.Bytes(), &r))
		if r.Kind != "not-a-test" {
			list = append(list, r)
		}
	}
	assert.NilError(t, lines.Err())
	return list
}

// misses are the records that are judged wrong or have a printed number wrong,
// with the reason why that is accepted. A new one fails the test, and so does
// one that is right by now.
var misses = map[string]string{}

// TestCorpus judges every run of the corpus, and with -v shows how many verdicts
// and printed numbers of each runner are right.
func TestCorpus(t *testing.T) {
	type score struct{ runs, verdicts, shown, numbers int }
	scores := map[string]*score{}
	missed := map[string]bool{}
	for _, r := range readCorpus(t) {
		sc := scores[r.Runner]
		if sc == nil {
			sc = &score{}
			scores[r.Runner] = sc
		}
		got := Read(r.run())
		wrong := r.wrong(got)
		sc.runs++
		sc.shown += len(r.Shown)
		sc.numbers += len(r.Shown) - min(len(wrong), len(r.Shown))
		if want := r.verdicts(); slices.Contains(want, got.Verdict) {
			sc.verdicts++
		} else {
			wrong = append(wrong, fmt.Sprintf("%s, not %s (%s)", got.Verdict, want, strings.Join(got.Runners, ", ")))
		}
		if got.Verdict == Failed && got.Error == "" {
			wrong = append(wrong, "no error")
		}
		if len(wrong) > 0 {
			missed[r.ID] = true
			if _, known := misses[r.ID]; !known {
				t.Errorf("%s: %s\n%s", r.ID, r.Command, strings.Join(wrong, "\n"))
			}
		}
		t.Logf("%s: %s %v: %s", r.ID, got.Verdict, got.Runners, got.Error)
	}
	for id := range misses {
		assert.Check(t, missed[id], "%s is right by now: take it off the list", id)
	}
	for _, runner := range slices.Sorted(maps.Keys(scores)) {
		sc := scores[runner]
		t.Logf("%-12s %3d/%3d verdicts, %3d/%3d printed numbers", runner, sc.verdicts, sc.runs, sc.numbers, sc.shown)
	}
}
