package provider

import (
	"isdlc-hooks/lib/ordered"
)

const (
	anthropicURL = "https://api.anthropic.com"
	keyVariable  = "ANTHROPIC_API_KEY"
	urlVariable  = "ANTHROPIC_BASE_URL"
)

// known are the providers whose address and key variable need not be configured.
var known = [...]struct {
	name, key, url string
	more           [][2]string
}{
	{name: "openrouter", key: "OPENROUTER_API_KEY", url: "https://openrouter.ai/api/v1", more: [][2]string{
		{"HTTP_REFERER", "https://github.com/isdlc-framework"}, {"X_TITLE", "iSDLC Framework"}}},
	{name: "groq", key: "GROQ_API_KEY", url: "https://api.groq.com/openai/v1"},
	{name: "together", key: "TOGETHER_API_KEY", url: "https://api.together.xyz/v1"},
	{name: "google", key: "GOOGLE_AI_API_KEY", url: "https://generativelanguage.googleapis.com/v1beta"},
	{name: "mistral", key: "MISTRAL_API_KEY", url: "https://api.mistral.ai/v1"},
}

// Environment is what a sub-agent would need in its environment to reach t: an
// object of variables and their values, keys among them (spec 35 §3.6).
func (s *Settings) Environment(t Target, getenv func(string) string) *ordered.Value {
	env := s.configured(t.Provider, getenv)
	if env == nil {
		env = s.usual(t.Provider, getenv)
	}
	if id := s.modelID(t.Provider, t.Model, getenv); id != "" {
		env.Set("CLAUDE_MODEL", id)
	}
	return env
}

// configured is the environment that the settings spell out for a provider, nil
// where they do not.
func (s *Settings) configured(provider string, getenv func(string) string) *ordered.Value {
	section := object(s.root.Get("environment", provider))
	if section == nil {
		return nil
	}
	p := s.provider(provider)
	env := ordered.NewObject()
	for _, m := range section.Members() {
		switch {
		case m.Value.Kind() == ordered.Number || m.Value.Kind() == ordered.Bool:
			env.Set(m.Name, m.Value)
		case m.Value.Kind() != ordered.String:
		case m.Value.Text() == "${api_key}":
			env.Set(m.Name, or(p.Get("api_key").Text(), variable(p.Get("api_key_env").Text(), getenv)))
		case m.Value.Text() == "${base_url}":
			if base := p.Get("base_url").Text(); base != "" {
				env.Set(m.Name, expand(base, getenv))
			}
		default:
			env.Set(m.Name, expand(m.Value.Text(), getenv))
		}
	}
	return env
}

// usual is the environment of a provider that the settings do not spell out.
func (s *Settings) usual(provider string, getenv func(string) string) *ordered.Value {
	p := s.provider(provider)
	base := expand(p.Get("base_url").Text(), getenv)
	key := func(variableName string) string {
		return or(variable(p.Get("api_key_env").Text(), getenv), variable(variableName, getenv))
	}
	env := ordered.NewObject()
	switch provider {
	case Anthropic:
		env.Set(keyVariable, key(keyVariable))
		if base != "" && base != anthropicURL {
			env.Set(urlVariable, base)
		}
		return env
	case Ollama:
		env.Set(keyVariable, "")
		env.Set("ANTHROPIC_AUTH_TOKEN", or(p.Get("auth_token").Text(), Ollama))
		env.Set(urlVariable, or(base, "http://localhost:11434"))
		return env
	}
	for _, k := range known {
		if k.name == provider {
			env.Set(keyVariable, key(k.key))
			env.Set(urlVariable, or(base, k.url))
			for _, m := range k.more {
				env.Set(m[0], m[1])
			}
			return env
		}
	}
	env.Set(keyVariable, key(""))
	if p.Get("base_url").Text() != "" {
		env.Set(urlVariable, base)
	}
	return env
}

// variable is the value of a variable, "" where no name is given.
func variable(name string, getenv func(string) string) string {
	if name == "" {
		return ""
	}
	return getenv(name)
}
