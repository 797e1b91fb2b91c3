package taskie

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

func TestMain(m *testing.M) {
	if beReviewer() {
		return
	}
	hooktest.Main(m)
}

// TestLoop goes through whole cycles with the pure table: each line is a review.
func TestLoop(t *testing.T) {
	type review struct {
		clean   bool
		next    string // phase afterwards
		cycle   Cycle
		advance bool
	}
	for name, c := range map[string]struct {
		kind    Kind
		target  string
		reviews []review
	}{
		"two clean ones in a row": {kinds[0], "create-tasks", []review{
			{false, "post-plan-review", Cycle{1, "sonnet", 0}, false},
			{true, "post-plan-review", Cycle{2, "opus", 1}, false},
			{true, "create-tasks", Cycle{3, "sonnet", 2}, true},
		}},
		"a finding in between begins again": {kinds[1], "complete-task", []review{
			{true, "post-tasks-review", Cycle{1, "sonnet", 1}, false},
			{false, "post-tasks-review", Cycle{2, "opus", 0}, false},
			{true, "post-tasks-review", Cycle{3, "sonnet", 1}, false},
			{true, "complete-task", Cycle{4, "opus", 2}, true},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			cycle := Cycle{Model: "opus"}
			for _, r := range c.reviews {
				m := Next(c.kind, cycle, r.clean, c.target)
				assert.DeepEqual(t, m, Move{Phase: c.kind.Name, NextPhase: r.next, Cycle: r.cycle, Advance: r.advance, Counted: true})
				cycle = m.Cycle
			}
		})
	}
}

func TestMoveFields(t *testing.T) {
	code := kinds[2]
	done := Cycle{Iteration: 4, Model: "haiku", Clean: 1}
	for name, c := range map[string]struct {
		move   Move
		fields []Field
		adds   bool
	}{
		"advance": {Next(code, done, true, "complete-task"), []Field{
			{"phase", "code-review"}, {"next_phase", "complete-task"},
			{"phase_iteration", int64(5)}, {"review_model", "opus"}, {"consecutive_clean", int64(2)}}, true},
		"advance into a new cycle": {Next(code, done, true, "all-code-review"), []Field{
			{"phase", "code-review"}, {"next_phase", "all-code-review"},
			{"phase_iteration", int64(0)}, {"review_model", "opus"}, {"consecutive_clean", int64(0)}}, true},
		"no reviews wanted": {Skip(code, "complete-task"), []Field{
			{"phase", "code-review"}, {"next_phase", "complete-task"}}, false},
		"no reviews wanted, a new cycle": {Skip(code, "all-code-review"), []Field{
			{"phase", "code-review"}, {"next_phase", "all-code-review"},
			{"phase_iteration", int64(0)}, {"review_model", "opus"}, {"consecutive_clean", int64(0)}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.DeepEqual(t, c.move.Fields(), c.fields)
			assert.Equal(t, len(c.move.Defaults()) > 0, c.adds)
		})
	}
}

func TestTarget(t *testing.T) {
	for _, c := range []struct {
		kind         string
		tdd, pending bool
		want         string
	}{
		{planReview, true, true, "create-tasks"},
		{tasksReview, false, false, "complete-task"},
		{tasksReview, true, false, "complete-task-tdd"},
		{codeReview, false, true, "complete-task"},
		{codeReview, true, true, "complete-task-tdd"},
		{codeReview, true, false, "all-code-review"},
		{allCodeReview, true, true, "complete"},
	} {
		kind, ok := kindOf(c.kind)
		assert.Assert(t, ok)
		assert.Equal(t, kind.Target(c.tdd, c.pending), c.want, "%+v", c)
	}
}

