package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A conversation is what a request tells the model: the messages so far.
type conversation struct {
	Messages []message
}

// A message has text or blocks; the client writes both.
type message struct {
	Role    string
	Content blocks
}

type blocks []block

// A block is a part of a message: text, a call of a tool, or its result.
type block struct {
	Type      string
	Text      string
	ID, Name  string          // of a call
	Input     json.RawMessage // of a call
	ToolUseID string          `json:"tool_use_id"` // of a result
	IsError   bool            `json:"is_error"`
	Content   blocks          // of a result
}

// UnmarshalJSON also takes plain text, which is one block of it.
func (b *blocks) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*b = blocks{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]block)(b))
}

func (b blocks) text() string {
	var texts []string
	for _, part := range b {
		if part.Type == "text" {
			texts = append(texts, part.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func (m message) text() string { return m.Content.text() }

// answered counts the turns that the model has had.
func (c conversation) answered() (n int) {
	for _, m := range c.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

// A result is what the model got for a call.
type result struct {
	text    string
	isError bool
}

// result finds what came back for a call.
func (c conversation) result(id string) (result, bool) {
	for _, m := range c.Messages {
		for _, b := range m.Content {
			if b.Type == "tool_result" && b.ToolUseID == id {
				return result{b.Content.text(), b.IsError}, true
			}
		}
	}
	return result{}, false
}

// between is what the model was told from one call on until another, beside the
// results of tools: what hooks added, feedback of a stop, notices of the client.
// Without a call it goes from the beginning, or to the end.
func (c conversation) between(from, until string) string {
	var texts []string
	called := from == ""
	for _, m := range c.Messages {
		for _, b := range m.Content {
			switch {
			case b.Type != "tool_use":
			case b.ID == from:
				called = true
			case b.ID == until:
				return strings.Join(texts, "\n")
			}
		}
		if called && m.Role != "assistant" {
			texts = append(texts, m.text())
		}
	}
	return strings.Join(texts, "\n")
}

// String shows the conversation for a person, from the model's first answer on:
// before that stand the client's own instructions.
func (c conversation) String() string {
	var out strings.Builder
	begun := false
	for _, m := range c.Messages {
		begun = begun || m.Role == "assistant"
		if !begun {
			continue
		}
		for _, b := range m.Content {
			switch b.Type {
			case "tool_use":
				fmt.Fprintf(&out, "  %s calls %s %s: %s\n", m.Role, b.Name, b.ID, shorten(string(b.Input)))
			case "tool_result":
				failed := ""
				if b.IsError {
					failed = " (error)"
				}
				fmt.Fprintf(&out, "  %s: result of %s%s: %s\n", m.Role, b.ToolUseID, failed, shorten(b.Content.text()))
			case "text":
				fmt.Fprintf(&out, "  %s: %s\n", m.Role, shorten(b.Text))
			}
		}
	}
	return out.String()
}

// shorten keeps what a person needs of a long text.
func shorten(text string) string {
	const most = 1500
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("... (%d more bytes)", len(text)-most)
	}
	return text
}
