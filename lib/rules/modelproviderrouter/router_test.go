package modelproviderrouter_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
)

const secret = "sk-very-secret"

// call is a call of the sub-agent tool with more input.
func call(more string) string {
	return `{"tool_name":"Agent","tool_input":{"subagent_type":"software-developer","prompt":"<p> & q"` + more + `}}`
}

// Spec 05 I.2: what today's client gets.
func TestAnswer(t *testing.T) {
	const models = "    models:\n      - {id: claude-opus-4-5-20251101, alias: big}\n      - {id: claude-sonnet-4-20250514, alias: sonnet}\n      - {id: other-1, alias: odd}\n"
	for _, c := range []struct {
		what, more, provider, model string
		want                        string
	}{
		{"a model of the client, by its name", "", "anthropic", "sonnet",
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"subagent_type":"software-developer","prompt":"<p> & q","model":"sonnet"}}}`},
		{"by its id", "", "anthropic", "big",
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"subagent_type":"software-developer","prompt":"<p> & q","model":"opus"}}}`},
		{"one that is not listed", "", "anthropic", "claude-haiku-4-5",
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"subagent_type":"software-developer","prompt":"<p> & q","model":"haiku"}}}`},
		{"in place of another one", `,"model":"opus","max_turns":3`, "anthropic", "sonnet",
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"subagent_type":"software-developer","prompt":"<p> & q","model":"sonnet","max_turns":3}}}`},
		{"the one that the call has", `,"model":"sonnet"`, "anthropic", "sonnet", ""},
		{"one that the client does not know", "", "anthropic", "odd", ""},
		{"another provider", "", "mine", "sonnet",
			`{"systemMessage":"The settings choose the model provider mine:sonnet for this sub-agent (global_default), which a hook cannot switch. ` +
				`To use it, start the client with these variables set: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, CLAUDE_MODEL."}`},
		{"another provider that needs nothing", "", "bare", "", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := hooktest.NewProject(t)
			p.Write(".isdlc/providers.yaml", "providers:\n  anthropic:\n    api_key_env: K\n"+models+
				"  mine: {base_url: \"http://h/${K}\", api_key_env: K, api_key: "+secret+"}\n  bare: {}\n"+
				"environment: {bare: {}}\nconstraints: {track_usage: true}\n"+
				"agent_overrides: {}\ndefaults: {provider: "+c.provider+", model: "+c.model+"}\n")
			if c.provider == "bare" { // the only way to have no model at all
				p.Write(".isdlc/providers.yaml", "providers: {bare: {}}\nenvironment: {bare: {}}\nagent_overrides: {software-developer: bare}\n")
			}
			r := p.RunWith("model-provider-router", call(c.more), hooktest.Options{Env: map[string]string{"K": secret, "ISDLC_PROVIDER_DEBUG": "true"}})
			assert.Equal(t, strings.TrimSuffix(r.Stdout, "\n"), c.want)
			assert.Assert(t, cmp.Contains(r.Stderr, "[provider-utils]"))
			for name, file := range p.Files() {
				assert.Assert(t, name == ".isdlc/providers.yaml" || !strings.Contains(file.Data, secret), name)
			}
			assert.Assert(t, !strings.Contains(r.Stdout+r.Stderr, secret), "%s%s", r.Stdout, r.Stderr)
		})
	}
}

// Spec 05 I.1: without a provider the sub-agent runs all the same.
func TestUnavailable(t *testing.T) {
	for _, format := range []string{"", "legacy"} {
		p := hooktest.NewProject(t)
		p.Write(".isdlc/state.json", `{"current_phase":"06-implementation"}`)
		p.Write(".isdlc/providers.yaml", "providers: {groq: {api_key_env: NO_KEY}}\ndefaults: {provider: groq}\nconstraints: {track_usage: true}\n")
		before := p.Files()
		r := p.RunWith("model-provider-router", event, hooktest.Options{Env: map[string]string{"ISDLC_BLOCK_FORMAT": format}})
		assert.Equal(t, r.Stdout, "")
		assert.Assert(t, cmp.Contains(r.Stderr, "[provider-router] provider groq is unavailable: the environment variable NO_KEY is missing"))
		after := p.Files()
		assert.DeepEqual(t, before.Changed(after), []string{".isdlc/hook-activity.log"})
		for _, field := range []string{`"event":"warn"`, `"phase":"06-implementation"`, `"agent":"software-developer"`, "NO_KEY is missing"} {
			assert.Assert(t, cmp.Contains(after[".isdlc/hook-activity.log"].Data, field))
		}
	}
}

// A settings file that cannot be used is told without a word out of it.
func TestBrokenSettings(t *testing.T) {
	for _, settings := range []string{
		"", "# nothing\n", "- " + secret + "\n", secret + "\n", "a: [\n" + secret + ": " + secret + "\n", "a: *" + secret + "\n",
		secret + ": 1\n" + secret + ": 2\n", "a: " + strings.Repeat("[", 100_000),
	} {
		p := hooktest.NewProject(t)
		p.Write(".isdlc/providers.yaml", settings)
		r := p.RunWith("model-provider-router", event, hooktest.Options{Env: map[string]string{"ANTHROPIC_API_KEY": "k"}})
		assert.Equal(t, r.Exit, 0)
		assert.Assert(t, cmp.Contains(r.Stdout, `"model":"sonnet"`))
		assert.Assert(t, cmp.Contains(r.Stderr, "failed to load the config"))
		assert.Equal(t, strings.Count(r.Stderr, "\n"), 1, r.Stderr)
		assert.Assert(t, !strings.Contains(r.Stderr, secret), r.Stderr)
	}
}

// Spec 35 §3.7, 1: the usage log stays inside, and its failures are silent.
func TestUsageLogPath(t *testing.T) {
	for _, c := range []struct {
		path string
		want string // the file that is made; "" for none
	}{
		{".isdlc/deep/er/u.jsonl", ".isdlc/deep/er/u.jsonl"},
		{"./logs/../u.jsonl", "u.jsonl"},
		{"inner/u.jsonl", "logs/u.jsonl"},
		{"../u.jsonl", ""},
		{"logs/../../u.jsonl", ""},
		{"/tmp/isdlc-usage-outside.jsonl", ""},
		{"outer/u.jsonl", ""},
		{"logs", ""},
		{".", ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			p := hooktest.NewProject(t)
			p.Write("logs/x", "")
			p.Write(".isdlc/providers.yaml", fmt.Sprintf("providers: {anthropic: {}}\nconstraints: {track_usage: true, usage_log_path: %q}\n", c.path))
			assert.NilError(t, os.Symlink("logs", p.Path("inner")))
			assert.NilError(t, os.Symlink(p.Home, p.Path("outer")))
			before, home := p.Files(), p.HomeFiles()
			r := p.RunWith("model-provider-router", event, hooktest.Options{})
			assert.Equal(t, r.Stderr, "")
			assert.Assert(t, cmp.Contains(r.Stdout, `"model":"sonnet"`))
			assert.Equal(t, strings.Join(before.Changed(p.Files()), " "), c.want)
			assert.Equal(t, len(home.Changed(p.HomeFiles())), 0)
			for _, outside := range []string{p.Path("../u.jsonl"), "/tmp/isdlc-usage-outside.jsonl"} {
				_, err := os.Stat(outside)
				assert.Assert(t, os.IsNotExist(err), outside)
			}
		})
	}
}