func TestStateDefaults(t *testing.T) {
	none := State{Limit: 8, Cycle: Cycle{Model: "opus"}}
	for text, change := range map[string]func(*State){
		`{}`: func(*State) {},
		`{"max_reviews": null, "current_task": null, "phase_iteration": null, "review_model": null, "consecutive_clean": null, "tdd": null}`: func(*State) {},
		`{"max_reviews": [], "current_task": {}, "phase_iteration": true, "review_model": 3, "consecutive_clean": "x", "tdd": 1}`:            func(*State) {},
		`{"max_reviews": "12"}`:                       func(s *State) { s.Limit = 12 },
		`{"max_reviews": "-1"}`:                       func(*State) {},
		`{"max_reviews": ""}`:                         func(*State) {},
		`{"max_reviews": -1}`:                         func(s *State) { s.Limit = -1 },
		`{"max_reviews": 2.5}`:                        func(s *State) { s.Limit = 2.5 },
		`{"max_reviews": 0.0}`:                        func(s *State) { s.Limit = 0 },
		`{"max_reviews": 1e400}`:                      func(s *State) { s.Limit = math.Inf(1) },
		`{"phase_iteration": 2.9}`:                    func(s *State) { s.Iteration = 2 },
		`{"phase_iteration": 2e1}`:                    func(s *State) { s.Iteration = 20 },
		`{"phase_iteration": "007"}`:                  func(s *State) { s.Iteration = 7 },
		`{"phase_iteration": "2.9"}`:                  func(*State) {},
		`{"phase_iteration": -3}`:                     func(*State) {},
		`{"phase_iteration": -0.5}`:                   func(*State) {},
		`{"phase_iteration": 1e300}`:                  func(s *State) { s.Iteration = 1 << 62 },
		`{"consecutive_clean": 99999999999999999999}`: func(s *State) { s.Clean = math.MaxInt64 - 1 },
		`{"consecutive_clean": 9007199254740993}`:     func(s *State) { s.Clean = 9007199254740993 },
		`{"current_task": ""}`:                        func(s *State) { s.Task = TaskID{"", true} },
		`{"current_task": 3.0}`:                       func(s *State) { s.Task = TaskID{"3", true} },
		`{"current_task": 12345678901234567890}`:      func(s *State) { s.Task = TaskID{"12345678901234567890", true} },
		`{"review_model": " "}`:                       func(s *State) { s.Model = " " },
		`{"tdd": "true"}`:                             func(s *State) { s.TDD = true },
		`{"tdd": "True"}`:                             func(*State) {},
	} {
		doc, err := parseState([]byte(text))
		assert.NilError(t, err)
		want := none
		change(&want)
		assert.Equal(t, stateOf(doc), want, "%s", text)
	}
	assert.Equal(t, stateOf(nil), none)
}

func TestParseTasks(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []Task
	}{
		"spec columns":        {"| Id | Status |\n|--|--|\n| 1 | done |\n", []Task{{"1", " done "}}},
		"CRLF, no last end":   {"| Id | Status |\r\n|--|--|\r\n| 1 | done |", []Task{{"1", " done "}}},
		"status elsewhere":    {"| Id | Title | STATUS |\n|-|-|-|\n| 1 | pending things | done |\n", []Task{{"1", " done "}}},
		"no status column":    {"| Id | State |\n|-|-|\n| 1 | pending |\n", []Task{{"1", " pending "}}},
		"row without it":      {"| Id | Title | Status |\n|-|-|-|\n| 1 | pending\n", []Task{{"1", ""}}},
		"other lines between": {"# Tasks\n| Id | Status |\n\n|-|-|\n | 8 | x |\n| 1\t 2 | a |\ntext\n|| b |\n", []Task{{"12", " a "}, {"", " b "}}},
		"no rows":             {"| Id | Status |\n|-|-|\n", nil},
		"nothing":             {"", nil},
	} {
		t.Run(name, func(t *testing.T) { assert.DeepEqual(t, parseTasks(c.text), c.want) })
	}
}

