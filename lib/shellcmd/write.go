package shellcmd

// StateWrites gives the paths of the state files that a script writes, as far as
// they are known (spec 05 D.6).
func (s *Script) StateWrites() []string { return nil }
