package conformance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"isdlc-hooks/lib/hooktest"
)

// TestVectors reads every case without running anything: a mistake in the data
// must not look like one of a program, nor hide one.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectorDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	seen := map[string]bool{}
	for _, path := range files {
		file := load(t, path)
		if file.Program+".json" != filepath.Base(path) {
			t.Errorf("%s is about %s", path, file.Program)
		}
		if _, known := registrations[file.Program]; !known {
			t.Errorf("%s: the event of this program is not known", file.Program)
		}
		for _, raw := range file.Cases {
			id, err := identify(raw)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if seen[id] || !strings.HasPrefix(id, file.Program+"/") {
				t.Errorf("%s: not unique, or not under its program", id)
			}
			seen[id] = true
			for _, problem := range lint(t, file, raw) {
				t.Errorf("%s: %s", id, problem)
			}
		}
	}
}

var anyTemplate = regexp.MustCompile(`\{\{[^{}]*\}\}`)

// lint tells what is wrong with a case in itself.
func lint(t *testing.T, file *vectorFile, raw json.RawMessage) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	sc := scene{project: "/somewhere/project", now: time.Now().UTC()}
	for _, left := range anyTemplate.FindAllString(string(sc.expand(raw)), -1) {
		report("unknown template %s", left)
	}
	v, err := sc.read(raw)
	if err != nil {
		report("%v", err)
		return problems
	}
	for _, part := range v.Edited {
		if !slices.Contains([]string{"exit", "stdout", "stderr", "files"}, part) {
			report("edited names %q", part)
		}
	}
	for _, name := range v.Configs.names {
		hooktest.Config(t, name)
	}
	texts := map[string]string{}
	for i, s := range append([]step{v.step}, v.Steps...) {
		for name, content := range s.Files {
			if string(content) == "null" {
				continue
			}
			text, err := sc.content(t, file.Bases, content)
			if err != nil {
				report("file %s: %v", name, err)
			}
			if i == 0 {
				texts[name] = text
			}
		}
	}
	if v.Why == "" || v.Program != file.Program {
		report("why or program is missing")
	}
	if len(v.Steps) > 0 && (v.Expect != nil || v.Stdin != nil) {
		report("steps and an expectation of its own")
	}
	for i, s := range v.runs() {
		if s.Expect == nil || s.Stdin == nil {
			report("run %d lacks stdin or expectation", i+1)
			continue
		}
		s.lint(report)
		if i > 0 {
			continue // files are then as the run before has left them
		}
		for name, want := range s.Expect.Files {
			if _, overlaid := s.Files[name]; want.Patch == nil || overlaid && v.Steps != nil {
				continue
			}
			doc, err := parse([]byte(texts[name]))
			if err != nil {
				report("%s: nothing to patch: %v", name, err)
				continue
			}
			if _, err := applyPatch(doc, want.Patch); err != nil {
				report("%s: %v", name, err)
			}
		}
	}
	return problems
}

// lint checks what can be said of one run without the files before it.
func (s step) lint(report reporter) {
	exits := []int{0}
	switch registration := registrations[s.Program]; {
	case registration.event == "":
		report("unknown program %q", s.Program)
	case s.Program == "taskie-stop-hook":
		exits = []int{0, 2}
	case registration.other:
		exits = []int{0, 1, 2}
	}
	if s.Expect.Exit == nil || !slices.Contains(exits, *s.Expect.Exit) {
		report("exit code outside the contract of %s", s.Program)
	}
	if out := s.Expect.Stdout; !slices.Contains([]string{"none", "block", "text", "json"}, out.Kind) ||
		(out.Kind == "json") != (out.JSON != nil) || out.Kind == "none" && out.Tokens != nil {
		report("stdout of kind %q with json %s and tokens %q", out.Kind, out.JSON, out.Tokens)
	}
	switch {
	case s.Expect.Stderr.Empty == nil:
		report("stderr.empty is missing")
	case *s.Expect.Stderr.Empty && s.Expect.Stderr.Tokens != nil:
		report("tokens on an empty stderr")
	}
	for where, tokens := range s.Tokens {
		want := map[string][]string{"stdout": s.Expect.Stdout.Tokens, "stderr": s.Expect.Stderr.Tokens}[where]
		if !slices.Equal(tokens, want) {
			report("tokens of %s differ from those of the expectation", where)
		}
	}
	for name, want := range s.Expect.Files {
		ways := 0
		for _, used := range []bool{want.Patch != nil, want.JSON != nil, want.JSONL != nil, want.Text != nil, want.Deleted} {
			if used {
				ways++
			}
		}
		if ways != 1 {
			report("%s is expected in %d ways", name, ways)
		}
	}
}
