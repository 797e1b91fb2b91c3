//go:build unix

package faults

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// Nothing of the environment's keys comes out of any program: on stdout or
// stderr, in a log, in any file that it writes; with all debugging on, for each
// case of the conformance vectors, and with the keys spoken of in the event.
func TestSecrets(t *testing.T) {
	every := times(1, 12)
	path := safePath(t)
	programs := hooktest.Programs(t)
	_, err := hooktest.Build(t, programs...)
	assert.NilError(t, err)
	runs := 0
	for _, program := range programs {
		for i, s := range samples(t, program) {
			if i%every != 0 {
				continue
			}
			p := hooktest.NewProject(t)
			p.Configs()
			s.lay(p)
			runs++
			leak(t, p, call{program: program, stdin: s.in(p, s.stdin), env: append(debugged(s.env), "PATH="+path)})
			check(os.RemoveAll(filepath.Dir(p.Dir)))
		}
		p := prepare(t)
		for _, event := range []string{
			`{"tool_name":"Bash","tool_input":{"command":"npm test --key=$ANTHROPIC_API_KEY && git commit -m \"${GITHUB_TOKEN}\" > .isdlc/state.json; echo $NPM_TOKEN"},"tool_response":{"stdout":"Tests: 1 failed"}}`,
			`{"tool_name":"Agent","tool_input":{"subagent_type":"${ANTHROPIC_API_KEY}","prompt":"advance $GITHUB_TOKEN","description":"%GITHUB_TOKEN%"}}`,
			`{"tool_name":"Write","tool_input":{"file_path":"${GITHUB_TOKEN}/.isdlc/state.json","content":"{\"k\":\"$NPM_TOKEN\"}"}}`,
		} {
			runs++
			leak(t, p, call{program: program, stdin: event, env: append(debugged(nil), "PATH="+path)})
		}
	}
	t.Logf("%d processes", runs)
}

func debugged(env []string) []string {
	return append(withSecrets(env[:len(env):len(env)]), "SKILL_VALIDATOR_DEBUG=true", "ISDLC_PROVIDER_DEBUG=true", "DEBUG=1")
}

// leak runs a call and looks for the secrets everywhere.
func leak(t *testing.T, p *hooktest.Project, c call) {
	t.Helper()
	r := do(t, p, c)
	if slices.Contains(c.env, "ISDLC_BLOCK_FORMAT=legacy") && c.program == "model-provider-router" {
		r.stdout = "" // callers that ask for the older bytes are given the keys (spec 35 §3.8)
	}
	for where, text := range map[string]string{"stdout": r.stdout, "stderr": r.stderr} {
		assert.Assert(t, !strings.Contains(text, canary), "%s: a secret on %s: %s\n%s", c.program, where, text, c.stdin)
	}
	for name, file := range p.Files() {
		assert.Assert(t, !strings.Contains(file.Data, canary) && !strings.Contains(name, canary), "%s: a secret in %s", c.program, name)
	}
	for name, file := range p.HomeFiles() {
		assert.Assert(t, !strings.Contains(file.Data, canary), "%s: a secret in %s", c.program, name)
	}
}

// The settings of providers come with the project and may name any variable: it
// is neither printed nor sent to the address that they give.
func TestSecretsInProviders(t *testing.T) {
	var mutex sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		asked = append(asked, fmt.Sprint(r.URL, r.Header))
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	const event = `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"subagent_type":"x","prompt":"y"}}`
	for _, base := range []string{server.URL + "/${GITHUB_TOKEN}/", "http://${GITHUB_TOKEN}.invalid/", "http://${ANTHROPIC_API_KEY}@" + strings.TrimPrefix(server.URL, "http://"), server.URL} {
		for _, provider := range []string{"anthropic", "evil"} {
			for _, strict := range []string{"0", "1"} {
				p := prepare(t)
				p.Write(".isdlc/providers.yaml", fmt.Sprintf(`
active_mode: x
defaults: {provider: %[1]s, model: m}
providers:
  %[1]s: {enabled: true, base_url: '%[2]s', api_key_env: GITHUB_TOKEN, api_key: '${NPM_TOKEN}', health_check: {endpoint: 'models?k=${OPENAI_API_KEY}', timeout_ms: 2000},
    models: [{id: '${ANTHROPIC_API_KEY}', alias: m}]}
environment:
  %[1]s: {ANTHROPIC_API_KEY: '${api_key}', X: 'Bearer ${GITHUB_TOKEN}'}
constraints: {track_usage: true, usage_log_path: usage.log}
`, provider, base))
				leak(t, p, call{program: "model-provider-router", stdin: event, env: append(debugged(nil), "ISDLC_PROVIDER_STRICT="+strict)})
			}
		}
	}
	assert.Assert(t, len(asked) > 0, "the server was never asked")
	for _, request := range asked {
		assert.Assert(t, !strings.Contains(request, canary), "sent: %s", request)
	}
}
