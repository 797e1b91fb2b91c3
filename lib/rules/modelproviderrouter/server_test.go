package modelproviderrouter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

const event = `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"subagent_type":"software-developer","prompt":"p"}}`

// A server is a model provider that notes what it is asked.
type server struct {
	*httptest.Server
	sync.Mutex
	asked  []string
	header http.Header // of the last request
}

func serve(t *testing.T, handle http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		s.header = r.Header.Clone()
		s.Unlock()
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() []string {
	s.Lock()
	defer s.Unlock()
	return slices.Clone(s.asked)
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(code)
	}
}

// selected is the part of the older answer that names the result.
func selected(provider, model, source string) string {
	return fmt.Sprintf(`"provider_selection":{"provider":%q,"model":%q,"source":%q,"phase":"unknown"}`, provider, model, source)
}

// run routes a call in a project with these settings.
func run(t *testing.T, settings string, env ...string) hooktest.Result {
	t.Helper()
	p := hooktest.NewProject(t)
	p.Write(".isdlc/providers.yaml", settings)
	before := p.Files()
	r := p.RunWith("model-provider-router", event, hooktest.Options{Env: variables(env)})
	assert.Equal(t, r.Exit, 0)
	assert.Equal(t, len(before.Changed(p.Files())), 0)
	return r
}

func variables(env []string) map[string]string {
	m := map[string]string{"ISDLC_BLOCK_FORMAT": "legacy", "ISDLC_PROVIDER_STRICT": "1"}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		m[name] = value
	}
	return m
}

// ollama are settings with one provider whose health is checked at url.
func ollama(url, endpoint string) string {
	return fmt.Sprintf("providers:\n  ollama:\n    base_url: %s\n    health_check: {endpoint: %s, timeout_ms: 4000}\ndefaults:\n  provider: ollama\n  model: m\n", url, endpoint)
}

// Spec 35 §3.9, 1.
func TestAvailable(t *testing.T) {
	s := serve(t, status(200))
	r := run(t, ollama(strings.Replace(s.URL, "http://", "http://user:secret@", 1), "/api/tags"))
	assert.Assert(t, cmp.Contains(r.Stdout, selected("ollama", "m", "global_default")))
	assert.Equal(t, r.Stderr, "")
	assert.DeepEqual(t, s.requests(), []string{"GET /api/tags"})
	assert.Equal(t, len(s.header), 0, "no headers of its own: %v", s.header)
}

// Spec 35 §3.9, 2 and 3.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		code int
		ok   bool
	}{{204, true}, {302, true}, {399, true}, {400, false}, {401, false}, {404, false}, {500, false}} {
		s := serve(t, status(c.code))
		r := run(t, ollama(s.URL, "/api/tags"))
		if c.ok {
			assert.Assert(t, cmp.Contains(r.Stdout, selected("ollama", "m", "global_default")), "%d", c.code)
		} else {
			assert.Assert(t, cmp.Contains(r.Stdout, fmt.Sprintf("provider ollama is unavailable: HTTP %d", c.code)))
			assert.Assert(t, cmp.Contains(r.Stdout, `"continue":false`))
			assert.Assert(t, cmp.Contains(r.Stderr, fmt.Sprintf("HTTP %d", c.code)))
		}
		assert.DeepEqual(t, s.requests(), []string{"GET /api/tags"})

	}
}

// Spec 35 §3.9, 3, with somebody to stand in.
func TestFallbackAfterStatus(t *testing.T) {
	s := serve(t, status(500))
	r := run(t, ollama(s.URL, "/api/tags")+"  fallback_chain: [mine:x, anthropic:sonnet]\n")
	assert.Assert(t, cmp.Contains(r.Stdout, "unavailable"), "no provider of the chain is configured")
	r = run(t, strings.Replace(ollama(s.URL, "/api/tags"), "providers:\n", "providers:\n  anthropic: {enabled: true}\n", 1)+
		"  fallback_chain: [mine:x, anthropic:sonnet]\n")
	assert.Assert(t, cmp.Contains(r.Stdout, selected("anthropic", "sonnet", "fallback_from_ollama")))
	for _, token := range []string{"[provider-router]", "fallback", "ollama", "HTTP 500", "anthropic:sonnet"} {
		assert.Assert(t, cmp.Contains(r.Stderr, token))
	}
}

// Spec 35 §3.9, 4.
func TestTimeout(t *testing.T) {
	done := make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) { <-done })
	t.Cleanup(func() { close(done) }) // before the server is closed
	r := run(t, fmt.Sprintf("providers:\n  mine:\n    base_url: %s\n    health_check: {endpoint: /, timeout_ms: 50}\n"+
		"defaults: {provider: mine}\nconstraints: {health_check_timeout_ms: 30000}\n", s.URL))
	assert.Assert(t, cmp.Contains(r.Stdout, "timeout after 50 ms"))
	assert.Assert(t, cmp.Contains(r.Stderr, "timeout after 50 ms"))
	assert.Assert(t, r.Duration < 15*time.Second, "%v", r.Duration)
}

