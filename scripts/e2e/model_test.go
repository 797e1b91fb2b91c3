package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A script is what the model says in one conversation, turn by turn. When it is
// used up the model says that it is done.
type script []turn

// A turn is one answer of the model: text, calls of tools, or both.
type turn struct {
	text  string
	calls []call
	after *progress // the model thinks until then
}

// progress is that a script has had so many answers.
type progress struct {
	script  string
	answers int
}

// A call asks for a tool. Its id is also how a test names the result.
type call struct {
	id, tool string
	input    map[string]any
}

// say is a turn of text alone, which ends the turn of the client.
func say(text string) turn { return turn{text: text} }

// use is a turn that calls one tool.
func use(id, tool string, input map[string]any) turn {
	return turn{calls: []call{{id, tool, input}}}
}

// slowly is what an agent in the background says while another script goes on.
func slowly(t turn, script string, answers int) turn {
	t.after = &progress{script, answers}
	return t
}

// play is how a prompt, of a person or for a sub-agent, chooses its script.
func play(name string) string { return "Play the script " + name + "." }

var played = regexp.MustCompile(`Play the script (\w+)\.`)

// finished is what the model says after the end of a script.
const finished = "The script is finished."

// maxRequests ends a client that goes round in circles.
const maxRequests = 80

// A model is a server of the Messages API that plays scripts. Which script a
// request belongs to stands in its first message, and the turns that the model
// has had already are in it too, so that a request that is sent again gets the
// same answer.
type model struct {
	url     string
	scripts map[string]script
	project string // what {{project}} stands for in a script

	mu       sync.Mutex
	requests []request
	outside  []string // addresses on other machines that the client wanted to reach
}

// A request is what the client sent to the model.
type request struct {
	path   string
	script string // the script that answered; "" for requests beside the conversations
	model  string // the model that was asked for
	body   string
	conversation
}

// newModel starts a model that stops with the test, or after the limit.
func newModel(t *testing.T, project string, scripts map[string]script, limit time.Duration) *model {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &model{url: "http://" + listener.Addr().String(), project: project, scripts: scripts}
	server := &http.Server{Handler: m, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second}
	go server.Serve(listener)
	timer := time.AfterFunc(limit, func() { server.Close() })
	t.Cleanup(func() {
		timer.Stop()
		server.Close()
	})
	return m
}

// ServeHTTP answers what the client asks. It is the client's proxy too: a request
// for another machine is noted and refused.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect || r.URL.IsAbs() {
		m.mu.Lock()
		m.outside = append(m.outside, r.Host)
		m.mu.Unlock()
		http.Error(w, "this network ends here", http.StatusForbidden)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	got := request{path: r.Method + " " + r.URL.Path, body: string(body)}
	var asked struct {
		Stream bool
		Model  string
		Tools  []json.RawMessage
		conversation
	}
	parsed := json.Unmarshal(body, &asked)
	got.conversation, got.model = asked.conversation, asked.Model
	messages := parsed == nil && r.URL.Path == "/v1/messages"
	if messages && len(asked.Tools) > 0 {
		got.script = m.scriptOf(asked.conversation)
	}
	if n := m.record(got); n > maxRequests {
		http.Error(w, fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":"more than %d requests"}}`, maxRequests), http.StatusBadRequest)
		return
	}
	switch {
	case messages:
		answer := say("ok")
		if got.script != "" {
			answer = m.next(got)
			m.await(r.Context(), answer.after)
		}
		if asked.Stream {
			answer.stream(w, asked.Model, m.project)
		} else {
			answer.write(w, asked.Model, m.project)
		}
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		reply(w, map[string]any{"input_tokens": 9})
	default:
		reply(w, map[string]any{})
	}
}

// next is the turn that follows those the conversation holds already.
func (m *model) next(r request) turn {
	s := m.scripts[r.script]
	if n := r.answered(); n < len(s) {
		return s[n]
	}
	return say(finished)
}

// await returns when the progress is made, and the client has had a moment for the
// end of that turn; or when the client gives the request up.
func (m *model) await(ctx context.Context, p *progress) {
	if p == nil {
		return
	}
	made := func(r request) bool { return r.script == p.script && r.answered() >= p.answers-1 }
	for ctx.Err() == nil && !slices.ContainsFunc(m.recorded(), made) {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
}

func (m *model) scriptOf(c conversation) string {
	if len(c.Messages) == 0 {
		return ""
	}
	match := played.FindStringSubmatch(c.Messages[0].text())
	if match == nil {
		return ""
	}
	if _, known := m.scripts[match[1]]; !known {
		return ""
	}
	return match[1]
}

func (m *model) record(r request) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	return len(m.requests)
}

func (m *model) recorded() []request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// heard is what the conversation of a script held in the end: its last request.
// It is empty when the script was never played.
func (m *model) heard(name string) conversation {
	var last conversation
	for _, r := range m.recorded() {
		if r.script == name && len(r.Messages) >= len(last.Messages) {
			last = r.conversation
		}
	}
	return last
}

// asked names the model that a script was played for.
func (m *model) asked(name string) string {
	for _, r := range m.recorded() {
		if r.script == name {
			return r.model
		}
	}
	return ""
}
