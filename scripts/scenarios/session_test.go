package scenarios

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
)

func TestMain(m *testing.M) { hooktest.Main(m) }

// A session is a project in which steps happen one after another.
type session struct {
	*hooktest.Project
	t     *testing.T
	state string // path of the state file below the project
	env   map[string]string
}

// A step is one thing that happens, with what must come of it.
type step struct {
	what string
	do   func(*session)
}

// steps joins steps and lists of them.
func steps(parts ...any) []step {
	var list []step
	for _, p := range parts {
		switch p := p.(type) {
		case step:
			list = append(list, p)
		case []step:
			list = append(list, p...)
		default:
			panic(fmt.Sprintf("no step: %T", p))
		}
	}
	return list
}

// play runs steps on a fresh project with the delivered configuration. The first
// step that fails ends it.
func play(t *testing.T, list []step) {
	t.Helper()
	s := &session{Project: hooktest.NewProject(t), t: t, state: ".isdlc/state.json"}
	s.Configs()
	for i, st := range list {
		if !t.Run(fmt.Sprintf("%02d %s", i+1, st.what), func(t *testing.T) { s.t = t; st.do(s) }) {
			return
		}
	}
}

func (s *session) run(program string, event *ordered.Value, args ...string) hooktest.Result {
	s.t.Helper()
	stdin := ""
	if event != nil {
		stdin = string(event.Compact())
	}
	return s.RunWith(program, stdin, hooktest.Options{Args: args, Env: s.env})
}

// event is what today's client sends.
func (s *session) event(name, tool string, input *ordered.Value) *ordered.Value {
	return ordered.NewObject("session_id", "s", "transcript_path", s.Path("transcript.jsonl"), "cwd", s.Dir, "permission_mode", "default",
		"hook_event_name", name, "tool_name", tool, "tool_input", input, "tool_use_id", "t")
}

// denied is the reason for which a hook stops a call, "" where it lets it go.
func denied(t *testing.T, r hooktest.Result) string {
	t.Helper()
	assert.Equal(t, r.Exit, 0, r.Stderr)
	if r.Stdout == "" {
		return ""
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
	}
	assert.NilError(t, json.Unmarshal([]byte(r.Stdout), &answer), r.Stdout)
	if answer.HookSpecificOutput.PermissionDecision != "deny" {
		return ""
	}
	assert.Assert(t, answer.HookSpecificOutput.PermissionDecisionReason != "")
	return answer.HookSpecificOutput.PermissionDecisionReason
}

// judge asserts that a call is let go, or with words that it is stopped and the
// reason has them all.
func judge(t *testing.T, reason string, words []string) {
	t.Helper()
	if len(words) == 0 {
		assert.Equal(t, reason, "", "it should be let go")
		return
	}
	assert.Assert(t, reason != "", "it should be stopped")
	for _, w := range words {
		assert.Check(t, is.Contains(strings.ToLower(reason), strings.ToLower(w)))
	}
}

// doc is the state as it is on the disk now.
func (s *session) doc() *ordered.Value {
	s.t.Helper()
	doc, err := ordered.Parse([]byte(s.Files()[s.state].Data))
	assert.NilError(s.t, err)
	return doc
}

// at follows a path of names with slashes between them; a number is the place in
// a list, -1 the last.
func at(doc *ordered.Value, path string) *ordered.Value {
	for _, name := range strings.Split(path, "/") {
		if items := doc.Items(); len(items) > 0 {
			i := len(items) - 1
			if name != "-1" {
				if _, err := fmt.Sscan(name, &i); err != nil || i >= len(items) {
					return nil
				}
			}
			doc = items[i]
			continue
		}
		doc = doc.Get(name)
	}
	return doc
}

// delegate hands work to an agent, as the orchestrator does, through the
// dispatcher that stands before it. With words it is stopped for that reason.
func delegate(agent, prompt string, words ...string) step {
	return ask("pre-task-dispatcher", agent, prompt, words...)
}

// ask is delegate through one program.
func ask(program, agent, prompt string, words ...string) step {
	return step{program + " on " + agent + verdict(words), func(s *session) {
		r := s.run(program, s.event("PreToolUse", "Agent", ordered.NewObject("subagent_type", agent, "prompt", prompt, "description", "")))
		judge(s.t, denied(s.t, r), words)
	}}
}

// advance asks for the next phase, by the skill of the workflow.
func advance(words ...string) step {
	return step{"advance" + verdict(words), func(s *session) {
		r := s.run("pre-skill-dispatcher", s.event("PreToolUse", "Skill", ordered.NewObject("skill", "isdlc", "args", "advance")))
		judge(s.t, denied(s.t, r), words)
	}}
}

func verdict(words []string) string {
	if len(words) > 0 {
		return " is stopped"
	}
	return " is let go"
}

// passes runs a call of a tool through the hooks that stand before and after it,
// and none of them objects.
func passes(tool string, input ...any) step {
	return step{tool + " is let go", func(s *session) {
		event := s.event("PreToolUse", tool, ordered.NewObject(input...))
		for _, program := range []string{"pre-task-dispatcher", "pre-skill-dispatcher", "branch-guard", "state-file-guard", "explore-readonly-enforcer", "state-write-validator"} {
			assert.Check(s.t, is.Equal(denied(s.t, s.run(program, event)), ""), program)
		}
	}}
}

