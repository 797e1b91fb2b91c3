package testrun

import (
	"slices"
	"strings"
)

// calls tells whether word stands in command as a word of its own, paths and
// versions aside: "go" in "go test", "/usr/bin/go" and "go1.26", not in "cargo".
func calls(command, word string) bool {
	for from := 0; ; {
		i := strings.Index(command[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		before := i == 0 || !isWord(command[i-1])
		after := end == len(command) || !isWord(command[end]) || '0' <= command[end] && command[end] <= '9'
		if before && after {
			return true
		}
		from = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// indirect tells whether the command runs its tests by way of something that
// may call any runner.
func indirect(command string) bool {
	for _, w := range [...]string{"npm", "yarn", "pnpm", "bun", "make", "tox", "nox", "rake", "turbo", "nx", "lerna", "just", "sh", "bash"} {
		if calls(command, w) {
			return true
		}
	}
	return strings.Contains(command, "./") && !strings.Contains(command, "./...")
}

// recursive tells whether the command runs the tests of several packages, each
// of which prints a summary.
func recursive(command string) bool {
	for _, w := range [...]string{"--workspaces", " -ws", " -r ", " --recursive", "workspaces run", "workspaces foreach", "lerna run", "turbo run", "nx run-many"} {
		if strings.Contains(command, w) {
			return true
		}
	}
	return false
}

// filters are programs that let only a part of their input through. All but tail
// may drop the end.
var filters = [...]string{"head", "tail", "grep", "egrep", "fgrep", "rg", "sed", "awk", "cut", "wc", "less"}

// filtered tells whether a filter may have taken lines away from the output,
// which has n lines; open, whether from its end or from in between.
func filtered(command string, n int) (cut, open bool) {
	piped := false
	for _, part := range split(command) {
		name, args, _ := strings.Cut(part.text, " ")
		filters := piped && slices.Contains(filters[:], name)
		if piped = part.op == "|" || part.op == "|&"; !filters {
			continue
		}
		if limit, ok := lineLimit(args); (name == "head" || name == "tail") && ok && n < limit {
			continue // everything fits
		}
		cut = true
		shows := strings.Contains(name, "grep") || name == "rg"
		open = open || name != "tail" && !(shows && showsFailures(args))
	}
	return cut, open
}

// showsFailures tells whether a search is for lines that a failing run has as
// well as a passing one, so that it would show if there were failures.
func showsFailures(args string) bool {
	args = strings.ToLower(args)
	for _, w := range [...]string{"fail", "test", "passed", "error", "total", "suite", "example", "spec", "result", "run"} {
		if strings.Contains(args, w) {
			return true
		}
	}
	return false
}

// lineLimit reads the number of lines in the arguments of head and tail.
func lineLimit(args string) (int, bool) {
	args = strings.TrimLeft(args, " ")
	if args == "" || args[0] != '-' {
		return 10, true
	}
	args = strings.TrimLeft(strings.TrimPrefix(args[1:], "n"), " =")
	n, _, ok := number(args)
	return n, ok
}

// hidden tells whether the output of the command goes somewhere else, so that
// what is not printed tells nothing.
func hidden(command string) bool {
	cut, _ := filtered(command, 1<<30)
	return cut || strings.Contains(command, "/dev/null")
}

// noneStarted tells whether npm was asked to run a script only if there is one,
// and there was none: it heads every script that it runs.
func noneStarted(s *sheet) bool {
	if !strings.Contains(s.run.Command, "--if-present") || strings.Contains(s.run.Command, "silent") || s.cut {
		return false
	}
	for _, l := range s.lines {
		if strings.HasPrefix(l, "> ") {
			return false
		}
	}
	return true
}
