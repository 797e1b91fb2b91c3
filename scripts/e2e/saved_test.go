package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/scripts/internal/registration"
)

// private is what no recording may hold: folders of a machine, keys, addresses.
var private = regexp.MustCompile(`/(?:tmp|home|root|Users|var)/|sk-ant-|not-a-key|127\.0\.0\.1|localhost`)

// The recorded sessions are the events of a client, hold nothing of the machine
// that they were made on, and every program that answered is registered for what
// it got.
func TestSavedSessions(t *testing.T) {
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			lines, err := os.ReadFile(filepath.Join(sessionFolder(t), sc.name+".jsonl"))
			assert.NilError(t, err)
			text, err := os.ReadFile(filepath.Join(sessionFolder(t), sc.name+".json"))
			assert.NilError(t, err)
			assert.Check(t, is.Equal(private.FindString(string(lines)+string(text)), ""))

			var events []savedEvent
			for line := range strings.Lines(string(lines)) {
				var event savedEvent
				assert.NilError(t, json.Unmarshal([]byte(line), &event))
				assert.Check(t, event.Name != "" && event.Session != "", line)
				events = append(events, event)
			}
			assert.Check(t, is.Equal(events[0].Name, "SessionStart"))
			assert.Check(t, is.Equal(events[len(events)-1].Name, "SessionEnd"))

			var doc saved
			assert.NilError(t, json.Unmarshal(text, &doc))
			assert.Check(t, doc.Client != "" && len(doc.Files) > 0)
			for _, a := range doc.Answers {
				assert.Assert(t, a.Line >= 1 && a.Line <= len(events), "line %d", a.Line)
				event := events[a.Line-1]
				assert.Check(t, is.Equal(event.Name, a.Event))
				assert.Check(t, event.reaches(a.Program), "line %d, %s %s: %s", a.Line, event.Name, event.Tool, a.Program)
			}
			for _, name := range sc.programs {
				assert.Check(t, slices.ContainsFunc(doc.Answers, func(a answer) bool { return a.Program == name }), "%s got nothing", name)
			}
		})
	}
}

type savedEvent struct {
	Name    string `json:"hook_event_name"`
	Session string `json:"session_id"`
	Tool    string `json:"tool_name"`
}

// reaches tells whether the program is registered for the event.
func (e savedEvent) reaches(program string) bool {
	return slices.ContainsFunc(registration.Table, func(r registration.Registration) bool {
		return r.Program == program && r.Event == e.Name && (r.Matcher == "" || slices.Contains(strings.Split(r.Matcher, "|"), e.Tool))
	})
}
