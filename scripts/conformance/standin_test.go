package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// standInScript names the variable that makes this test binary a program under
// test: the script says what the program does.
const standInScript = "CONFORMANCE_STAND_IN"

type script struct {
	Exit           int
	Stdout, Stderr string
	Echo           bool              // print stdin
	Files          map[string]string // written below the project
	Home           map[string]string // written below the home
	Remove         []string
	Chmod          map[string]os.FileMode
}

// standIn plays the script, if there is one, and ends the process.
func standIn() {
	text, asked := os.LookupEnv(standInScript)
	if !asked {
		return
	}
	var s script
	must(json.Unmarshal([]byte(text), &s))
	project := os.Getenv("CLAUDE_PROJECT_DIR") + "/"
	for name, content := range s.Files {
		must(os.WriteFile(project+name, []byte(content), 0o644))
	}
	for name, content := range s.Home {
		must(os.WriteFile(os.Getenv("HOME")+"/"+name, []byte(content), 0o644))
	}
	for _, name := range s.Remove {
		must(os.Remove(project + name))
	}
	for name, mode := range s.Chmod {
		must(os.Chmod(project+name, mode))
	}
	fmt.Print(s.Stdout)
	fmt.Fprint(os.Stderr, s.Stderr)
	if s.Echo {
		_, err := io.Copy(os.Stdout, os.Stdin)
		must(err)
	}
	os.Exit(s.Exit)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
