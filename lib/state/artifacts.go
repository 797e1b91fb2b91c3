package state

import "strings"

// ArtifactFolder is the name of the folder that the active workflow puts its
// artifacts into, "" where it names none, or one that would lead elsewhere (spec
// 05 B.5).
func (s *State) ArtifactFolder() string {
	name := s.Workflow().Get("artifact_folder").Text()
	if name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return ""
	}
	return name
}
