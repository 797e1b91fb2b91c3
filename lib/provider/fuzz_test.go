package provider

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"isdlc-hooks/lib/hooktest"
)

// FuzzSettings holds that no providers.yaml makes a part of the routing panic or
// take long, and that an error holds no value of a variable.
func FuzzSettings(f *testing.F) {
	f.Add(hooktest.Config(f, "provider-defaults.yaml"), "x", "06-implementation")
	for _, seed := range []string{
		"active_mode: hybrid\nmodes: {hybrid: {phases: {default: {provider: a, model: b, fallback: [c, d]}}}}\nproviders: {a: {base_url: 'http://${T}', health_check: {endpoint: /x}}}",
		"defaults: {provider: 7}\nproviders: [a]\nenvironment: {anthropic: {A: '${api_key}', B: '${base_url}', C: 1e9, D: {}}}", "a: &a [*a]", "- x", "",
	} {
		f.Add(seed, "x", "y")
	}
	getenv := func(name string) string { return "s3cr3t" }
	f.Fuzz(func(t *testing.T, text, agent, phase string) {
		path := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		s, err := Load(path)
		if err != nil && strings.Contains(err.Error(), "s3cr3t") {
			t.Error(err)
		}
		selection := s.Select(Call{Agent: agent, Phase: phase})
		result, err := s.Route(selection, func(attempt int, name string) error {
			err := s.Available(name, getenv, func(address *url.URL, _ time.Duration) error { return errNotConfigured })
			if err != nil && strings.Contains(err.Error(), "s3cr3t") && !strings.Contains(text, "s3cr3t") {
				t.Error(err)
			}
			return err
		})
		if err == nil {
			s.Environment(result.Target, getenv)
		}
		s.UsageLog()
		s.TracksUsage()
		s.Mode()
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("took %s", d)
		}
	})
}
