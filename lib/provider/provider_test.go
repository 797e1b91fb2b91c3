package provider

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func load(t *testing.T, text string) *Settings {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	s, err := Load(path)
	assert.NilError(t, err)
	return s
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestExpand(t *testing.T) {
	getenv := env("A", "1", "B C", "2", "D", "${A}", "x ${A", "3")
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"plain", "plain"}, {"${A}", "1"}, {"-${A}${B C}-", "-12-"}, {"$A ${NONE}.", "$A ."},
		{"${D}", "${A}"}, {"${}${A}", "${}1"}, {"${A", "${A"}, {"${", "${"}, {"a}${A}}", "a}1}"}, {"${x ${A}", "3"},
	} {
		assert.Equal(t, expand(c.text, getenv), c.want, c.text)
	}
}

func TestSelect(t *testing.T) {
	const providers = "providers:\n  ollama: {models: [null, {alias: first}]}\n  cloud: {models: [{id: big}]}\n"
	for _, c := range []struct {
		what, settings, phase string
		want, source          string
	}{
		{"an override as text, divided at the first colon", "agent_overrides: {me: 'ollama:gpt-oss:20b'}", "", "ollama:gpt-oss:20b", "agent_override"},
		{"an override as the name of a provider", "agent_overrides: {me: cloud}", "", "cloud:big", "agent_override"},
		{"an override of a wrong type", "agent_overrides: {me: [cloud]}", "", "anthropic:sonnet", "global_default"},
		{"an override without a provider", "agent_overrides: {me: {model: x}}", "", "anthropic:sonnet", "global_default"},
		{"the routing of a phase under its own key", "phase_routing: {13-test-deploy: {provider: cloud}, 12-test-deploy: {provider: ollama}}", "13-test-deploy", "cloud:big", "phase_routing"},
		{"under the canonical key", "phase_routing: {12-test-deploy: {provider: cloud}}", "13-test-deploy", "cloud:big", "phase_routing"},
		{"under an alias", "phase_routing: {13-test-deploy: {provider: cloud}}", "12-test-deploy", "cloud:big", "phase_routing"},
		{"the model of the entry that is not local", "phase_routing: {p: {provider: local, local_override: false, fallback: ['ollama', 7, 'cloud:']}}", "p", "cloud:big", "phase_routing_cloud_required"},
		{"local_override as text", "phase_routing: {p: {provider: ollama, local_override: 'false', fallback: [cloud]}}", "p", "ollama:first", "phase_routing"},
		{"budget, phase listed under an alias", "active_mode: budget\nmodes: {budget: {cloud_phases_only: [13-test-deploy]}}", "12-test-deploy", "anthropic:sonnet", "global_default"},
		{"budget, phase not listed", "active_mode: budget\nmodes: {budget: {cloud_phases_only: [p]}}", "q", "ollama:qwen-coder", "mode_budget"},
		{"a mode that is described by nothing", "active_mode: local\nmodes: {local: }", "", "anthropic:sonnet", "global_default"},
		{"sections of wrong types", "active_mode: [x]\nphase_routing: 1\nmodes: []\ndefaults: text", "p", "anthropic:sonnet", "global_default"},
	} {
		sel := load(t, providers+c.settings+"\n").Select(Call{Agent: "me", Phase: c.phase})
		assert.Equal(t, sel.String(), c.want, c.what)
		assert.Equal(t, sel.Source, c.source, c.what)
	}
}