// Spec 35 §3.9, 5.
func TestEndpoint(t *testing.T) {
	s := serve(t, status(200))
	for _, c := range []struct{ base, endpoint, want string }{
		{s.URL + "/openai/v1", "/models", "GET /models"},
		{s.URL + "/openai/v1", "models", "GET /openai/models"},
		{s.URL + "/openai/v1/", "models", "GET /openai/v1/models"},
		{"http://127.0.0.1:9/x", s.URL + "/y", "GET /y"},
		{"", s.URL + "/y", "GET /y"},
		{"${WHERE}/v1", "/z", "GET /z"},
	} {
		r := run(t, fmt.Sprintf("providers:\n  mine:\n    base_url: %q\n    health_check: {endpoint: %q}\ndefaults: {provider: mine, model: m}\n", c.base, c.endpoint),
			"WHERE="+s.URL)
		assert.Assert(t, cmp.Contains(r.Stdout, selected("mine", "m", "global_default")), "%s", r.Stdout)
		asked := s.requests()
		assert.Equal(t, asked[len(asked)-1], c.want)
	}
	assert.Equal(t, len(s.requests()), 6)
}

// Spec 35 §3.9, 6.
func TestFirstOfTheChain(t *testing.T) {
	down, first, second := serve(t, status(503)), serve(t, status(200)), serve(t, status(200))
	r := run(t, fmt.Sprintf("providers:\n"+
		"  ollama: {base_url: %q, health_check: {endpoint: /a}}\n"+
		"  one: {base_url: %q, health_check: {endpoint: /b}}\n"+
		"  two: {base_url: %q, health_check: {endpoint: /c}}\n"+
		"defaults: {provider: ollama, model: m, fallback_chain: [one:x, two:y]}\n", down.URL, first.URL, second.URL))
	assert.Assert(t, cmp.Contains(r.Stdout, selected("one", "x", "fallback_from_ollama")))
	assert.DeepEqual(t, down.requests(), []string{"GET /a"})
	assert.DeepEqual(t, first.requests(), []string{"GET /b"})
	assert.Equal(t, len(second.requests()), 0)
}

// Spec 35 §3.9, 7, and the other way round (§3.5, 5).
func TestChainKeepsToItsKind(t *testing.T) {
	down, cloud, local := serve(t, status(503)), serve(t, status(200)), serve(t, status(200))
	providers := fmt.Sprintf("providers:\n"+
		"  ollama: {base_url: %q, health_check: {endpoint: /}}\n"+
		"  groq: {base_url: %q, health_check: {endpoint: /}}\n"+
		"  cloud: {base_url: %q, health_check: {endpoint: /}}\n"+
		"  local: {base_url: %q, health_check: {endpoint: /}}\n", down.URL, down.URL, cloud.URL, local.URL)

	r := run(t, providers+"active_mode: local\nmodes: {local: {default_model: m}}\ndefaults: {fallback_chain: [cloud:x]}\n")
	assert.Assert(t, cmp.Contains(r.Stdout, "provider ollama is unavailable: HTTP 503"))
	assert.Equal(t, len(cloud.requests()), 0)

	r = run(t, providers+"active_mode: local\nmodes: {local: {warning: slow here}}\ndefaults: {fallback_chain: [cloud:x, local:y]}\n")
	assert.Assert(t, cmp.Contains(r.Stdout, selected("local", "y", "fallback_from_ollama")))
	assert.Assert(t, cmp.Contains(r.Stderr, "warning: slow here"))
	assert.Assert(t, cmp.Contains(r.Stderr, "fallback"))
	assert.Equal(t, len(cloud.requests()), 0)

	r = run(t, providers+"phase_routing: {unknown: {provider: groq, local_override: false, fallback: [local:x, cloud:y]}}\n")
	assert.Assert(t, cmp.Contains(r.Stdout, selected("cloud", "y", "fallback_from_groq")))
	assert.Equal(t, len(local.requests()), 1, "only of the run before")
}

// Spec 35 §3.9, 8. The address of any interface is the same host, but none for
// which a client would leave a proxy out by itself.
func TestNoProxy(t *testing.T) {
	s := serve(t, status(200))
	for _, url := range []string{s.URL, strings.Replace(s.URL, "127.0.0.1", "0.0.0.0", 1)} {
		r := run(t, ollama(url, "/"), "HTTP_PROXY=http://127.0.0.1:9", "http_proxy=http://127.0.0.1:9", "ALL_PROXY=http://127.0.0.1:9")
		assert.Assert(t, cmp.Contains(r.Stdout, selected("ollama", "m", "global_default")), "%s", r.Stderr)
	}
	assert.Equal(t, len(s.requests()), 2)
}

// Somebody else writes the state while the provider is asked: the rule runs
// again, the question and the line in the usage log come once.
func TestConflict(t *testing.T) {
	p := hooktest.NewProject(t)
	p.Write(".isdlc/state.json", `{"current_phase":"01-requirements"}`)
	s := serve(t, func(http.ResponseWriter, *http.Request) {
		p.Write(".isdlc/state.json", `{"current_phase":"06-implementation","foreign":1.0}`)
	})
	p.Write(".isdlc/providers.yaml", ollama(s.URL, "/")+"constraints: {track_usage: true}\n")
	r := p.RunWith("model-provider-router", event, hooktest.Options{Env: variables(nil)})
	assert.Assert(t, cmp.Contains(r.Stdout, `"phase":"06-implementation"`))
	assert.Equal(t, len(s.requests()), 1)
	files := p.Files()
	assert.Equal(t, strings.Count(files[".isdlc/usage-log.jsonl"].Data, "\n"), 1)
	assert.Assert(t, cmp.Contains(files[".isdlc/usage-log.jsonl"].Data, `"phase":"06-implementation"`))
	assert.Assert(t, cmp.Contains(files[".isdlc/state.json"].Data, `"foreign": 1.0`))
	assert.Assert(t, cmp.Contains(files[".isdlc/state.json"].Data, `"last_provider_selection"`))
}
