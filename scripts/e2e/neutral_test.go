package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

var (
	uuid     = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	agentID  = regexp.MustCompile(`\ba[0-9a-f]{16}\b`)
	duration = regexp.MustCompile(`\b((?:duration_ms|totalDurationMs)[":> ]{1,2})\d+(?:\.\d+)?`)
	clock    = regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`)
	notSlug  = regexp.MustCompile(`[^A-Za-z0-9]`)
)

// neutral takes out of a recording what belongs to the machine and the moment.
// Folders become {{project}}, {{home}}, {{tmp}} and {{scratch}}; ids are numbered
// in the order in which they appear.
func (s *session) neutral(t *testing.T, text string) string {
	t.Helper()
	text = strings.NewReplacer(
		s.Dir, "{{project}}",
		notSlug.ReplaceAllString(s.Dir, "-"), "{{slug}}",
		s.Home, "{{home}}",
		s.tmp(), "{{tmp}}",
		s.base, "{{scratch}}",
	).Replace(text)
	text = numbered(text, uuid, "00000000-0000-4000-8000-%012d")
	text = numbered(text, agentID, "a%016d")
	text = duration.ReplaceAllString(text, "${1}1")
	text = clock.ReplaceAllString(text, "2026-01-01T00:00:00.000Z")
	assert.Check(t, !strings.Contains(text, filepath.Base(s.base)), "a path is left in the recording")
	assert.Check(t, !strings.Contains(text, strings.TrimPrefix(s.url, "http://")), "the address of the model is left in the recording")
	return text
}

// numbered replaces each different match by the number of its first appearance.
func numbered(text string, pattern *regexp.Regexp, format string) string {
	seen := map[string]string{}
	return pattern.ReplaceAllStringFunc(text, func(id string) string {
		if _, known := seen[id]; !known {
			seen[id] = fmt.Sprintf(format, len(seen)+1)
		}
		return seen[id]
	})
}

func TestDuration(t *testing.T) {
	got := duration.ReplaceAllString(`{"duration_ms":19} <duration_ms>7</duration_ms> # duration_ms 155.9 duration_ms: 0.2\n`, "${1}1")
	assert.Check(t, is.Equal(got, `{"duration_ms":1} <duration_ms>1</duration_ms> # duration_ms 1 duration_ms: 1\n`))
}

func TestNumbered(t *testing.T) {
	got := numbered("a00000000000000ff a000000000000000e a00000000000000ff b00000000000000ff", agentID, "a%016d")
	assert.Check(t, is.Equal(got, "a0000000000000001 a0000000000000002 a0000000000000001 b00000000000000ff"))
}
