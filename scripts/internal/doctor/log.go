package doctor

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/project"
	"isdlc-hooks/scripts/internal/activitylog"
	"isdlc-hooks/scripts/internal/client"
)

// recent is how old an error in the log may be to be told.
const recent = 24 * time.Hour

// log looks at the activity log.
func (e *examination) log() {
	const check = "log"
	path := (&project.Project{Root: e.Project}).Log()
	file := e.short(path)
	const writable = "give the user of the session the right to write it"
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if folder, err := os.Stat(e.path(project.Dir)); err == nil && folder.Mode().Perm()&0o200 == 0 {
			e.add(Error, check, file, writable, "cannot be made: the folder is read-only")
			return
		}
		e.add(Note, check, file, "", "there is none yet")
		return
	case err != nil:
		e.add(Error, check, file, writable, "cannot be looked at: %v", err)
		return
	case !info.Mode().IsRegular():
		e.add(Error, check, file, "remove what is in its place", "is no file: nothing is logged")
		return
	}
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		e.add(Error, check, file, writable, "cannot be written: %v", err)
		return
	} else if err := f.Close(); err != nil {
		e.add(Error, check, file, writable, "cannot be written: %v", err)
		return
	}
	found := false
	warn := func(remedy, format string, args ...any) {
		found = true
		e.add(Warning, check, file, remedy, format, args...)
	}
	if info.Size() > 2*activity.MaxSize {
		warn("move it away; a new one is begun", "has %d MB: it should have been cut at %d MB", info.Size()>>20, activity.MaxSize>>20)
	}
	entries, broken, err := activitylog.Read(path)
	if err != nil {
		e.add(Error, check, file, writable, "cannot be read: %v", err)
		return
	}
	if broken > 0 {
		warn("find out who else writes it", "%d of its lines are no entries", broken)
	}
	failures, last := 0, activitylog.Entry{}
	for _, entry := range entries {
		if entry.Event == "error" && entry.Time.After(e.Now.Add(-recent)) {
			failures++
			last = entry
		}
	}
	if failures > 0 {
		warn("isdlc-hooks log --project "+client.Quote(e.Project)+" --event error", "%d errors of hooks in the last day, the newest of %s: %s", failures, last.Hook, last.Reason)
	}
	if !found {
		e.add(OK, check, file, "", "can be written; %d entries, no error in the last day", len(entries))
	}
}
