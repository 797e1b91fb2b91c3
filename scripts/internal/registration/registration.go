// Package registration says which program is registered for which event of the
// client: the one table behind install, uninstall and whatever else wants to
// know what an installed project looks like.
package registration

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Kind tells where a program is put below .claude/hooks.
type Kind string

// The kinds of programs.
const (
	Hook       Kind = "hook"
	Dispatcher Kind = "dispatcher"
)

// Timeouts in seconds, as the client counts them.
const (
	hookTimeout       = 10
	dispatcherTimeout = 15
	desTimeout        = 15
	providerTimeout   = 30
	taskieTimeout     = 600
)

// SubAgent is the matcher for the sub-agent tool under both of its names.
const SubAgent = "Task|Agent"

// Group names registrations that are chosen together.
type Group struct {
	Name  string
	Doc   string
	OptIn bool // only registered when asked for
}

// Groups are all groups, in the order in which they are shown.
var Groups = []Group{
	{Name: "delegation", Doc: "before a sub-agent starts: phase order, plan, gates"},
	{Name: "after-task", Doc: "after a sub-agent: skill log, menus, phase transitions"},
	{Name: "skill", Doc: "around a skill: gates, and the delegation that it asks for (checked at the stop)"},
	{Name: "bash", Doc: "commits, the state file, test runs"},
	{Name: "write", Doc: "files written by the agent"},
	{Name: "provider", Doc: "choice of the model provider for a sub-agent", OptIn: true},
	{Name: "des", Doc: "the DES hooks", OptIn: true},
	{Name: "taskie", Doc: "the Taskie review loop", OptIn: true},
}

// A Registration is one entry of the hooks section of settings.json.
type Registration struct {
	Event   string
	Matcher string // names joined by bars; empty where the event has none
	Program string
	Kind    Kind
	Timeout int // seconds
	Group   string

	// Replaces names the .cjs hooks (without the ending) whose registration
	// for the same event this one takes over.
	Replaces []string

	// Records is set where the program keeps a record of every event, so that
	// it must not be sent one to try it out.
	Records bool
}

// Table is what there is to register. The order is that in which entries are
// added to a settings file.
var Table = []Registration{
	{
		Event: "PreToolUse", Matcher: SubAgent, Program: "pre-task-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "delegation",
		Replaces: []string{
			"pre-task-dispatcher", "iteration-corridor", "skill-validator", "phase-loop-controller", "plan-surfacer",
			"phase-sequence-guard", "gate-blocker", "constitution-validator", "test-adequacy-blocker", "blast-radius-validator",
		},
	},
	{
		Event: "PreToolUse", Matcher: "Skill", Program: "pre-skill-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "skill",
		Replaces: []string{"pre-skill-dispatcher", "iteration-corridor", "gate-blocker", "constitution-validator"},
	},
	{Event: "PreToolUse", Matcher: "Bash", Program: "branch-guard", Kind: Hook, Timeout: hookTimeout, Group: "bash", Replaces: []string{"branch-guard"}},
	{Event: "PreToolUse", Matcher: "Bash", Program: "state-file-guard", Kind: Hook, Timeout: hookTimeout, Group: "bash", Replaces: []string{"state-file-guard"}},
	{Event: "PreToolUse", Matcher: "Write|Edit|NotebookEdit", Program: "explore-readonly-enforcer", Kind: Hook, Timeout: hookTimeout, Group: "write", Replaces: []string{"explore-readonly-enforcer"}},
	{Event: "PreToolUse", Matcher: "Write|Edit|MultiEdit", Program: "state-write-validator", Kind: Hook, Timeout: hookTimeout, Group: "write", Replaces: []string{"state-write-validator"}},
	{
		Event: "PostToolUse", Matcher: SubAgent, Program: "post-task-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "after-task",
		Replaces: []string{
			"post-task-dispatcher", "log-skill-usage", "menu-tracker", "walkthrough-tracker", "discover-menu-guard",
			"phase-transition-enforcer", "menu-halt-enforcer",
		},
	},
	{Event: "PostToolUse", Matcher: "Skill", Program: "skill-delegation-enforcer", Kind: Hook, Timeout: hookTimeout, Group: "skill", Replaces: []string{"skill-delegation-enforcer"}},
	{
		Event: "PostToolUse", Matcher: "Bash", Program: "post-bash-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "bash",
		Replaces: []string{"post-bash-dispatcher", "test-watcher", "review-reminder", "atdd-completeness-validator"},
	},
	{
		Event: "PostToolUse", Matcher: "Write|Edit", Program: "post-write-edit-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "write",
		Replaces: []string{"post-write-edit-dispatcher", "state-write-validator", "output-format-validator", "workflow-completion-enforcer"},
	},
	{
		Event: "PostToolUseFailure", Matcher: "Bash", Program: "post-bash-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "bash",
		Replaces: []string{"post-bash-dispatcher", "test-watcher"},
	},
	{
		Event: "SubagentStop", Program: "post-task-dispatcher", Kind: Dispatcher, Timeout: dispatcherTimeout, Group: "after-task",
		Replaces: []string{"post-task-dispatcher", "walkthrough-tracker", "discover-menu-guard", "phase-transition-enforcer", "menu-halt-enforcer"},
	},
	{Event: "Stop", Program: "delegation-gate", Kind: Hook, Timeout: hookTimeout, Group: "skill", Replaces: []string{"delegation-gate"}},

	{Event: "PreToolUse", Matcher: SubAgent, Program: "model-provider-router", Kind: Hook, Timeout: providerTimeout, Group: "provider", Replaces: []string{"model-provider-router"}},
	{Event: "PreToolUse", Matcher: SubAgent, Program: "des-pre-tool-use", Kind: Hook, Timeout: desTimeout, Group: "des", Records: true},
	{Event: "SubagentStop", Program: "des-subagent-stop", Kind: Hook, Timeout: desTimeout, Group: "des", Records: true},
	{Event: "Stop", Program: "taskie-stop-hook", Kind: Hook, Timeout: taskieTimeout, Group: "taskie", Records: true},
}

