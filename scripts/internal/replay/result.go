package replay

import (
	"encoding/json"
	"slices"

	"isdlc-hooks/scripts/internal/client"
	"isdlc-hooks/scripts/internal/copytree"
)

// A Replay is what came of it.
type Replay struct {
	Project string           `json:"project"`
	Copied  copytree.Summary `json:"-"`
	Steps   []*Step          `json:"events"`
	Summary Summary          `json:"summary"`
}

// A Step is one event.
type Step struct {
	Line    int            `json:"line"`
	Event   string         `json:"event,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Agent   string         `json:"agent,omitempty"`
	Verdict client.Verdict `json:"verdict,omitempty"` // of all programs together
	Answers []*Answer      `json:"answers,omitempty"`
	// Skipped is why no program got it, beside that none is registered for it.
	Skipped string `json:"skipped,omitempty"`
	// Broken is why the line is no event.
	Broken string `json:"broken,omitempty"`
}

// An Answer is what one program said and did.
type Answer struct {
	Program      string          `json:"program"`
	Verdict      client.Verdict  `json:"verdict,omitempty"`
	Reason       string          `json:"reason,omitempty"`
	Context      string          `json:"context,omitempty"` // for the model
	Message      string          `json:"message,omitempty"` // for the person
	Input        json.RawMessage `json:"input,omitempty"`   // what the tool gets instead
	Stdout       string          `json:"stdout,omitempty"`
	Stderr       string          `json:"stderr,omitempty"`
	Exit         int             `json:"exit"`
	Fault        string          `json:"fault,omitempty"` // why the client takes no notice of it
	State        []Change        `json:"state,omitempty"`
	Milliseconds float64         `json:"milliseconds"`
	NotRun       string          `json:"not_run,omitempty"` // why it was left out
}

// A Summary counts what came of a replay.
type Summary struct {
	Events       int     `json:"events"`
	Broken       int     `json:"broken_lines"`
	Runs         int     `json:"runs"`
	Denied       int     `json:"denied"`   // calls of tools
	Blocked      int     `json:"blocked"`  // stops that would have gone on, results that were objected to
	Messages     int     `json:"messages"` // for the model
	StateWrites  int     `json:"state_writes"`
	Faults       int     `json:"faults"`
	NotRun       int     `json:"not_run"`
	Milliseconds float64 `json:"milliseconds"`
}

// stronger is the verdict that counts of two.
func stronger(a, b client.Verdict) client.Verdict {
	order := []client.Verdict{"", client.Allow, client.Block, client.End, client.Ask, client.Deny}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

func (p *player) count() {
	for _, s := range p.replay.Steps {
		if s.Broken != "" {
			p.replay.Summary.Broken++
			continue
		}
		p.replay.Summary.Events++
		switch s.Verdict {
		case client.Deny:
			p.replay.Summary.Denied++
		case client.Block:
			p.replay.Summary.Blocked++
		}
		for _, a := range s.Answers {
			if a.NotRun != "" {
				p.replay.Summary.NotRun++
				continue
			}
			p.replay.Summary.Runs++
			p.replay.Summary.Milliseconds += a.Milliseconds
			if a.Context != "" {
				p.replay.Summary.Messages++
			}
			if len(a.State) > 0 {
				p.replay.Summary.StateWrites++
			}
			if a.Fault != "" {
				p.replay.Summary.Faults++
			}
		}
	}
}