// tests runs the tests of the project: as the client tells of a command that
// succeeded, or of one that failed.
func tests(exit int, output string) step {
	return step{fmt.Sprintf("npm test ends with %d", exit), func(s *session) {
		input := ordered.NewObject("command", "npm test")
		event := s.event("PostToolUse", "Bash", input)
		if exit == 0 {
			event.Set("tool_response", ordered.NewObject("stdout", output, "stderr", "", "interrupted", false, "isImage", false))
		} else {
			event.Set("hook_event_name", "PostToolUseFailure")
			event.Set("error", fmt.Sprintf("Exit code %d\n%s", exit, output))
		}
		r := s.run("post-bash-dispatcher", event)
		assert.Equal(s.t, r.Exit, 0)
		assert.Check(s.t, is.Contains(r.Stdout, "additionalContext"), "the model is told what the run came to")
	}}
}

// set is an edit of the state: path and value in turn.
type set []any

func (e set) apply(doc *ordered.Value) {
	for i := 0; i < len(e); i += 2 {
		names := strings.Split(e[i].(string), "/")
		in := doc
		for _, name := range names[:len(names)-1] {
			in = in.Ensure(name)
		}
		in.Set(names[len(names)-1], e[i+1])
	}
}

// write has an agent write the state with the tool: the hook before it judges,
// then the file is written, then the hooks after it run. With words the write is
// stopped for that reason and the file stays.
func write(what string, edits set, words ...string) step {
	return step{"write of the state: " + what + verdict(words), func(s *session) {
		doc := s.doc()
		edits.apply(doc)
		content := string(doc.Indent())
		input := ordered.NewObject("file_path", s.Path(s.state), "content", content)
		before := s.Files()
		judge(s.t, denied(s.t, s.run("state-write-validator", s.event("PreToolUse", "Write", input))), words)
		if len(words) > 0 {
			assert.DeepEqual(s.t, slices.DeleteFunc(before.Changed(s.Files()), func(name string) bool { return strings.HasSuffix(name, ".log") }), []string{})
			return
		}
		s.Write(s.state, content)
		r := s.run("post-write-edit-dispatcher", s.event("PostToolUse", "Write", input))
		assert.Equal(s.t, r.Exit, 0)
	}}
}

// given lays the state down as it is, past all hooks.
func given(doc string) step {
	return step{"a state", func(s *session) {
		v, err := ordered.Parse([]byte(doc))
		assert.NilError(s.t, err)
		s.Write(s.state, string(v.Indent()))
	}}
}

// changed edits the state past all hooks.
func changed(what string, edits set) step {
	return step{what, func(s *session) {
		doc := s.doc()
		edits.apply(doc)
		s.Write(s.state, string(doc.Indent()))
	}}
}

// file lays a file down.
func file(name, text string) step {
	return step{"the file " + name, func(s *session) { s.Write(name, text) }}
}

// hand makes a transition; every write raises the version by one (AC-003f).
func hand(args ...string) step {
	return step{"handshake " + strings.Join(args, " "), func(s *session) {
		before := 0.0
		if f, there := s.Files()[s.state]; there {
			doc, err := ordered.Parse([]byte(f.Data))
			assert.NilError(s.t, err)
			before, _ = doc.Get("state_version").Float()
		}
		r := s.run("isdlc-hooks", nil, append([]string{"handshake"}, args...)...)
		assert.Equal(s.t, r.Exit, 0, r.Stderr)
		after, _ := s.doc().Get("state_version").Float()
		assert.Equal(s.t, after, before+1)
	}}
}

// refused asks for a transition that is not to be had, and leaves no trace.
func refused(command string, words ...string) step {
	return step{"handshake " + command + " is refused", func(s *session) {
		before := s.Files()
		r := s.run("isdlc-hooks", nil, append([]string{"handshake"}, strings.Fields(command)...)...)
		assert.Equal(s.t, r.Exit, 1, r.Stdout)
		judge(s.t, r.Stderr, words)
		assert.Equal(s.t, len(before.Changed(s.Files())), 0, before.Changed(s.Files()))
	}}
}

// expect compares values of the state: path and JSON in turn; "" is for what is
// not there.
func expect(pairs ...string) step {
	return step{"the state has " + pairs[0], func(s *session) {
		doc := s.doc()
		for i := 0; i < len(pairs); i += 2 {
			got := ""
			if v := at(doc, pairs[i]); v != nil {
				got = string(v.Compact())
			}
			assert.Check(s.t, is.Equal(got, pairs[i+1]), pairs[i])
		}
	}}
}

// healthy runs the audit, which has to find nothing.
func healthy() step {
	return step{"the audit finds nothing", func(s *session) {
		r := s.run("isdlc-hooks", nil, "audit")
		assert.Equal(s.t, r.Exit, 0, r.Stdout+r.Stderr)
	}}
}

// finds runs the audit, which has to find these criteria, and can mend them all.
func finds(criteria ...string) step {
	return step{"the audit finds and mends " + strings.Join(criteria, ", "), func(s *session) {
		r := s.run("isdlc-hooks", nil, "audit")
		assert.Equal(s.t, r.Exit, 1, r.Stdout+r.Stderr)
		for _, c := range criteria {
			assert.Check(s.t, is.Contains(r.Stdout, c))
		}
		r = s.run("isdlc-hooks", nil, "audit", "--fix")
		assert.Equal(s.t, r.Exit, 0, r.Stdout+r.Stderr)
	}}
}

// logged asserts how many entries of a hook and event the activity log has.
func logged(n int, hook, event string) step {
	return step{fmt.Sprintf("%s has logged %s %d times", hook, event, n), func(s *session) {
		count := 0
		for _, line := range strings.Split(s.Files()[".isdlc/hook-activity.log"].Data, "\n") {
			if strings.Contains(line, fmt.Sprintf(`"hook":%q,"event":%q`, hook, event)) {
				count++
			}
		}
		assert.Equal(s.t, count, n)
	}}
}
