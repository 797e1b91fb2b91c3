package shellcmd

import (
	"slices"
	"strings"
)

// launched gives the runner that a program starts whose business is to start
// others.
func launched(name string, args []string, depth int) (Runner, bool) {
	switch name {
	case "npm", "yarn", "pnpm", "bun":
		return packaged(operands(args, "--prefix -C -w --workspace --loglevel --dir --filter -F --cwd"), name, depth)
	case "npx", "bunx", "pnpx", "uvx":
		return runnerOf(operands(args, "-p --package -c --call --with --from --python"), depth)
	case "python", "pypy", "py":
		return module(args, depth)
	case "coverage":
		if first(args) == "run" {
			return module(args[1:], depth)
		}
	case "poetry", "pipenv", "pdm", "hatch", "rye", "uv", "pipx":
		rest := operands(args, "-C --directory --project")
		if first(rest) == "run" {
			return runnerOf(operands(rest[1:], "--with --extra --group --python -p --package --env-file --directory --project"), depth)
		}
	case "bundle":
		if first(args) == "exec" {
			return runnerOf(args[1:], depth)
		}
	case "go": // go run gotest.tools/gotestsum@latest, go tool gotestsum
		if len(args) > 1 && (args[0] == "run" || args[0] == "tool") {
			return runnerOf(operands(args[1:], ""), depth)
		}
	case "node", "tsx": // the script of a runner
		if rest := operands(args, "-r --require --import --loader"); len(rest) > 0 {
			return script(rest, depth)
		}
	case "php":
		if rest := operands(args, "-d -c"); len(rest) > 0 {
			return script(rest, depth)
		}
	case "c8", "nyc", "cross-env", "env-cmd", "dotenv", "xvfb-run", "dotenvx":
		rest := operands(args, "-e -f -r --reporter -s")
		for len(rest) > 0 && strings.Contains(rest[0], "=") {
			rest = rest[1:]
		}
		return runnerOf(rest, depth)
	}
	return Unnamed, false
}

// script gives the runner whose own script an interpreter is told to run.
func script(words []string, depth int) (Runner, bool) {
	switch runnerName(words[0]) {
	case "jest", "mocha", "vitest", "ava", "tap", "jasmine", "cypress", "playwright", "phpunit", "pytest", "tox":
		return runnerOf(words, depth)
	}
	return Unnamed, false
}

// module gives the runner that python is told to run with -m.
func module(args []string, depth int) (Runner, bool) {
	for i, a := range args {
		switch {
		case a == "-m" && i+1 < len(args):
			switch args[i+1] {
			case "pytest", "unittest", "tox", "nox", "coverage":
				return runnerOf(args[i+1:], depth)
			}
			return Unnamed, false
		case a == "-c":
			return Unnamed, false
		case !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-W" && args[i-1] != "-X"):
			return script(args[i:], depth)
		}
	}
	return Unnamed, false
}

// packaged gives the runner of a package manager: a script of the package, or
// one of the programs that it has installed.
func packaged(words []string, manager string, depth int) (Runner, bool) {
	if len(words) == 0 || depth > maxLaunchers {
		return Unnamed, false
	}
	rest := words[1:]
	switch words[0] {
	case "run", "run-script":
		rest = operands(rest, "-w --workspace --filter --prefix -C")
		if isTestScript(first(rest)) {
			return PackageScript, !onlyTells(rest)
		}
		return runnerOf(rest, depth)
	case "exec", "x", "dlx":
		return runnerOf(operands(rest, "-p --package -c --call"), depth)
	case "workspace":
		if len(rest) > 1 {
			return packaged(operands(rest[1:], ""), manager, depth+1)
		}
	case "workspaces":
		if i := slices.Index(rest, "run"); i >= 0 {
			return packaged(rest[i:], manager, depth+1)
		}
	}
	if name := words[0]; manager == "npm" && (name == "test" || name == "t" || name == "tst") || manager != "npm" && isTestScript(name) {
		return PackageScript, !onlyTells(words)
	}
	if manager == "yarn" || manager == "pnpm" { // these run installed programs, too
		return runnerOf(words, depth)
	}
	return Unnamed, false
}

func isTestScript(name string) bool {
	return strings.HasPrefix(name, "test") || name == "t" || name == "e2e"
}
