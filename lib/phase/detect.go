package phase

import (
	"strings"
	"unicode/utf8"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// setupWords name work that is no delegation and never stopped: setting a
// project up (spec 10 §1.1).
var setupWords = []string{
	"discover", "constitution", "init", "setup", "configure", "configure-cloud",
	"new project", "project setup", "install", "status",
}

// IsSetup tells whether s names work of setting up, also inside a longer word.
func IsSetup(s string) bool { return text.ContainsAny(text.Lower(s), setupWords) }

// A Call is what a call of the sub-agent tool says.
type Call struct {
	Agent       string // subagent_type
	Prompt      string
	Description string
}

// Text is the text of a call that is searched.
func (c Call) Text() string { return c.Prompt + " " + c.Description }

// A Delegation is work handed to a phase.
type Delegation struct {
	Target string // the phase key
	Agent  string // "" where only the phase is named
}

// Label names a delegation: by its agent, else by its phase.
func (d Delegation) Label() string {
	if d.Agent != "" {
		return d.Agent
	}
	return d.Target
}

// Sources are what a delegation is recognised by. Each function is called only
// when it is needed, for it may have to read a file.
type Sources struct {
	Manifest func() *ordered.Value // nil result: no manifest
	Current  string                // the current phase, "" for none
	Known    func(key string) bool // tells whether there is such a phase
}

// Detect tells whether a call hands work to a phase, and to which (spec 10 §1.5
// with spec 05 C.1 and C.2).
func Detect(c Call, from Sources) (Delegation, bool) {
	searched := text.Lower(c.Text())
	if text.ContainsAny(searched, setupWords) {
		return Delegation{}, false
	}
	manifest := from.Manifest()
	agent := NormalizeAgent(text.Trim(c.Agent))
	switch owned := OwnedBy(manifest, agent, from.Current); owned {
	case Everywhere, Setup:
		return Delegation{}, false
	case "":
	default:
		return Delegation{owned, agent}, true
	}
	for _, m := range manifest.Get("ownership").Members() {
		name := text.Lower(m.Name)
		if !strings.Contains(searched, name) {
			continue
		}
		switch owned := owned(m.Value, name, from.Current); owned {
		case Everywhere, Setup, "":
		default:
			return Delegation{owned, m.Name}, true
		}
	}
	if key := named(searched, from.Known); key != "" {
		return Delegation{Target: key}, true
	}
	return Delegation{}, false
}

// named is the first key of a known phase in s, which is in lower case: two
// digits, a hyphen, a name of letters and hyphens, and nothing before it that
// would make it part of something longer.
func named(s string, known func(string) bool) string {
	for i := 0; i+3 < len(s); i++ {
		if !isDigit(s[i]) || !isDigit(s[i+1]) || s[i+2] != '-' || !isLower(s[i+3]) {
			continue
		}
		end := i + 4
		for end < len(s) && (isLower(s[end]) || s[end] == '-') {
			end++
		}
		before, size := utf8.DecodeLastRuneInString(s[:i])
		if key := s[i:end]; (size == 0 || before != '-' && !text.IsWord(before)) && known(key) {
			return key
		}
		i = end - 1
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// Known tells whether there is a phase of this name in the configuration, in the
// phases of a workflow, among the aliases, or among the phases that every
// installation has (spec 05 C.1). The sources are asked in turn, and only until
// one knows it.
func Known(key string, workflow *ordered.Value, manifest, requirements, workflows func() *ordered.Value) bool {
	if AgentOf(key) != "" || IsAlias(key) || Position(workflow.Get("phases"), key) >= 0 {
		return true
	}
	if Lookup(requirements().Get("phase_requirements"), key) != nil {
		return true
	}
	for _, m := range workflows().Get("workflows").Members() {
		if Position(m.Value.Get("phases"), key) >= 0 {
			return true
		}
	}
	for _, m := range manifest().Get("ownership").Members() {
		for _, p := range ownedPhases(m.Value) {
			if Same(p, key) {
				return true
			}
		}
	}
	return false
}
