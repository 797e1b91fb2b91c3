// Package provider chooses the model provider of a sub-agent: by the settings of
// the project, and by what is available (spec 35 §3).
package provider

import (
	"errors"
	"fmt"
	"strings"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/yaml"
)

// FileName is the settings file in the folder .isdlc of a project.
const FileName = "providers.yaml"

// Names of providers that rules are about.
const (
	Anthropic = "anthropic"
	Ollama    = "ollama"
)

// Settings are the contents of [FileName]. What is missing in it, or of another
// type than it should be, counts as absent.
type Settings struct{ root *ordered.Value }

// Load reads the settings at path. They are usable even when it fails: then they
// are the built-in ones. The error quotes nothing of the file.
func Load(path string) (*Settings, error) {
	data, err := disk.Read(path)
	if err != nil {
		return builtin(), err
	}
	root, err := yaml.Parse(data)
	if err != nil {
		return builtin(), fmt.Errorf("%s: %w", path, err)
	}
	if !root.IsObject() {
		return builtin(), fmt.Errorf("%s: %w", path, errNoMapping)
	}
	return &Settings{root}, nil
}

var errNoMapping = errors.New("no mapping of settings in it")

// builtin are the settings that count where the file cannot be used.
func builtin() *Settings {
	model := func(id, alias string) *ordered.Value { return ordered.NewObject("id", id, "alias", alias) }
	return &Settings{ordered.NewObject(
		"providers", ordered.NewObject(Anthropic, ordered.NewObject(
			"base_url", anthropicURL,
			"api_key_env", "ANTHROPIC_API_KEY",
			"models", ordered.NewArray(
				model("claude-sonnet-4-20250514", "sonnet"),
				model("claude-opus-4-5-20251101", "opus"),
			))),
		"defaults", ordered.NewObject("provider", Anthropic, "model", "sonnet"),
		"active_mode", "quality",
	)}
}

// Mode is the active mode.
func (s *Settings) Mode() string { return or(s.root.Get("active_mode").Text(), hybrid) }

// TracksUsage tells whether the results are to be written down.
func (s *Settings) TracksUsage() bool { return s.root.Get("constraints", "track_usage").Present() }

// UsageLog is the path of the usage log below the root of the project.
func (s *Settings) UsageLog() string {
	return or(s.root.Get("constraints", "usage_log_path").Text(), ".isdlc/usage-log.jsonl")
}

// provider is what is configured for a provider, nil where nothing is.
func (s *Settings) provider(name string) *ordered.Value {
	return object(s.root.Get("providers", name))
}

// models lists the models of a provider that are objects.
func (s *Settings) models(provider string) []*ordered.Value {
	var list []*ordered.Value
	for _, m := range s.provider(provider).Get("models").Items() {
		if m.IsObject() {
			list = append(list, m)
		}
	}
	return list
}

// defaultModel is the name of the first model of a provider, "" without any.
func (s *Settings) defaultModel(provider string) string {
	for _, m := range s.models(provider) {
		return or(m.Get("alias").Text(), m.Get("id").Text())
	}
	return ""
}

// modelID is the full name of a model of a provider: the id of the first entry
// that is called so, else the name itself.
func (s *Settings) modelID(provider, model string, getenv func(string) string) string {
	if model == "" {
		return ""
	}
	for _, m := range s.models(provider) {
		id := m.Get("id").Text()
		if m.Get("alias").Text() == model || id == model {
			return or(expand(id, getenv), model)
		}
	}
	return model
}

// A Target is a provider with one of its models; the model is "" where the
// provider's own default is meant, or where it has none.
type Target struct{ Provider, Model string }

// String is the target as chains name it.
func (t Target) String() string {
	if t.Model == "" {
		return t.Provider
	}
	return t.Provider + ":" + t.Model
}

// target reads an entry of a chain: provider:model, a provider, or an object. Of
// several colons the first one divides.
func target(v *ordered.Value) (t Target, ok bool) {
	if v.IsObject() {
		t = Target{v.Get("provider").Text(), v.Get("model").Text()}
	} else {
		t.Provider, t.Model, _ = strings.Cut(v.Text(), ":")
	}
	return t, t.Provider != ""
}

// chain reads a list of fallbacks; ok is false where there is no list at all.
func (s *Settings) chain(v *ordered.Value) (list []Target, ok bool) {
	for _, item := range v.Items() {
		if t, ok := target(item); ok {
			list = append(list, s.complete(t))
		}
	}
	return list, v.IsArray()
}

// complete puts the default model of the provider where no other is named.
func (s *Settings) complete(t Target) Target {
	t.Model = or(t.Model, s.defaultModel(t.Provider))
	return t
}

// object is v where it is an object, else nil.
func object(v *ordered.Value) *ordered.Value {
	if v.IsObject() {
		return v
	}
	return nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// expand replaces every ${NAME} by the value of that variable, once.
func expand(s string, getenv func(string) string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "${")
		name, rest, closed := strings.Cut(after, "}")
		switch {
		case !found || !closed:
			out.WriteString(s)
			return out.String()
		case name == "":
			out.WriteString(before + "${")
			s = after
		default:
			out.WriteString(before + getenv(name))
			s = rest
		}
	}
}