// single are the hooks that the table knows only as steps of a dispatcher, or
// not at all. They are installed too, so that a person can register one alone.
var single = []string{
	"iteration-corridor", "skill-validator", "phase-loop-controller", "plan-surfacer", "phase-sequence-guard",
	"gate-blocker", "constitution-validator", "test-adequacy-blocker", "blast-radius-validator",
	"log-skill-usage", "menu-tracker", "walkthrough-tracker", "discover-menu-guard", "phase-transition-enforcer", "menu-halt-enforcer",
	"test-watcher", "review-reminder", "atdd-completeness-validator",
	"output-format-validator", "workflow-completion-enforcer", "constitutional-iteration-validator",
}

// A Program is one executable of the product.
type Program struct {
	Name string
	Kind Kind
}

// Path is where the program lies below the project, with slashes and without
// the ending that Windows wants.
func (p Program) Path() string {
	if p.Kind == Dispatcher {
		return path.Join(".claude/hooks/dispatchers", p.Name)
	}
	return path.Join(".claude/hooks", p.Name)
}

// Programs are all programs that are installed, sorted by name.
func Programs() []Program {
	var programs []Program
	for _, name := range single {
		programs = append(programs, Program{name, Hook})
	}
	for _, r := range Table {
		if p := (Program{r.Program, r.Kind}); !slices.Contains(programs, p) {
			programs = append(programs, p)
		}
	}
	slices.SortFunc(programs, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	return programs
}

// Alone is how a program is registered by itself, for an event and matcher of
// the user's choice.
func Alone(name string) (Registration, bool) {
	if slices.Contains(single, name) {
		return Registration{Program: name, Kind: Hook, Timeout: hookTimeout}, true
	}
	i := slices.IndexFunc(Table, func(r Registration) bool { return r.Program == name })
	if i < 0 {
		return Registration{}, false
	}
	return Registration{Program: name, Kind: Table[i].Kind, Timeout: Table[i].Timeout}, true
}

// Path is where the registered program lies; see [Program.Path].
func (r Registration) Path() string { return Program{r.Program, r.Kind}.Path() }

// Command is the text that the client hands to a shell. The quotes keep it
// right in a project whose path has blanks.
func (r Registration) Command() string { return `"$CLAUDE_PROJECT_DIR"/` + r.Path() }

// String names the registration in a line for the user.
func (r Registration) String() string {
	if r.Matcher == "" {
		return r.Event + ": " + r.Program
	}
	return r.Event + " " + r.Matcher + ": " + r.Program
}

// Select is the part of the [Table] that is wanted: without only, the groups
// that are not opt-in, else what only names; and what with names beside it.
// Both hold names of groups or of programs. A name that is neither is an error
// that lists the groups.
func Select(only, with []string) ([]Registration, error) {
	for _, name := range slices.Concat(only, with) {
		if !slices.ContainsFunc(Table, func(r Registration) bool { return r.named(name) }) {
			return nil, fmt.Errorf("no group or registered program is called %q; groups: %s", name, strings.Join(groupNames(), ", "))
		}
	}
	var selected []Registration
	for _, r := range Table {
		wanted := len(only) == 0 && !r.optIn()
		for _, name := range slices.Concat(only, with) {
			wanted = wanted || r.named(name)
		}
		if wanted {
			selected = append(selected, r)
		}
	}
	return selected, nil
}

func (r Registration) named(name string) bool { return name == r.Group || name == r.Program }

func (r Registration) optIn() bool {
	return slices.ContainsFunc(Groups, func(g Group) bool { return g.Name == r.Group && g.OptIn })
}

func groupNames() []string {
	var names []string
	for _, g := range Groups {
		names = append(names, g.Name)
	}
	return names
}