func TestIsClean(t *testing.T) {
	for output, want := range map[string]bool{
		`{"result":{"verdict":"PASS"}}`:                                              true,
		"\n " + `{"result":{"verdict":"PASS"}}` + "\n":                               true,
		`{"result":{"verdict":true},"structured_output":{"verdict":"PASS"}}`:         true,
		`{"result":{"verdict":"FAIL"},"structured_output":{"verdict":"PASS"}}`:       false,
		`{"result":"{\"verdict\":\"PASS\"}"}`:                                        true,
		`{"result":"{\"verdict\":\"PASS\"}","structured_output":{"verdict":"FAIL"}}`: false,
		`{"result":"{\"verdict\":\"PASS\"} indeed"}`:                                 false,
		`{"result":"PASS"}`:                                                              false,
		`{"verdict":"PASS"}`:                                                             false,
		`{"result":{"verdict":"PASS "}}`:                                                 false,
		`{"result":{"verdict":"PASS"}} {}`:                                               false,
		`[{"result":{"verdict":"PASS"}}]`:                                                false,
		`"{\"result\":{\"verdict\":\"PASS\"}}"`:                                          false,
		`{"result":[{"verdict":"PASS"}]}`:                                                false,
		`{"result":"[{\"verdict\":\"PASS\"}]"}`:                                          false,
		`{"result":{"verdict":"FAIL"},"result":{"verdict":"PASS"}}`:                      true, // the last of a repeated name
		`{"result":` + strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000) + `}`: false,
		``: false,
	} {
		assert.Equal(t, isClean([]byte(output)), want, "%.100s", output)
	}
}

func TestReviewTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"":      570 * time.Second,
		"0":     570 * time.Second,
		"-1":    570 * time.Second,
		"NaN":   570 * time.Second,
		"inf":   570 * time.Second,
		"1e999": 570 * time.Second,
		"5s":    570 * time.Second,
		"30":    30 * time.Second,
		"0.25":  250 * time.Millisecond,
		"1e300": math.MaxInt64,
	} {
		assert.Equal(t, reviewTimeout(text), want, "%q", text)
	}
}

func TestNames(t *testing.T) {
	for name, valid := range map[string]bool{
		"plan.md": true, "design.md": true, "tasks.md": true, "Plan.md": false,
		"task-1.md": true, "task-.md": false, "task-1.5.md": false, "task-ü.md": false, "task-1_a-B.md": true, "task.md": false,
		"plan-review-01.md": true, "plan-review-.md": false, "plan-review-٣.md": false, "plan-review-1-2.md": false,
		"design-post-review-3.md": true, "tasks-post-review-3.md": true, "all-code-post-review-3.md": true, "all-code-review-3.md": true,
		"code-review-1.md": false, "code-post-review-1.md": false, "tasks-1.md": false, "plan.md.md": false, "plan-post-review-1a.md": false,
	} {
		assert.Equal(t, validName(name), valid, name)
	}
	for name, review := range map[string]string{
		"plan-post-review-1.md":               "plan-review-1.md",
		"task-1-post-review-1b.md":            "task-1-review-1b.md",
		"task-post-review-x-post-review-2.md": "task-review-x-post-review-2.md",
		"task-post-review-post-review-2.md":   "task-review-post-review-2.md",
		"plan-post-review-a.md":               "",
		"post-review-1.md":                    "",
		"a-post-review-.md":                   "",
	} {
		got, ok := reviewBefore(name)
		assert.Equal(t, got, review, name)
		assert.Equal(t, ok, review != "", name)
	}
}

// inPlan makes an empty plan the only one of the working directory.
func inPlan(t *testing.T, files map[string]string) Plan {
	t.Helper()
	t.Chdir(t.TempDir())
	p := Plan{"billing"}
	assert.NilError(t, os.MkdirAll(p.Path(""), 0o755))
	for name, text := range files {
		assert.NilError(t, os.WriteFile(p.Path(name), []byte(text), 0o644))
	}
	return p
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	assert.NilError(t, err)
	return string(data)
}

