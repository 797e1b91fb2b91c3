package install

import (
	"context"
	"fmt"
	"slices"

	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/registration"
	"isdlc-hooks/scripts/internal/settings"
)

// checkEvent is an event of a tool that no hook has a rule for. So it shows
// that the command is found and answers, and changes nothing in the project.
const checkEvent = `{"session_id":"install","hook_event_name":"PreToolUse","tool_name":"InstallCheck","tool_input":{}}` + "\n"

// prove runs one registered command as the client does. Programs that keep a
// record of every event are not asked; where there is no other the proof is
// empty.
func prove(dir string, registered []registration.Registration) (string, error) {
	i := slices.IndexFunc(registered, func(r registration.Registration) bool { return r.Event == "PreToolUse" && !r.Records })
	if i < 0 {
		return "", nil
	}
	r := registered[i]
	hook := settings.Hook{Event: r.Event, Command: r.Command(), Timeout: float64(r.Timeout)}
	result := client.Run(context.Background(), client.Call{Hook: hook, Event: []byte(checkEvent), Project: dir, Dir: dir})
	if fault := result.Fault(); fault != "" {
		return "", fmt.Errorf("the proof failed: %s: %s", r.Command(), fault)
	}
	return fmt.Sprintf("%s answered an event: exit 0 after %d ms", r.Command(), result.Took.Milliseconds()), nil
}
