package shellcmd

import (
	"slices"
	"strings"

	"isdlc-hooks/lib/text"
)

// A Runner is the program that prints the results of tests, by its usual name:
// "jest", "vitest", "mocha", "ava", "tap", "jasmine", "cypress", "playwright",
// "node" (node --test), "deno", "bun", "pytest", "unittest", "tox", "nox",
// "go" (go test), "gotestsum", "cargo", "nextest", "maven", "gradle", "dotnet",
// "phpunit", "rspec", "rake", "bats", "ctest", "prove", "make".
type Runner string

const (
	// PackageScript is the runner of npm test and the like: a script of the
	// package, which may run anything.
	PackageScript Runner = "script"
	// Unnamed is the runner where nothing is known but that tests run.
	Unnamed Runner = ""
)

// A Run is a command that runs tests.
type Run struct {
	Runner Runner
	Words  []string // the command without its wrappers: ["npx", "jest", "--ci"]; nil where it could not be read
	Dir    string   // where it runs, see [Command.Dir]
}

// TestRuns gives the test commands of a script, in order (spec 05 D.7). What
// begins with the words of one of extra counts too.
func (s *Script) TestRuns(extra [][]string) []Run {
	var runs []Run
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.Text != "" {
			if textTests(c.Text) {
				runs = append(runs, Run{Dir: c.Dir})
			}
			continue
		}
		words := texts(c.Words)
		runner, ok := runnerOf(words, 0)
		if !ok { // also where the file system does not mind capitals
			runner, ok = runnerOf(lower(words), 0)
		}
		if ok || slices.ContainsFunc(extra, func(e []string) bool { return startsWith(words, e) }) {
			runs = append(runs, Run{runner, words, c.Dir})
		}
	}
	return runs
}

// lower lowers words, but for options: they differ by case.
func lower(words []string) []string {
	list := slices.Clone(words)
	for i, w := range list {
		if !strings.HasPrefix(w, "-") {
			list[i] = text.LowerASCII(w)
		}
	}
	return list
}

func startsWith(words, start []string) bool {
	if len(start) == 0 || len(words) < len(start) || !slices.Equal(words[1:len(start)], start[1:]) {
		return false
	}
	return words[0] == start[0] || base(words[0]) == start[0]
}

// A runnerRule tells when a program runs tests: when accepts likes its
// arguments; nil: always.
type runnerRule struct {
	program string
	runner  Runner
	accepts func(args []string) bool
}

var runnerRules = [...]runnerRule{
	{"pytest", "pytest", nil},
	{"py.test", "pytest", nil},
	{"unittest", "unittest", nil},
	{"tox", "tox", notFirst("list", "l", "config", "c", "-l", "-a", "--listenvs", "--listenvs-all")},
	{"nox", "nox", notFirst("-l", "--list")},
	{"gotestsum", "gotestsum", nil},
	{"go", "go", func(args []string) bool { return first(args) == "test" && !slices.Contains(args, "-c") }},
	{"cargo", "cargo", func(args []string) bool { return slices.Contains([]string{"test", "t"}, subcommand(args, "")) }},
	{"cargo", "nextest", func(args []string) bool {
		i := slices.Index(args, "nextest")
		return i >= 0 && subcommand(args, "") == "nextest" && subcommand(args[i+1:], "") == "run"
	}},
	{"mvn", "maven", goal},
	{"mvnw", "maven", goal},
	{"gradle", "gradle", goal},
	{"gradlew", "gradle", goal},
	{"dotnet", "dotnet", func(args []string) bool { return first(args) == "test" }},
	{"jest", "jest", nil},
	{"mocha", "mocha", nil},
	{"vitest", "vitest", notFirst("bench", "init", "list")},
	{"ava", "ava", nil},
	{"tap", "tap", nil},
	{"jasmine", "jasmine", notFirst("init", "examples")},
	{"phpunit", "phpunit", nil},
	{"rspec", "rspec", notFirst("--init")},
	{"rake", "rake", func(args []string) bool { return slices.ContainsFunc(args, isTask("test", "spec")) }},
	{"cypress", "cypress", func(args []string) bool { return first(args) == "run" }},
	{"playwright", "playwright", func(args []string) bool { return first(args) == "test" }},
	{"node", "node", func(args []string) bool { return slices.Contains(args, "--test") }},
	{"deno", "deno", func(args []string) bool { return first(args) == "test" }},
	{"bun", "bun", func(args []string) bool { return subcommand(args, "--cwd --filter") == "test" }},
	{"bats", "bats", nil},
	{"ctest", "ctest", notAny("-N", "--show-only")},
	{"prove", "prove", nil},
	{"make", "make", func(args []string) bool {
		return slices.ContainsFunc(withoutValues(args, "-C -f -I -o -W"), isTask("test", "check")) && notAny("-n", "--dry-run", "--just-print")(args)
	}},
}

