package state

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestArtifactFolder(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                         "",
		`{"active_workflow":"text"}`: "",
		`{"active_workflow":{"artifact_folder":7}}`:                "",
		`{"active_workflow":{"artifact_folder":"REQ-0001 größe"}}`: "REQ-0001 größe",
		`{"active_workflow":{"artifact_folder":"v1..2"}}`:          "v1..2",
		`{"active_workflow":{"artifact_folder":".."}}`:             "",
		`{"active_workflow":{"artifact_folder":"."}}`:              "",
		`{"active_workflow":{"artifact_folder":"../other"}}`:       "",
		`{"active_workflow":{"artifact_folder":"a\\b"}}`:           "",
		`{"active_workflow":{"artifact_folder":"/etc"}}`:           "",
		`{"active_workflow":{"artifact_folder":"a\u0000"}}`:        "",
	} {
		assert.Equal(t, load(t, text).State.ArtifactFolder(), want, text)
	}
	var none *State
	assert.Equal(t, none.ArtifactFolder(), "")
}
