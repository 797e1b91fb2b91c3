package install

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"isdlc-hooks/scripts/internal/registration"
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
	limit := time.Duration(r.Timeout) * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := clientCommand(ctx, dir, r)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(checkEvent), &stderr
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+dir)
	cmd.WaitDelay = time.Second
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("the proof failed: %s gave no answer within %s", r.Command(), limit)
	case err != nil:
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if said != "" {
			said = ": " + said
		}
		return "", fmt.Errorf("the proof failed: %s: %w%s", r.Command(), err, said)
	}
	return fmt.Sprintf("%s answered an event: exit 0 after %d ms", r.Command(), took.Milliseconds()), nil
}
