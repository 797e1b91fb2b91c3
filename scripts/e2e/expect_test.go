package e2e

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// denied checks that a hook kept a call from being carried out, and that the model
// was told why.
func (s *session) denied(t *testing.T, script, id string, why ...string) {
	t.Helper()
	s.failed(t, script, id, append(why, " hook error: ")...)
}

// failed checks that the result of a call is an error, and what the model was told
// of it.
func (s *session) failed(t *testing.T, script, id string, why ...string) {
	t.Helper()
	got, found := s.heard(script).result(id)
	assert.Assert(t, found, "the model got no result for %s", id)
	assert.Check(t, got.isError, "%s was carried out: %s", id, got.text)
	for _, token := range why {
		assert.Check(t, is.Contains(strings.ToLower(got.text), strings.ToLower(token)))
	}
}

// ran checks that a call was carried out.
func (s *session) ran(t *testing.T, script, id string, output ...string) {
	t.Helper()
	got, found := s.heard(script).result(id)
	assert.Assert(t, found, "the model got no result for %s", id)
	assert.Check(t, !got.isError, "%s failed: %s", id, got.text)
	for _, token := range output {
		assert.Check(t, is.Contains(got.text, token))
	}
}
