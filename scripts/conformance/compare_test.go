package conformance

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"time"

	"gotest.tools/v3/assert/cmp"
	"isdlc-hooks/lib/hooktest"
)

// problems compares a run with its expectation, and with what holds for every
// run.
func (o *outcome) problems() []string {
	var all []string
	report := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if want := *o.Expect.Exit; o.result.Exit != want {
		report("exit: want %d, got %d", want, o.result.Exit)
	}
	o.checkStdout(report)
	o.checkStderr(report)
	o.checkFiles(report)
	o.checkStrictly(report)
	if len(all) > 0 && o.result.Stderr != "" && *o.Expect.Stderr.Empty {
		report("stderr was %q", o.result.Stderr)
	}
	return all
}

type reporter func(format string, args ...any)

func (o *outcome) checkStdout(report reporter) {
	got, want := o.result.Stdout, o.Expect.Stdout
	said := ""
	var err error
	switch want.Kind {
	case "none":
		if got != "" {
			err = fmt.Errorf("want nothing")
		}
	case "block":
		said, err = o.block(got)
	case "text":
		said, err = o.message(got)
	case "json":
		said, err = o.document(got)
	}
	if err != nil {
		report("stdout: %v\ngot %q", err, got)
		return
	}
	checkTokens("stdout", said, want.Tokens, report)
}

func checkTokens(where, said string, tokens []string, report reporter) {
	lower := strings.ToLower(said)
	var missing []string
	for _, token := range tokens {
		if !strings.Contains(lower, strings.ToLower(token)) {
			missing = append(missing, token)
		}
	}
	if missing != nil {
		report("%s: tokens %q are missing in\n%s", where, missing, said)
	}
}

// line reads stdout that has to be one JSON object on one line.
func line(stdout string) (*value, error) {
	body := strings.TrimSuffix(stdout, "\n")
	if strings.ContainsAny(body, "\r\n") {
		return nil, fmt.Errorf("want one line")
	}
	v, err := parse([]byte(body))
	if err != nil {
		return nil, fmt.Errorf("want JSON: %w", err)
	}
	if v.kind != object {
		return nil, fmt.Errorf("want a JSON object")
	}
	return v, nil
}

// block reads an answer that blocks, in the form that the event and the
// environment ask for (spec 00, 1.3), and gives the reason in it.
func (o *outcome) block(stdout string) (reason string, err error) {
	v, err := line(stdout)
	if err != nil {
		return "", fmt.Errorf("want a block: %w", err)
	}
	var pattern string
	switch {
	case o.event == "Stop" || o.event == "SubagentStop":
		reason, pattern = textOf(v.get("reason")), `{"decision": "block", "reason": "<text>"}`
	case o.legacy:
		reason, pattern = textOf(v.get("stopReason")), `{"continue": false, "stopReason": "<text>"}`
	default:
		reason = textOf(v.get("hookSpecificOutput").get("permissionDecisionReason"))
		pattern = `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "<text>"}}`
	}
	if !o.legacy && v.get("systemMessage") != nil {
		v.remove("systemMessage") // for the person, in any words
	}
	return reason, matches(json.RawMessage(pattern), v)
}

// message reads a message for the model: additionalContext, or plain text in the
// legacy format (spec 00, 1.4).
func (o *outcome) message(stdout string) (string, error) {
	if o.legacy {
		switch _, err := parse([]byte(stdout)); {
		case strings.TrimSpace(stdout) == "":
			return "", fmt.Errorf("want a plain text")
		case err == nil:
			return "", fmt.Errorf("want a plain text, not JSON")
		}
		return stdout, nil
	}
	v, err := line(stdout)
	if err != nil {
		return "", fmt.Errorf("want a message for the model: %w", err)
	}
	said := textOf(v.get("hookSpecificOutput").get("additionalContext"))
	v.remove("systemMessage")
	pattern := fmt.Sprintf(`{"hookSpecificOutput": {"hookEventName": %s, "additionalContext": "<text>"}}`, quote(o.event))
	return said, matches(json.RawMessage(pattern), v)
}

// document reads an answer that the vector writes out. Its tokens may stand
// anywhere in it.
func (o *outcome) document(stdout string) (string, error) {
	v, err := parse([]byte(stdout))
	if err != nil {
		return "", fmt.Errorf("want one JSON document: %w", err)
	}
	return stdout + "\n" + strings.Join(v.strings(), "\n"), matches(o.Expect.Stdout.JSON, v)
}

func textOf(v *value) string {
	if v == nil {
		return ""
	}
	return v.text
}

func (o *outcome) checkStderr(report reporter) {
	var kept []string
	for line := range strings.Lines(o.result.Stderr) {
		if !strings.HasPrefix(line, "DISPATCHER_TIMING:") {
			kept = append(kept, line)
		}
	}
	got := strings.Join(kept, "")
	switch empty := *o.Expect.Stderr.Empty; {
	case empty && got != "":
		report("stderr: want nothing, got\n%s", got)
	case !empty && strings.TrimSpace(got) == "":
		report("stderr: want something, got nothing")
	}
	checkTokens("stderr", got, o.Expect.Stderr.Tokens, report)
}

