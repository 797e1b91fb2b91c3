package e2e

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// A saved session is NAME.jsonl, the events as the client wrote them to stdin,
// and NAME.json beside it, which is this.
type saved struct {
	Client  string            `json:"client"`         // its release
	With    []string          `json:"with,omitempty"` // groups that were installed besides the default
	Git     *repository       `json:"git,omitempty"`  // none where the project was no repository
	Files   map[string]string `json:"files"`          // the project before the hooks were installed
	Answers []answer          `json:"answers"`
}

type repository struct {
	Branch   string   `json:"branch"`
	Branches []string `json:"branches"`
}

// An answer is what a program said to an event that it got.
type answer struct {
	Line    int    `json:"line"` // of the event, from 1
	Event   string `json:"event"`
	Program string `json:"program"`
	Exit    int    `json:"exit"`
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
}

func sessionFolder(t *testing.T) string {
	t.Helper()
	return filepath.Join(hooktest.Root(t), "testdata", "sessions")
}

// save writes the session to testdata/sessions.
func (s *session) save(t *testing.T, sc scenario) {
	t.Helper()
	events, answers := collate(s.runs(t))
	doc := saved{Client: s.release(t), With: sc.with, Git: s.repository, Files: map[string]string{}, Answers: answers}
	for name, file := range s.arranged {
		if file.Mode&fs.ModeType == 0 {
			doc.Files[name] = file.Data
		}
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	assert.NilError(t, out.Encode(doc))

	// Both in one go, so that one id has one name in both.
	both := s.neutral(t, strings.Join(events, "\n")+"\n\x00"+text.String())
	lines, rest, _ := strings.Cut(both, "\x00")
	dir := sessionFolder(t)
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, sc.name+".jsonl"), []byte(lines), 0o644))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, sc.name+".json"), []byte(rest), 0o644))
}

// runs are what the recorder wrote, in the order in which the commands began.
func (s *session) runs(t *testing.T) []run {
	t.Helper()
	text, err := os.ReadFile(s.recordFile())
	assert.NilError(t, err)
	var runs []run
	for line := range bytes.Lines(text) {
		var r run
		assert.NilError(t, json.Unmarshal(line, &r))
		runs = append(runs, r)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.At.Compare(b.At) })
	return runs
}

// collate lists the events once each, and to which of them each program gave its
// answer: of several with the same text it is the one nearest in time.
func collate(runs []run) (events []string, answers []answer) {
	var watched []run
	for _, r := range runs {
		if r.Program == "" {
			watched = append(watched, r)
			events = append(events, r.Event)
		}
	}
	for _, r := range runs {
		if r.Program == "" {
			continue
		}
		a := answer{Program: r.Program, Exit: r.Exit, Stdout: r.Stdout, Stderr: untimed(r.Stderr)}
		for i, w := range watched {
			near := a.Line == 0 || r.At.Sub(w.At).Abs() < r.At.Sub(watched[a.Line-1].At).Abs()
			if w.Event == r.Event && near {
				a.Line = i + 1
			}
		}
		var event struct {
			Name string `json:"hook_event_name"`
		}
		if json.Unmarshal([]byte(r.Event), &event) == nil {
			a.Event = event.Name
		}
		answers = append(answers, a)
	}
	slices.SortStableFunc(answers, func(a, b answer) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Program, b.Program)
	})
	return events, answers
}

// untimed drops the lines in which dispatchers tell how long they took.
func untimed(stderr string) string {
	var out strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "DISPATCHER_TIMING:") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// release is what the client says that it is.
func (s *session) release(t *testing.T) string {
	t.Helper()
	for line := range strings.Lines(s.stream) {
		var init struct {
			Version string `json:"claude_code_version"`
		}
		if json.Unmarshal([]byte(line), &init) == nil && init.Version != "" {
			return init.Version
		}
	}
	t.Fatal("the client does not say which release it is")
	return ""
}