func TestWriteState(t *testing.T) {
	p := inPlan(t, map[string]string{"real.json": "\ufeff" + `{"n":12345678901234567890,"e":1e21,"one":1.0,"phase":"x","current_task":null,
"é<&>":"\u00e9 <&>","max_reviews":"3"}`})
	assert.NilError(t, os.Chmod(p.Path("real.json"), 0o600))
	assert.NilError(t, os.Symlink("real.json", p.Path(stateName)))

	move := Next(kinds[0], Cycle{Model: "opus"}, false, "create-tasks")
	assert.NilError(t, writeState(p, move.Fields(), move.Defaults()))
	assert.Equal(t, read(t, p.Path("real.json")), `{
  "n": 12345678901234567890,
  "e": 1e21,
  "one": 1.0,
  "phase": "plan-review",
  "current_task": null,
  "é<&>": "\u00e9 <&>",
  "max_reviews": "3",
  "next_phase": "post-plan-review",
  "phase_iteration": 1,
  "review_model": "sonnet",
  "consecutive_clean": 0,
  "tdd": false
}
`)
	info, err := os.Stat(p.Path("real.json"))
	assert.NilError(t, err)
	assert.Equal(t, info.Mode().Perm(), os.FileMode(0o600))
	link, err := os.Readlink(p.Path(stateName))
	assert.NilError(t, err)
	assert.Equal(t, link, "real.json")
	left, err := filepath.Glob(p.Path(".*"))
	assert.NilError(t, err)
	assert.Equal(t, len(left), 0, "%q", left)
}

func TestNewestPlan(t *testing.T) {
	hour := func(n int) time.Time { return time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		files map[string]time.Time // below the plans folder
		links map[string]string
		want  string
	}{
		"the latest file":               {files: map[string]time.Time{"a/plan.md": hour(1), "b/state.json": hour(2), "c/plan.md": hour(1)}, want: "b"},
		"the first by name on a tie":    {files: map[string]time.Time{"b/x.md": hour(1), "a/x.md": hour(1), ".c/x.md": hour(1)}, want: ".c"},
		"other names and places":        {files: map[string]time.Time{"a/.md": hour(1), "b/x.MD": hour(2), "c/state.json.tmp": hour(2), "d/e/x.md": hour(2), "x.md": hour(2)}, want: "a"},
		"a link to a file is no file":   {files: map[string]time.Time{"a/x.md": hour(1), "b/x.txt": hour(2)}, links: map[string]string{"b/x.md": "x.txt"}, want: "a"},
		"nor one to a directory a plan": {files: map[string]time.Time{"a/x/x.md": hour(1)}, links: map[string]string{"b": "a/x"}, want: ""},
		"nothing but a directory":       {files: map[string]time.Time{"a/x.md/y": hour(1)}, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, modified := range c.files {
				file = filepath.Join(plansFolder, file)
				assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				assert.NilError(t, os.WriteFile(file, nil, 0o644))
				assert.NilError(t, os.Chtimes(file, modified, modified))
			}
			for link, to := range c.links {
				assert.NilError(t, os.Symlink(to, filepath.Join(plansFolder, link)))
			}
			plan, ok, err := newestPlan()
			assert.NilError(t, err)
			assert.Equal(t, plan.ID, c.want)
			assert.Equal(t, ok, c.want != "")
		})
	}
}

func TestTableFault(t *testing.T) {
	for text, want := range map[string]string{
		"| Id | Status |\n|-|-|\n":                  "",
		"| Id | Status |\r\n\r\n|-|-|\r\n| 1 | x |": "",
		"||":           "",
		"| Id |\n|":    "non-table line, number 2",
		"| Id |\r\r\n": "non-table line, number 1",
		"| Id | \r\n":  "non-table line, number 1",
		"# Tasks":      "non-table line, number 1",
		"":             "no table rows",
		"\n\r\n":       "no table rows",
	} {
		p := inPlan(t, map[string]string{tasksName: text})
		fault, err := tableFault(p)
		assert.NilError(t, err)
		assert.Equal(t, fault == "", want == "", "%q: %s", text, fault)
		assert.Assert(t, strings.Contains(fault, want), "%q: %s", text, fault)
	}
}

const due = `{"max_reviews": 8, "current_task": null, "phase": "new-plan", "phase_iteration": 0, "next_phase": "plan-review", "review_model": "opus", "consecutive_clean": 0, "tdd": false}`

// hook answers an event with a reviewer that is a function.
func hook(t *testing.T, run Runner, env map[string]string, event string) Answer {
	t.Helper()
	h := &Hook{
		Getenv: func(name string) string { return env[name] },
		Find:   func(string) (string, error) { return "/usr/bin/claude", nil },
		Run:    run,
	}
	return h.Answer(strings.NewReader(event))
}

