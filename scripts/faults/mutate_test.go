//go:build unix

package faults

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
)

// A mutator turns an event or a file into one that nobody has thought of.
type mutator struct{ *rand.Rand }

// texts are what parsers, paths and commands stumble over.
var texts = []string{
	"", " ", "\n", "\r\n", "\x00", "\xff\xfe", "\xef\xbb\xbf", "\u2028", "💥", "null", "true", "-0", "1e999", "-1", "9223372036854775808", "0.1e-400", "NaN",
	"{", "}", "[", "]", ",", ":", `"`, `\`, `\u0000`, `\ud800`, "{}", "[]", "/*", "---\n", "&a [*a]", "*a", "!!binary x", "<<: *x", "%", "%s%n", "$(touch PWNED)", "`touch PWNED`", "; touch PWNED",
	"../../../../etc/passwd", "/etc/passwd", "~", "-", "--", "--output=PWNED", "-c", "git commit -m x", "npm test", "main", "advance", "proceed to next phase", "01-requirements", "06-implementation",
	"state.json", ".isdlc/state.json", "sdlc-orchestrator", "Task", "Agent", "Bash", "PreToolUse", "SubagentStop", "<<EOF\n", "${x:-", "$((", "case x in", "\x1b[31m", "not ok 1 -", "Tests: 1 failed", "--- FAIL: T (0.00s)",
}

func (m mutator) text() string {
	switch m.IntN(40) {
	case 0:
		return strings.Repeat("a", m.IntN(1<<17))
	case 1:
		return strings.Repeat(pick(m, texts), m.IntN(2000))
	case 2:
		return strings.Repeat("[", m.IntN(20_000))
	case 3:
		return strings.Repeat(`{"a":`, m.IntN(20_000))
	}
	return pick(m, texts)
}

func pick[T any](m mutator, list []T) T { return list[m.IntN(len(list))] }

// bytes changes a text here and there, whatever it means.
func (m mutator) bytes(text string) string {
	for range 1 + m.IntN(4) {
		at := m.IntN(len(text) + 1)
		end := at + m.IntN(min(len(text)-at, 40)+1)
		switch m.IntN(6) {
		case 0: // cut off
			text = text[:at]
		case 1: // leave out
			text = text[:at] + text[end:]
		case 2: // twice
			text = text[:end] + text[at:]
		case 3: // another byte
			if at < len(text) {
				text = text[:at] + string([]byte{byte(m.IntN(256))}) + text[at+1:]
			}
		default:
			text = text[:at] + m.text() + text[end:]
		}
	}
	return text
}

// document changes values of a JSON text; what is none is changed as a text.
func (m mutator) document(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return m.bytes(text)
	}
	for range 1 + m.IntN(3) {
		v = m.value(v, 0)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return m.bytes(text)
	}
	return string(data)
}

func (m mutator) value(v any, depth int) any {
	if m.IntN(6) == 0 && depth > 0 {
		return m.junk()
	}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		key := pick(m, keys)
		switch m.IntN(8) {
		case 0:
			delete(v, key)
		case 1:
			v[m.text()] = v[key]
		case 2:
			v[key] = v[pick(m, keys)]
		default:
			v[key] = m.value(v[key], depth+1)
		}
		return v
	case []any:
		if len(v) == 0 {
			break
		}
		i := m.IntN(len(v))
		switch m.IntN(6) {
		case 0:
			return slices.Delete(v, i, i+1)
		case 1:
			return append(v, v[i], m.junk())
		default:
			v[i] = m.value(v[i], depth+1)
		}
		return v
	case string:
		return m.bytes(v)
	}
	return m.junk()
}

func (m mutator) junk() any {
	switch m.IntN(10) {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2:
		return json.Number(pick(m, []string{"0", "-0", "-1", "1e999", "1.5", "1e-7", "18446744073709551616", "123456789012345678901234567890"}))
	case 3:
		return []any{}
	case 4:
		return map[string]any{}
	case 5:
		return []any{nil, m.text(), []any{map[string]any{"a": 1}}}
	case 6:
		return map[string]any{m.text(): m.text(), "status": m.text()}
	case 7: // deep
		v := any(m.text())
		for range m.IntN(1000) {
			v = []any{v}
		}
		return v
	}
	return m.text()
}
