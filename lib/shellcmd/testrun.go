package shellcmd

// A Runner is a program that runs tests, by the name of the program that prints
// the results: "jest", "pytest", "go test", "cargo test", …; "npm" and the like
// where only a package script is named, which may be any of them; "" where
// nothing is known but that tests run.
type Runner string

// A Run is a command that runs tests.
type Run struct {
	Runner Runner
	Words  []string // the command without its wrappers: ["npx", "jest", "--ci"]
	Dir    string   // where it runs, see [Command.Dir]
}

// TestRuns gives the test commands of a script, in order (spec 05 D.7). The
// commands in extra count too, by their first words.
func (s *Script) TestRuns(extra [][]string) []Run { return nil }