const maxLaunchers = 8 // of each other

// runnerOf gives the runner that a command starts, through the programs that
// only start others.
func runnerOf(words []string, depth int) (Runner, bool) {
	if len(words) == 0 || depth > maxLaunchers {
		return Unnamed, false
	}
	name, args := runnerName(words[0]), words[1:]
	for _, r := range runnerRules {
		if r.program == name && (r.accepts == nil || r.accepts(args)) && !onlyTells(args) {
			return r.runner, true
		}
	}
	return launched(name, args, depth+1)
}

// runnerName is the name of a program without what does not matter here: its
// folder, its version, the ending of a script.
func runnerName(word string) string {
	name := programName(Word{Text: word})
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	for _, ending := range [...]string{".js", ".mjs", ".cjs", ".cmd", ".bat", ".phar"} {
		name = strings.TrimSuffix(name, ending)
	}
	if short := strings.TrimRight(name, "0123456789.-"); len(short) > 1 { // c8 stays
		name = short
	}
	return name
}

// onlyTells tells whether options make a runner print something about itself or
// the tests, instead of running them.
func onlyTells(args []string) bool {
	return !notAny("--version", "--help", "--collect-only", "--co", "--listTests", "--showConfig", "--clearCache",
		"--list-tests", "--no-run", "--list")(args)
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func notFirst(words ...string) func([]string) bool {
	return func(args []string) bool { return !slices.Contains(words, first(args)) }
}

func notAny(words ...string) func([]string) bool {
	return func(args []string) bool {
		return !slices.ContainsFunc(args, func(a string) bool { return slices.Contains(words, a) })
	}
}

// isTask tells whether a word is one of the tasks, or one below it.
func isTask(tasks ...string) func(string) bool {
	return func(word string) bool {
		task, _, _ := strings.Cut(word, ":")
		return slices.Contains(tasks, task)
	}
}

// goal tells whether a build tool for Java is asked to test.
func goal(args []string) bool {
	if !notAny("-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true")(args) {
		return false
	}
	return slices.ContainsFunc(withoutValues(args, "-x --exclude-task -pl -f -P -s -p -b -I --tests"), func(a string) bool {
		switch a[strings.LastIndexByte(a, ':')+1:] {
		case "test", "verify", "check":
			return true
		}
		return false
	})
}

// withoutValues drops options, and the words after those that take one.
func withoutValues(args []string, valued string) []string {
	var list []string
	for i := 0; i < len(args); i++ {
		switch {
		case takes(valued, args[i]):
			i++
		case !strings.HasPrefix(args[i], "-"):
			list = append(list, args[i])
		}
	}
	return list
}

func takes(valued, option string) bool { return slices.Contains(strings.Fields(valued), option) }

// subcommand is the first word that is no option, nor the value of one.
func subcommand(args []string, valued string) string {
	return first(operands(args, valued))
}

// operands are the words from the first on that is no option, nor the value of
// one.
func operands(args []string, valued string) []string {
	for len(args) > 0 {
		a := args[0]
		switch {
		case a == "--":
			return args[1:]
		case takes(valued, a) && len(args) > 1:
			args = args[1:]
		case !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+"):
			return args
		}
		args = args[1:]
	}
	return nil
}