// checkFiles compares the files that changed with those that were to change.
func (o *outcome) checkFiles(report reporter) {
	changed := slices.DeleteFunc(o.before.Changed(o.after), func(name string) bool {
		return strings.HasSuffix(name, ".lock") || slices.ContainsFunc(o.ignore, func(pattern string) bool {
			hit, _ := path.Match(pattern, name)
			return hit
		})
	})
	for _, name := range changed {
		if _, expected := o.Expect.Files[name]; !expected {
			report("%s: must not change\n%s", name, difference(o.before[name].Data, o.after[name].Data))
		}
	}
	for name, want := range o.Expect.Files {
		if !slices.Contains(changed, name) {
			report("%s: has to change, and did not", name)
			continue
		}
		before, wasThere := o.before[name]
		after, isThere := o.after[name]
		if isThere == want.Deleted {
			report("%s: want it deleted: %t; is there: %t", name, want.Deleted, isThere)
			continue
		}
		if err := want.check(before, after); err != nil {
			report("%s: %v", name, err)
		}
		if wasThere && isThere && (want.JSON != nil || want.Patch != nil) {
			checkOrder(name, before.Data, after.Data, report)
		}
	}
}

func (want fileExpect) check(before, after hooktest.File) error {
	switch {
	case want.Deleted:
		return nil
	case want.Text != nil:
		if *want.Text != after.Data && !accepts(*want.Text, str(after.Data)) {
			return fmt.Errorf("differs\n%s", difference(*want.Text, after.Data))
		}
		return nil
	case want.JSONL != nil:
		return matchesLines(want.JSONL, after.Data)
	}
	got, err := parse([]byte(after.Data))
	if err != nil {
		return fmt.Errorf("is no JSON: %w\n%s", err, after.Data)
	}
	if want.Patch == nil {
		return matches(want.JSON, got)
	}
	was, err := parse([]byte(before.Data))
	if err != nil {
		return fmt.Errorf("there is nothing to apply the patch of the vector to: %w", err)
	}
	pattern, err := applyPatch(was, want.Patch)
	if err != nil {
		return fmt.Errorf("the patch of the vector does not apply: %w", err)
	}
	return equal(pattern, got)
}

// matchesLines compares a whole file of JSON lines.
func matchesLines(want []json.RawMessage, data string) error {
	pattern := &value{kind: array}
	for _, raw := range want {
		v, err := parse(raw)
		if err != nil {
			return err
		}
		pattern.items = append(pattern.items, v)
	}
	got := &value{kind: array}
	for line := range strings.Lines(data) {
		v, err := parse([]byte(line))
		if err != nil {
			return fmt.Errorf("a line is no JSON: %w: %s", err, line)
		}
		got.items = append(got.items, v)
	}
	if data != "" && !strings.HasSuffix(data, "\n") {
		return fmt.Errorf("the last line has no end")
	}
	return equal(pattern, got)
}

func matches(raw json.RawMessage, got *value) error {
	pattern, err := parse(raw)
	if err != nil {
		return err
	}
	return equal(pattern, got)
}

// equal compares a document with a pattern; the error shows the difference.
func equal(pattern, got *value) error {
	want, is := settle(pattern, got).indent(), got.indent()
	if want == is {
		return nil
	}
	return fmt.Errorf("differs (- wanted, + got)\n%s", difference(want, is))
}

// settle is pattern with everything that agrees with got written as it is there:
// accepted placeholders, equal numbers, the order of members.
func settle(pattern, got *value) *value {
	switch {
	case pattern.kind == text && accepts(pattern.text, got):
		return got
	case pattern.kind != got.kind:
		return pattern
	case pattern.kind == number && pattern.double() == got.double():
		return got
	case pattern.kind == array:
		settled := &value{kind: array}
		for i, item := range pattern.items {
			if i < len(got.items) {
				item = settle(item, got.items[i])
			}
			settled.items = append(settled.items, item)
		}
		return settled
	case pattern.kind == object:
		settled := &value{kind: object}
		for _, m := range got.members {
			if want := pattern.get(m.name); want != nil {
				settled.members = append(settled.members, member{m.name, settle(want, m.value)})
			}
		}
		for _, m := range pattern.members {
			if got.get(m.name) == nil {
				settled.members = append(settled.members, m)
			}
		}
		return settled
	}
	return pattern
}

// accepts tells whether a placeholder stands for got.
func accepts(pattern string, got *value) bool {
	switch pattern {
	case "<any>":
		return true
	case "<text>":
		return got.kind == text && strings.TrimSpace(got.text) != ""
	case "<ts>":
		return got.kind == text && isTime(got.text)
	}
	return false
}

func isTime(s string) bool {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// difference is a unified diff of two texts, as a failed assert.Equal prints it.
func difference(want, got string) string {
	result := cmp.Equal(want+"\n", got+"\n")()
	failure := result.(interface{ FailureMessage([]ast.Expr) string }).FailureMessage(nil)
	_, diff, _ := strings.Cut(failure, "@@")
	return "@@" + diff
}
