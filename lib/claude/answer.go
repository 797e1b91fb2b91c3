package claude

import "isdlc-hooks/lib/ordered"

// An Answer is what a hook says to the client. The zero Answer says nothing.
type Answer struct {
	Event   EventName
	Block   string         // the reason for a block; "" does not block
	Context string         // a message for the model; not given with a block
	Message string         // a message for the person
	Input   *ordered.Value // what the tool gets as its input instead
	Legacy  *ordered.Value // with legacy, printed instead of Context, Message and Input
}

// Encode writes the answer as the client reads it: one line of JSON, nothing
// for an answer that says nothing.
//
// A block of a tool call denies it, for only that keeps the tool from running
// (spec 00 §1.3); a block of a stop makes the turn go on. With legacy set, for
// callers that read the bytes of the older hooks, a blocked tool call is told by
// continue and stopReason, and a message for the model is its plain text.
func (a Answer) Encode(legacy bool) []byte {
	stop := a.Event == Stop || a.Event == SubagentStop
	out := ordered.NewObject()
	switch {
	case a.Block != "" && stop:
		out.Set("decision", "block")
		out.Set("reason", a.Block)
	case a.Block != "" && legacy:
		out.Set("continue", false)
		out.Set("stopReason", a.Block)
	case a.Block != "":
		out.Set("hookSpecificOutput", ordered.NewObject(
			"hookEventName", string(a.Event),
			"permissionDecision", "deny",
			"permissionDecisionReason", a.Block))
	case a.Legacy != nil && legacy:
		out = a.Legacy
	case a.Context != "" && legacy:
		return []byte(a.Context + "\n")
	case a.Context != "" || a.Input != nil:
		specific := ordered.NewObject("hookEventName", string(a.Event))
		if a.Input != nil {
			specific.Set("updatedInput", a.Input)
		}
		if a.Context != "" {
			specific.Set("additionalContext", a.Context)
		}
		out.Set("hookSpecificOutput", specific)
	}
	if a.Message != "" && !legacy {
		out.Set("systemMessage", a.Message)
	}
	if len(out.Members()) == 0 {
		return nil
	}
	return append(out.Compact(), '\n')
}
