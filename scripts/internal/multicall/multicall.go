// Package multicall makes several hooks one executable, which runs as the one whose
// name it is called by. An installation of hard links to it takes a quarter of the
// space of separate programs.
package multicall

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/hook"
)

// Main runs the hook or dispatcher that the process is called by. Called by the
// name of the executable it lists them, a line each, for the installer; another
// name is an error.
func Main(executable string, hooks []*hook.Hook, dispatchers []*hook.Dispatcher) {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(os.Args[0])), ".exe") // some file systems do not tell capitals apart
	for _, h := range hooks {
		if h.Name == name {
			hook.Main(h)
			return
		}
	}
	for _, d := range dispatchers {
		if d.Name == name {
			hook.Dispatch(d)
			return
		}
	}
	if name != executable {
		fmt.Fprintf(os.Stderr, "%s: there is no hook called %s\n", executable, name)
		os.Exit(1)
	}
	for _, h := range hooks {
		fmt.Println(h.Name)
	}
	for _, d := range dispatchers {
		fmt.Println(d.Name)
	}
}
