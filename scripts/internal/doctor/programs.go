package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/install"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

// programs looks at each registered command by itself.
func (e *examination) programs() {
	const check = "command"
	for _, c := range e.commands {
		found := len(e.report.Lines)
		fault := func(s Severity, remedy, format string, args ...any) {
			e.add(s, check, c.where(), remedy, c.text()+": "+format, args...)
			c.dead = c.dead || s == Error
		}
		severe := Warning // what is wrong with the hooks of others is theirs
		if c.name != "" {
			severe = Error
		}
		if !slices.Contains(settings.Events, c.Event) {
			fault(severe, "use an event of the client", "no event of the client is called %s: it never runs", c.Event)
		}
		if why := settings.Never(c.Event, c.Matcher); why != "" {
			fault(severe, "mend the matcher", "the matcher %q matches nothing: %s", c.Matcher, why)
		}
		if c.Milliseconds() {
			fault(Warning, "give the timeout in seconds", "its timeout is %v, and the client counts seconds: %s", c.Timeout, duration(c.Timeout))
		}
		if c.Async && c.name != "" {
			fault(Error, "remove async", "it is asynchronous: the client does not wait for its answer, so that it blocks nothing")
		}
		if name := c.CJS(); name != "" {
			if _, known := registration.Alone(name); known {
				fault(Warning, e.reinstall(), "%s.cjs is still registered: it blocks nothing on today's client, and beside its successor it writes the same state", name)
				continue
			}
		}
		e.target(c, fault, severe)
		if len(e.report.Lines) == found && c.name == "" {
			e.add(OK, check, c.where(), "", "%s: not one of ours; looked at, not run", c.text())
		}
	}
}

// builtins are commands of the shell itself that a hook may consist of.
var builtins = []string{":", ".", "[", "cd", "command", "echo", "eval", "exec", "exit", "export", "false", "printf", "read", "set", "test", "true"}

// target looks at what a command runs.
func (e *examination) target(c *command, fault func(s Severity, remedy, format string, args ...any), severe Severity) {
	t := c.target
	switch {
	case t.Broken != "":
		fault(severe, "mend the quotes", "the shell does not understand it: %s", t.Broken)
		return
	case t.Unset != "" && c.Exec:
		fault(severe, "write ${"+t.Unset+"}", "$%s is not filled in there: without a shell that is only done with braces", t.Unset)
		return
	case t.Unset != "":
		fault(severe, "use \"$CLAUDE_PROJECT_DIR\"", "%s is only set for the hooks of a plugin", t.Unset)
		return
	}
	if t.Unquoted != "" {
		remedy := fmt.Sprintf(`write "$%s"/...`, t.Unquoted)
		if strings.ContainsAny(e.Project, " \t") && t.Unquoted == "CLAUDE_PROJECT_DIR" || strings.ContainsAny(c.scope.Root, " \t") {
			fault(severe, remedy, "$%s is not quoted, and its path has blanks: the shell finds no program", t.Unquoted)
			return
		}
		fault(Warning, remedy, "$%s is not quoted: it breaks where the path has blanks", t.Unquoted)
	}
	if t.Path == "" {
		return // not to be known before it runs
	}
	if t.Lookup {
		if _, err := exec.LookPath(t.Path); err != nil && t.Alone && !slices.Contains(builtins, t.Path) {
			fault(Warning, "use its full path", "%s is neither a command of this shell nor found in PATH", t.Path)
		}
		return
	}
	if t.Relative {
		fault(Warning, `begin it with "$CLAUDE_PROJECT_DIR"/`, "the path is relative: it is found only until the session changes its folder")
	}
	file := t.File(e.Project)
	info, err := os.Stat(file)
	remedy := "remove the registration, or put the program there"
	if c.name != "" {
		remedy = e.reinstall()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fault(severe, remedy, "%s is not there", e.short(file))
	case err != nil:
		fault(severe, remedy, "%s cannot be looked at: %v", e.short(file), err)
	case !info.Mode().IsRegular():
		fault(severe, remedy, "%s is no file", e.short(file))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 && (t.Alone || c.name != ""):
		fault(severe, "chmod +x "+client.Quote(file), "%s is not executable", e.short(file))
	default:
		c.file = file
	}
}

// releases looks whether our programs are those of this release.
func (e *examination) releases() {
	const check = "release"
	recorded, err := install.Recorded(e.Project)
	if err != nil {
		e.add(Error, check, ".claude/hooks/.isdlc-hooks", e.reinstall(), "%v", err)
	}
	var files []string
	compared, good := 0, 0
	for _, c := range e.commands {
		if c.name == "" || c.file == "" || slices.Contains(files, c.file) {
			continue
		}
		files = append(files, c.file)
		sum, err := install.Sum(c.file)
		if err != nil {
			c.dead = true
			e.add(Error, check, e.short(c.file), "make it readable", "cannot be read: %v", err)
			continue
		}
		remedy := e.reinstall()
		if c.scope.Root != "" {
			remedy = "isdlc-hooks plugin --out " + client.Quote(c.scope.Root)
		}
		var built []string
		if e.Bin != "" {
			if built, err = install.Built(e.Bin, filepath.Base(c.file)); err != nil {
				e.add(Note, check, e.short(c.file), "", "cannot be compared with this release: %v", err)
			}
		}
		installed := recorded[filepath.ToSlash(e.short(c.file))]
		if built != nil || installed != "" {
			compared++
		}
		switch {
		case slices.Contains(built, sum), built == nil && (installed == "" || installed == sum):
			good++
		case sum == installed:
			e.add(Error, check, e.short(c.file), remedy, "is of another release than this tool")
		default:
			e.add(Error, check, e.short(c.file), remedy, "is not the program that was installed, nor that of this release")
		}
	}
	switch {
	case len(files) == 0:
	case compared == 0:
		e.add(Note, check, ".claude/hooks", "", "nothing to compare the programs with: no built programs beside this tool, and no record of an installation")
	case good == len(files):
		e.add(OK, check, ".claude/hooks", "", "all %d registered programs are of this release", len(files))
	}
}

// leftovers looks for scripts that our programs have replaced.
func (e *examination) leftovers() {
	var left []string
	for _, folder := range []string{"", "dispatchers"} {
		entries, err := os.ReadDir(e.path(".claude", "hooks", folder))
		if err != nil {
			continue // there is no such folder
		}
		for _, entry := range entries {
			if name, script := strings.CutSuffix(entry.Name(), ".cjs"); script {
				if _, known := registration.Alone(name); known {
					left = append(left, entry.Name())
				}
			}
		}
	}
	if len(left) > 0 {
		e.add(Note, "leftover", ".claude/hooks", "", "%d .cjs %s whose work our programs do: %s", len(left), hooksLie(len(left)), strings.Join(left, ", "))
	}
}

func hooksLie(n int) string {
	if n == 1 {
		return "hook lies there"
	}
	return "hooks lie there"
}

// duration is a number of seconds in words.
func duration(seconds float64) string {
	switch minutes := int(seconds / 60); {
	case minutes >= 60:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
	default:
		return fmt.Sprintf("%d min", minutes)
	}
}
