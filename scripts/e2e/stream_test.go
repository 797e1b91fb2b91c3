package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
)

// Answers in the two forms of the Messages API: one document, or a stream of
// server-sent events.

type object = map[string]any

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(body)
}

func (t turn) stopReason() string {
	if len(t.calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

// content is what the answer consists of. The inputs of calls name the project,
// which the script cannot know.
func (t turn) content(project string) []object {
	content := []object{}
	if t.text != "" {
		content = append(content, object{"type": "text", "text": t.text})
	}
	for _, c := range t.calls {
		input, err := json.Marshal(c.input)
		if err != nil {
			panic(err) // a script that is no JSON
		}
		input = bytes.ReplaceAll(input, []byte("{{project}}"), []byte(project))
		content = append(content, object{"type": "tool_use", "id": c.id, "name": c.tool, "input": json.RawMessage(input)})
	}
	return content
}

// answers numbers the answers: the client takes those with one id for one message.
var answers atomic.Int64

func envelope(model string) object {
	return object{
		"id": fmt.Sprintf("msg_%04d", answers.Add(1)), "type": "message", "role": "assistant", "model": model, "content": []object{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 9, "output_tokens": 9},
	}
}

func (t turn) write(w http.ResponseWriter, model, project string) {
	body := envelope(model)
	body["content"], body["stop_reason"] = t.content(project), t.stopReason()
	reply(w, body)
}

func (t turn) stream(w http.ResponseWriter, model, project string) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, data object) {
		data["type"] = kind
		text, err := json.Marshal(data)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
	}
	send("message_start", object{"message": envelope(model)})
	for i, part := range t.content(project) {
		delta := object{"type": "text_delta", "text": part["text"]}
		if input, isCall := part["input"].(json.RawMessage); isCall {
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
			part["input"] = object{}
		} else {
			part["text"] = ""
		}
		send("content_block_start", object{"index": i, "content_block": part})
		send("content_block_delta", object{"index": i, "delta": delta})
		send("content_block_stop", object{"index": i})
	}
	send("message_delta", object{"delta": object{"stop_reason": t.stopReason(), "stop_sequence": nil}, "usage": object{"output_tokens": 9}})
	send("message_stop", object{})
}
