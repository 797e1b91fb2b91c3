package plugin

import (
	"context"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"isdlc-hooks/scripts/internal/changeset"
	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

// exe is the ending of programs.
func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// programFile is where a program lies in the plugin.
func programFile(r registration.Registration) string {
	folder := path.Dir(hooksFile)
	if r.Kind == registration.Dispatcher {
		folder = dispatchersFolder
	}
	return path.Join(folder, r.Program) + exe()
}

// Command is what the client hands to a shell. The quotes keep it right in a
// folder whose path has blanks.
func Command(r registration.Registration) string {
	return `"${CLAUDE_PLUGIN_ROOT}"/` + strings.TrimSuffix(programFile(r), exe())
}

// describe adds the two files that the client reads.
func (l *Layout) describe(set *changeset.Set, selected []registration.Registration) error {
	about, err := json.MarshalIndent(manifest{Name, l.Version, description}, "", "  ")
	if err != nil {
		return err
	}
	hooks, err := Hooks(selected)
	if err != nil {
		return err
	}
	set.Write(manifestFile, append(about, '\n'), 0o644, false)
	set.Write(hooksFile, hooks, 0o644, false)
	return nil
}

// Hooks is the text of hooks.json. It has passed the check that settings files
// have to pass.
func Hooks(selected []registration.Registration) ([]byte, error) {
	about, err := json.MarshalIndent(struct {
		Description string `json:"description"`
	}{description}, "", "  ")
	if err != nil {
		return nil, err
	}
	var wish settings.Wish
	for _, r := range selected {
		wish.Entries = append(wish.Entries, settings.Entry{Event: r.Event, Matcher: r.Matcher, Command: Command(r), Timeout: r.Timeout})
	}
	hooks, _, _, err := settings.Edit(append(about, '\n'), wish)
	return hooks, err
}

// checkEvent is an event of a tool that no hook has a rule for.
const checkEvent = `{"session_id":"plugin","hook_event_name":"PreToolUse","tool_name":"PluginCheck","tool_input":{}}` + "\n"

// prove runs one registered command as the client does; see install.
func prove(ctx context.Context, stage string, selected []registration.Registration) error {
	i := slices.IndexFunc(selected, func(r registration.Registration) bool { return r.Event == "PreToolUse" && !r.Records })
	if i < 0 {
		return nil
	}
	r := selected[i]
	project, err := os.MkdirTemp("", "isdlc-plugin-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(project)
	hook := settings.Hook{Event: r.Event, Command: Command(r), Timeout: float64(r.Timeout)}
	result := client.Run(ctx, client.Call{Hook: hook, Event: []byte(checkEvent), Project: project, Plugin: stage, Dir: project})
	if fault := result.Fault(); fault != "" {
		return fmt.Errorf("the proof failed: %s: %s", hook.Command, fault)
	}
	return nil
}