func nobody(t *testing.T) Runner {
	return func(context.Context, Command) ([]byte, error) {
		t.Error("a reviewer was started")
		return nil, nil
	}
}

// A reviewer may take minutes: what others write to the state file meanwhile
// stays, and the log holds what it says.
func TestReviewWhileTheStateChanges(t *testing.T) {
	p := inPlan(t, map[string]string{"plan.md": "# Plan\n", stateName: due, ".review-1.log": "old"})
	answer := hook(t, func(_ context.Context, c Command) ([]byte, error) {
		_, err := c.Stderr.Write([]byte("working"))
		assert.NilError(t, err)
		assert.Equal(t, read(t, p.Path(".review-1.log")), "working")
		assert.NilError(t, os.WriteFile(p.Path(stateName), []byte(`{"max_reviews": 3, "next_phase": "plan-review", "note": "new"}`), 0o644))
		assert.NilError(t, os.WriteFile(p.Path("plan-review-1.md"), nil, 0o644))
		return []byte(`{"result":{"verdict":"PASS"}}`), nil
	}, nil, `{}`)
	assert.Assert(t, strings.Contains(answer.Block, "post-plan-review"), "%+v", answer)
	assert.Equal(t, len(answer.Warnings), 0)
	doc, err := readState(p)
	assert.NilError(t, err)
	assert.Equal(t, string(doc.Compact()), `{"max_reviews":3,"next_phase":"post-plan-review","note":"new","phase":"plan-review","phase_iteration":1,"review_model":"sonnet","consecutive_clean":1,"current_task":null,"tdd":false}`)
	_, err = os.Stat(p.Path(".review-1.log"))
	assert.Assert(t, os.IsNotExist(err))
}

func TestFailedReviews(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"exit status":   {&ExitError{Status: 7}, "exit status 7"},
		"signal":        {&ExitError{Status: 137, Signal: "killed"}, "137"},
		"not started":   {errors.New("claude could not be started: exec format error"), "claude"},
		"timed out":     {errTimedOut, "time"},
		"nothing there": {nil, "plan-review-1.md"},
	} {
		t.Run(name, func(t *testing.T) {
			p := inPlan(t, map[string]string{"plan.md": "# Plan\n", stateName: due})
			answer := hook(t, func(context.Context, Command) ([]byte, error) { return nil, c.err }, nil, `{}`)
			assert.Equal(t, answer.Block, "")
			assert.Equal(t, len(answer.Warnings), 1)
			assert.Assert(t, strings.Contains(answer.Warnings[0], c.want), answer.Warnings[0])
			assert.Assert(t, strings.Contains(answer.Message, "validated") && strings.Contains(answer.Message, "review"), answer.Message)
			assert.Equal(t, read(t, p.Path(stateName)), due)
			assert.Equal(t, read(t, p.Path(".review-1.log")), "")
		})
	}
}

func TestInterruptedReviewDoesNotBlock(t *testing.T) {
	p := inPlan(t, map[string]string{"bad name.md": "", stateName: due})
	answer := hook(t, func(context.Context, Command) ([]byte, error) { return nil, errInterrupted }, nil, `{}`)
	assert.Equal(t, answer.Block, "")
	assert.Equal(t, len(answer.Warnings), 1)
	assert.Equal(t, read(t, p.Path(stateName)), due)
}

func TestWhatGoesWrongInsideApproves(t *testing.T) {
	p := inPlan(t, map[string]string{"plan.md": "# Plan\n", stateName: due})
	for name, run := range map[string]Runner{
		"a panic": func(context.Context, Command) ([]byte, error) { panic("oops") },
		"a state that cannot be written": func(context.Context, Command) ([]byte, error) {
			assert.NilError(t, os.WriteFile(p.Path("plan-review-1.md"), nil, 0o644))
			return nil, os.WriteFile(p.Path(stateName), []byte("broken"), 0o644)
		},
	} {
		answer := hook(t, run, nil, `{}`)
		assert.Equal(t, answer.Block, "", name)
		assert.Assert(t, answer.Message != "", name)
		assert.Equal(t, len(answer.Warnings), 1, name)
		assert.Equal(t, answer.Refused, "", name)
		assert.NilError(t, os.WriteFile(p.Path(stateName), []byte(due), 0o644))
	}
}

