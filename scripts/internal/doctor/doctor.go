// Package doctor examines an installation: whether the client would run the
// hooks that the settings of a project name, whether these answer, and whether
// what they read and write is in order. It changes nothing in the project.
package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"isdlc-hooks/lib/state"
	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/scopes"
)

// A Severity says how much a line of the report matters.
type Severity string

// The severities. A note is nothing to be mended.
const (
	OK      Severity = "ok"
	Note    Severity = "note"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// A Line is one thing that was looked at.
type Line struct {
	Severity Severity `json:"severity"`
	Check    string   `json:"check"`
	Where    string   `json:"where"`
	What     string   `json:"what"`
	Remedy   string   `json:"remedy,omitempty"`
}

// A Time is how long a hook took to answer.
type Time struct {
	Program      string  `json:"program"`
	Event        string  `json:"event"`
	Command      string  `json:"command"`
	Settings     string  `json:"settings"`
	Milliseconds float64 `json:"milliseconds"`
	Timeout      float64 `json:"timeout_seconds"`
}

// A Report is what came of an examination.
type Report struct {
	Project string `json:"project"`
	Lines   []Line `json:"lines"`
	Hooks   []Time `json:"hooks"`
}

// Findings counts the errors and the warnings.
func (r *Report) Findings() (errors, warnings int) {
	for _, l := range r.Lines {
		switch l.Severity {
		case Error:
			errors++
		case Warning:
			warnings++
		}
	}
	return errors, warnings
}

// Options say what is examined.
type Options struct {
	Project    string   // absolute
	Bin        string   // the folder of the programs of this release; "" where they are not known
	User       string   // the folder of the user's settings; "" leaves them out
	PluginDirs []string // folders of plugins beside those that are installed
	Getenv     func(string) string
	Now        time.Time
	Patience   time.Duration // for the lock; 0: as long as a hook has
}

// examination is a report being made.
type examination struct {
	Options
	report   *Report
	scopes   []scopes.Scope
	commands []*command
	env      map[string]string // that the settings give to hooks
}

// Examine looks at everything. The error tells that there is no project, or that
// ctx has ended.
func Examine(ctx context.Context, o Options) (*Report, error) {
	if info, err := os.Stat(o.Project); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("the project %s does not exist or is not a folder", o.Project)
	}
	if o.Patience == 0 {
		o.Patience = state.Patience
	}
	e := &examination{Options: o, report: &Report{Project: o.Project, Hooks: []Time{}}, env: map[string]string{}}
	for _, look := range []func(){
		e.settings, e.programs, e.releases, e.duplicates, e.missing, e.leftovers,
		func() { e.answers(ctx) },
		e.configurations, e.states, e.log,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		look()
	}
	return e.report, ctx.Err()
}

func (e *examination) add(s Severity, check, where, remedy, format string, args ...any) {
	e.report.Lines = append(e.report.Lines, Line{s, check, where, fmt.Sprintf(format, args...), remedy})
}

func (e *examination) path(elem ...string) string {
	return filepath.Join(append([]string{e.Project}, elem...)...)
}

// short is a path as it is shown: relative where it is in the project.
func (e *examination) short(path string) string {
	if rel, err := filepath.Rel(e.Project, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// reinstall is the remedy for whatever the installer puts right.
func (e *examination) reinstall() string {
	return "isdlc-hooks install --project " + client.Quote(e.Project)
}