func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		own, all string
		want     time.Duration
	}{
		{"50", "70", 50 * time.Millisecond},
		{"1.5", "70", 1500 * time.Microsecond},
		{"0", "70", 70 * time.Millisecond},
		{"-1", "0", 5 * time.Second},
		{"'50'", "text", 5 * time.Second},
		{"1e300", "1", 1 * time.Millisecond}, // a text in YAML 1.1
		{"999999999999999999", "1", 10 * time.Minute},
	} {
		s := load(t, "providers: {p: {health_check: {timeout_ms: "+c.own+"}}}\nconstraints: {health_check_timeout_ms: "+c.all+"}\n")
		assert.Equal(t, s.timeout(s.provider("p")), c.want, c.own)
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ base, endpoint, want string }{
		{"http://h:1/a/b", "c", "http://h:1/a/c"},
		{"http://h:1/a/b", "/c?d=e", "http://h:1/c?d=e"},
		{"http://h:1/a/b", "../c", "http://h:1/c"},
		{"http://h:1/a", "https://i/c", "https://i/c"},
		{"https://h/a", "//i/c", "https://i/c"},
		{"h:1", "/c", ""},
		{"127.0.0.1:1", "/c", ""},
		{"", "/c", ""},
		{"ftp://h", "/c", ""},
		{"http://", "/c", ""},
		{"http://h", "file:///etc/passwd", ""},
		{"http://h\n", "/c", ""},
		{"http://h", "%zz", ""},
	} {
		address, err := resolve(c.base, c.endpoint)
		if c.want == "" {
			assert.Assert(t, errors.Is(err, errURL), "%s %s", c.base, c.endpoint)
			continue
		}
		assert.NilError(t, err)
		assert.Equal(t, address.String(), c.want)
	}
}

func TestEnvironment(t *testing.T) {
	for _, c := range []struct{ what, settings, provider, model, want string }{
		{"values of all types", "environment: {p: {A: 1.5, B: true, C: null, D: [x], E: '', F: x, CLAUDE_MODEL: y}}", "p", "m",
			`{"A":1.5,"B":true,"E":"","F":"x","CLAUDE_MODEL":"m"}`},
		{"an empty section is one", "environment: {p: {}}", "p", "", `{}`},
		{"a section of a wrong type is none", "environment: {p: []}", "p", "", `{"ANTHROPIC_API_KEY":""}`},
		{"the literal key before the variable", "providers: {p: {api_key: lit, api_key_env: K}}\nenvironment: {p: {A: '${api_key}', B: '${K}'}}", "p", "",
			`{"A":"lit","B":"from-env"}`},
		{"the variable without a literal key", "providers: {p: {api_key_env: K}}\nenvironment: {p: {A: '${api_key}', B: '${base_url}'}}", "p", "",
			`{"A":"from-env"}`},
		{"no literal key without a section", "providers: {p: {api_key: lit}}", "p", "", `{"ANTHROPIC_API_KEY":""}`},
		{"an address whose variable is empty", "providers: {p: {base_url: '${NONE}'}, ollama: {base_url: '${NONE}'}}", "p", "",
			`{"ANTHROPIC_API_KEY":"","ANTHROPIC_BASE_URL":""}`},
		{"the same for ollama", "providers: {ollama: {base_url: '${NONE}'}}", "ollama", "",
			`{"ANTHROPIC_API_KEY":"","ANTHROPIC_AUTH_TOKEN":"ollama","ANTHROPIC_BASE_URL":"http://localhost:11434"}`},
		{"an id with a variable", "providers: {p: {models: [{id: a, alias: b}, {id: 'x-${K}', alias: m}]}}", "p", "m",
			`{"ANTHROPIC_API_KEY":"","CLAUDE_MODEL":"x-from-env"}`},
		{"a model that no entry names is not expanded", "providers: {p: {}}", "p", "${K}", `{"ANTHROPIC_API_KEY":"","CLAUDE_MODEL":"${K}"}`},
	} {
		got := load(t, c.settings+"\n").Environment(Target{c.provider, c.model}, env("K", "from-env"))
		assert.Equal(t, string(got.Compact()), c.want, c.what)
	}
}

func TestSecretsAreNotSentForAHealthCheck(t *testing.T) {
	for base, secret := range map[string]bool{
		"http://${HOST}/v1": false, "http://${OLLAMA_HOST}:${PORT}": false, "http://token.example": false,
		"http://${GITHUB_TOKEN}.example": true, "http://x/${HOST}/${my_api_key}": true, "http://${DB_PASSWORD}@x": true,
	} {
		s := &Settings{root: ordered.NewObject("providers", ordered.NewObject("p",
			ordered.NewObject("base_url", base, "health_check", ordered.NewObject("endpoint", "/models"))))}
		asked := false
		err := s.Available("p", func(string) string { return "80" }, func(*url.URL, time.Duration) error { asked = true; return nil })
		assert.Equal(t, errors.Is(err, errSecret), secret, "%s: %v", base, err)
		assert.Equal(t, asked, !secret)
	}
}