// The stop that follows a block (spec 05 H.1).
func TestStopAfterABlock(t *testing.T) {
	const again = `{"stop_hook_active": true}`
	answered := strings.Replace(due, "new-plan", "post-plan-review", 1)
	files := func(state string) map[string]string {
		return map[string]string{"plan.md": "# Plan\n", stateName: state, "bad name.md": ""}
	}
	for name, state := range map[string]string{
		"no post-review before":       due,
		"post-review of another kind": strings.Replace(due, "new-plan", "post-tasks-review", 1),
		"post-review not done":        strings.NewReplacer("new-plan", "plan-review", `"plan-review"`, `"post-plan-review"`).Replace(due),
		"left the loop":               strings.Replace(answered, `"plan-review"`, "null", 1),
		"no state":                    "broken",
		"post- and nothing":           `{"phase": "post-", "next_phase": ""}`,
	} {
		t.Run(name, func(t *testing.T) {
			inPlan(t, files(state))
			assert.DeepEqual(t, hook(t, nobody(t), nil, again), Answer{})
		})
	}
	t.Run("turned off", func(t *testing.T) {
		inPlan(t, files(answered))
		assert.DeepEqual(t, hook(t, nobody(t), map[string]string{"TASKIE_CONTINUE_LOOP": "0"}, again), Answer{})
	})
	t.Run("a directory that is not there", func(t *testing.T) {
		inPlan(t, files(answered))
		assert.DeepEqual(t, hook(t, nobody(t), nil, `{"stop_hook_active": true, "cwd": "elsewhere"}`), Answer{})
	})
	t.Run("post-review done", func(t *testing.T) {
		p := inPlan(t, files(answered))
		answer := hook(t, func(context.Context, Command) ([]byte, error) {
			return nil, os.WriteFile(p.Path("plan-review-1.md"), nil, 0o644)
		}, nil, again)
		assert.Assert(t, strings.Contains(answer.Block, "plan-review-1.md"), "%+v", answer)
	})
	t.Run("the limit holds, and faults of the plan do not block again", func(t *testing.T) {
		inPlan(t, files(strings.Replace(answered, `"phase_iteration": 0`, `"phase_iteration": 8`, 1)))
		answer := hook(t, nobody(t), nil, again)
		assert.Equal(t, answer.Block, "")
		for _, token := range []string{"bad name.md", "max", "8", "plan-review"} {
			assert.Assert(t, strings.Contains(answer.Message, token), answer.Message)
		}
	})
}

// The client's own limit of blocks in a row (spec 05 H.2).
func TestBlockCap(t *testing.T) {
	for _, c := range []struct {
		limit float64
		cap   string
		told  bool
	}{
		{8, "", false}, {9, "", true}, {9, "nonsense", true}, {12, "11", true}, {12, "12", false}, {12, "20", false},
	} {
		text := postReviewRequest(Review{Kind: kinds[0], In: Plan{"a"}, Number: 1}, false, c.limit,
			func(name string) string { return map[string]string{capVariable: c.cap}[name] })
		assert.Equal(t, strings.Contains(text, capVariable), c.told, "%+v", c)
	}
}

func TestRequestNamesWhatPage70Demands(t *testing.T) {
	for _, kind := range kinds {
		for _, clean := range []bool{false, true} {
			r := Review{Kind: kind, In: Plan{`a "b" é`}, Number: 3, Task: TaskID{"7", true}}
			text := postReviewRequest(r, clean, 8, func(string) string { return "" })
			tokens := []string{
				r.File(), r.PostFile(), "post-" + kind.Name, "independent", "state.json", "temp", "mv", "atomic", "push", "null", kind.Fix,
				`"` + kind.Name + `"`, "next_phase", "max_reviews", "current_task", "phase_iteration", "review_model", "consecutive_clean",
			}
			if kind.Name == codeReview || kind.Name == allCodeReview {
				tokens = append(tokens, "tasks.md")
			}
			for _, token := range tokens {
				assert.Assert(t, strings.Contains(text, token), "%s: %s lacks %s", kind.Name, text, token)
			}
		}
	}
}

