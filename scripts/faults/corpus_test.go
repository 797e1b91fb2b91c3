//go:build unix

package faults

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// A sample is an event with the project around it, to be mutated: a case of the
// conformance vectors, read as far as that takes.
type sample struct {
	stdin string
	files map[string]string
	env   []string
	git   *hooktest.Repository
}

var template = regexp.MustCompile(`\{\{(?:today|now|epochms)[^}]*\}\}`)

// samples are the cases of a program.
func samples(t testing.TB, program string) (list []sample) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(hooktest.Root(t), "testdata", "conformance", program+".json"))
	assert.NilError(t, err)
	type step struct {
		Stdin json.RawMessage
		Env   map[string]*string
		Files map[string]json.RawMessage
	}
	var file struct {
		Bases map[string]json.RawMessage
		Cases []struct {
			step
			Git   *hooktest.Repository
			Steps []step
		}
	}
	data = template.ReplaceAll(data, []byte(time.Now().UTC().Format("2006-01-02T15:04:05.000Z")))
	assert.NilError(t, json.Unmarshal(data, &file), program)
	for _, c := range file.Cases {
		steps := c.Steps
		if steps == nil {
			steps = []step{c.step}
		}
		s := sample{stdin: raw(steps[0].Stdin), git: c.Git, files: map[string]string{}}
		for _, from := range []step{c.step, steps[0]} {
			for name, content := range from.Files {
				var reference struct {
					Config string `json:"$config"`
					Base   string `json:"$base"`
				}
				_ = json.Unmarshal(content, &reference) // it may be a text
				switch {
				case reference.Config != "":
					s.files[name] = hooktest.Config(t, reference.Config)
				case reference.Base != "":
					s.files[name] = raw(file.Bases[reference.Base])
				default:
					s.files[name] = raw(content)
				}
			}
			for name, value := range from.Env {
				if value != nil {
					s.env = append(s.env, name+"="+*value)
				}
			}
		}
		list = append(list, s)
	}
	return list
}

// raw is a text in JSON itself, and what else is there as it is written.
func raw(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	return string(data)
}

// lay puts a sample into a project.
func (s sample) lay(p *hooktest.Project) {
	for name, text := range s.files {
		p.Write(name, s.in(p, text))
	}
	if s.git != nil {
		p.Git(*s.git)
	}
}

func (s sample) in(p *hooktest.Project, text string) string {
	return strings.ReplaceAll(text, "{{project}}", p.Dir)
}