func TestPromptNamesOnlyThisReview(t *testing.T) {
	const dir = ".taskie/plans/a/"
	for _, c := range []struct {
		kind         string
		names, lacks []string
	}{
		{planReview, []string{dir + "plan.md", dir + "plan-review-3.md"}, []string{"tasks.md", "task-"}},
		{tasksReview, []string{dir + "tasks.md", dir + "task-1.md", dir + "task-2.md", dir + "tasks-review-3.md"}, []string{"/plan.md"}},
		{codeReview, []string{dir + "plan.md", dir + "task-2.md", dir + "task-2-review-3.md"}, []string{"task-1.md", "tasks.md"}},
		{allCodeReview, []string{dir + "plan.md", dir + "tasks.md", dir + "task-1.md", dir + "task-2.md", dir + "all-code-review-3.md"}, nil},
	} {
		kind, _ := kindOf(c.kind)
		r := Review{Kind: kind, In: Plan{"a"}, Number: 3, Task: TaskID{"2", true}}
		if kind.Tasks {
			r.Files = []string{"task-1.md", "task-2.md"}
		}
		for root, files := range map[string][]string{
			"":       {"ground-rules.md", "actions/" + c.kind + ".md", "if the project has it"},
			"/":      {" /ground-rules.md", " /actions/" + c.kind + ".md"},
			"/opt/t": {"/opt/t/ground-rules.md", "/opt/t/actions/" + c.kind + ".md"},
		} {
			text := r.Prompt(root)
			for _, name := range append(append(files, "critical"), c.names...) {
				assert.Assert(t, strings.Contains(text, name), "%s lacks %s", text, name)
			}
			for _, name := range append([]string{"\n", "review-2", "review-4"}, c.lacks...) {
				assert.Assert(t, !strings.Contains(text, name), "%s has %q", text, name)
			}
		}
	}
}

func TestLimited(t *testing.T) {
	var kept bytes.Buffer
	l := &limited{w: &kept, left: 5}
	for _, s := range []string{"abc", "def", "ghi"} {
		n, err := l.Write([]byte(s))
		assert.NilError(t, err)
		assert.Equal(t, n, len(s))
	}
	assert.Equal(t, kept.String(), "abcde")
}

// FuzzState feeds any state file through a review: what comes out is a state
// that says what was decided, and all that was not decided is as it was.
func FuzzState(f *testing.F) {
	for _, text := range []string{due, `{}`, `{"max_reviews":0,"next_phase":"code-review"}`, `{"phase_iteration":1e99,"tdd":"true"}`, `[1]`, "\ufeff{}", `{"a":1,"a":2}`, "{\"\x80\":\"\"}"} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, clean bool) {
		doc, err := parseState(data)
		if err != nil {
			t.Skip()
		}
		kept := map[string]string{}
		for _, m := range doc.Members() {
			kept[m.Name] = string(m.Value.Indent())
		}
		move := Next(kinds[0], stateOf(doc).Cycle, clean, "create-tasks")
		name := filepath.Join(t.TempDir(), stateName)
		assert.NilError(t, os.WriteFile(name, data, 0o644))
		assert.NilError(t, swapState(name, move.Fields(), move.Defaults()))
		after, err := parseState([]byte(read(t, name)))
		assert.NilError(t, err)
		for _, field := range move.Fields() {
			assert.Equal(t, string(after.Get(field.Name).Compact()), string(ordered.Of(field.Value).Compact()))
			delete(kept, field.Name)
		}
		for _, field := range move.Defaults() {
			if kept[field.Name] == "null" {
				delete(kept, field.Name)
			}
		}
		for member, value := range kept {
			assert.Equal(t, string(after.Get(member).Indent()), value, strconv.Quote(member))
		}
	})
}
