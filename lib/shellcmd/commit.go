package shellcmd

import (
	"slices"
	"strings"
)

// A Repository is where a git command works: both paths seen from the place of
// the script, with [Unknown] where they are not known.
type Repository struct {
	Dir    string // where git runs
	GitDir string // the repository it is told to use, "" where it looks for one
}

// A Commit is a command that makes a commit.
type Commit struct {
	Repository
}

// An AliasFunc gives what the configuration of a repository makes of a
// subcommand that git does not know, "" for nothing. It is asked at most once
// for a name in a repository.
type AliasFunc func(where Repository, name string) string

const (
	maxCommits   = 32 // that are told apart; the rest go to a repository that is not known
	maxAliases   = 16 // lookups for one script
	maxExpansion = 8  // aliases of aliases
)

// MayCommit tells whether [Script.Commits] may find anything, depending on the
// aliases.
func (s *Script) MayCommit() bool {
	asked := false
	found := s.Commits(func(Repository, string) string {
		asked = true
		return ""
	})
	return asked || len(found) > 0
}

// Commits gives the commits that a script makes (spec 05 D.3, D.4): git commit,
// also by an alias, but not where it only shows what it would do. Without alias
// none is looked up.
func (s *Script) Commits(alias AliasFunc) []Commit {
	f := finder{alias: alias, asked: map[question]string{}}
	f.commands(s.Commands, 0)
	return f.found
}

type question struct {
	where Repository
	name  string
}

type finder struct {
	alias AliasFunc
	asked map[question]string
	found []Commit
}

func (f *finder) commands(list []Command, depth int) {
	for i := range list {
		f.command(&list[i], depth)
	}
}

func (f *finder) command(c *Command, depth int) {
	if c.Text != "" {
		if textCommits(c.Text) {
			f.add(Repository{Dir: c.Dir})
		}
		return
	}
	git, ok := parseGit(c)
	if !ok {
		return
	}
	switch name := git.sub.Text; {
	case name == "commit":
		if !onlyShows(git.args) {
			f.add(git.Repository)
		}
	case depth < maxExpansion && mayBeAlias(name):
		if expansion := f.expand(git, name); expansion != "" {
			f.commands(git.replace(expansion), depth+1)
		}
	}
}

func (f *finder) add(r Repository) {
	if len(f.found) == maxCommits {
		r = Repository{Dir: unknown}
	}
	if c := (Commit{r}); len(f.found) <= maxCommits && !slices.Contains(f.found, c) {
		f.found = append(f.found, c)
	}
}

// expand gives what an alias stands for: one that the command defines itself
// with -c, or one of the repository.
func (f *finder) expand(git gitCommand, name string) string {
	for _, setting := range slices.Backward(git.config) {
		key, value, _ := strings.Cut(setting, "=")
		if strings.EqualFold(key, "alias."+name) {
			return value
		}
	}
	q := question{git.Repository, name}
	expansion, ok := f.asked[q]
	if !ok && f.alias != nil && len(f.asked) < maxAliases {
		expansion = f.alias(q.where, name)
		f.asked[q] = expansion
	}
	return expansion
}

// A gitCommand is a call of git, taken apart.
type gitCommand struct {
	Repository
	sub    Word
	args   []Word // of the subcommand
	config []string
}

// parseGit takes a call of git apart. There is none where the command is not
// git, or only asks git about itself.
func parseGit(c *Command) (g gitCommand, ok bool) {
	if c.Program() != "git" {
		return g, false
	}
	g.Dir = c.Dir
	for _, v := range c.Env {
		if v.Name == "GIT_DIR" {
			g.GitDir = v.Value
		}
	}
	args := c.Words[1:]
	for len(args) > 0 {
		option := args[0]
		if !option.Loose && !strings.HasPrefix(option.Text, "-") {
			break
		}
		args = args[1:]
		name, value, glued := strings.Cut(option.Text, "=")
		switch name {
		case "-h", "--help", "-v", "--version", "--html-path", "--man-path", "--info-path", "--list-cmds":
			return g, false
		case "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix", "--attr-source":
		default:
			continue
		}
		if !glued {
			if len(args) == 0 {
				return g, false
			}
			value, args = args[0].Text, args[1:]
		}
		switch name {
		case "-C":
			if value != "" {
				g.Dir = Join(g.Dir, value)
			}
		case "-c":
			g.config = append(g.config, value)
		case "--git-dir":
			g.GitDir = value
		}
	}
	if len(args) == 0 {
		return g, false
	}
	if g.GitDir != "" {
		g.GitDir = Join(g.Dir, g.GitDir)
	}
	g.sub, g.args = args[0], args[1:]
	return g, true
}

// replace gives the commands that come of putting what an alias stands for in
// the place of the subcommand. One that begins with ! is for a shell.
func (g gitCommand) replace(expansion string) []Command {
	if text, ok := strings.CutPrefix(strings.TrimLeft(expansion, " \t\n"), "!"); ok {
		list := parseIn(text+` "$@"`, "", &scope{dir: g.Dir, args: texts(g.args), isArgs: known(g.args)})
		for i := range list {
			list[i].Env = append([]Variable{{"GIT_DIR", g.GitDir}}, list[i].Env...)
		}
		return list
	}
	list := parseIn(expansion, "", &scope{dir: g.Dir})
	if len(list) == 0 || list[0].Text != "" {
		return nil
	}
	words := []Word{{Text: "git"}}
	for _, setting := range g.config {
		words = append(words, Word{Text: "-c"}, Word{Text: setting})
	}
	words = append(append(words, list[0].Words...), g.args...)
	return []Command{{Words: words, Env: []Variable{{"GIT_DIR", g.GitDir}}, Dir: g.Dir}}
}

// onlyShows tells whether the arguments of git commit keep it from committing.
func onlyShows(args []Word) bool {
	dry := false
	for i := 0; i < len(args); i++ {
		a := args[i].Text
		switch {
		case a == "--":
			return dry
		case a == "--help" || a == "-h":
			return true
		case a == "--dry-run":
			dry = true
		case a == "--no-dry-run":
			dry = false
		case takesNext(a):
			i++
		}
	}
	return dry
}

// takesNext tells whether an option of git commit has its value in the next
// word.
func takesNext(option string) bool {
	switch option {
	case "--message", "--file", "--author", "--date", "--reuse-message", "--reedit-message", "--template",
		"--fixup", "--squash", "--cleanup", "--trailer", "--pathspec-from-file":
		return true
	}
	if len(option) < 2 || option[0] != '-' || option[1] == '-' {
		return false
	}
	i := strings.IndexAny(option, "mFCctuS") // of u and S the value is glued, if there is one
	return i == len(option)-1 && option[i] != 'u' && option[i] != 'S'
}

// mayBeAlias tells whether a subcommand can be an alias: a name that git has no
// command for, for those cannot be redefined.
func mayBeAlias(name string) bool {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
		return false
	}
	switch name {
	case "add", "am", "annotate", "apply", "archive", "bisect", "blame", "branch", "bundle",
		"cat-file", "check-attr", "check-ignore", "checkout", "checkout-index", "cherry", "cherry-pick", "clean", "clone",
		"commit-graph", "commit-tree", "config", "count-objects", "credential",
		"describe", "diff", "diff-files", "diff-index", "diff-tree", "difftool", "fast-export", "fast-import",
		"fetch", "filter-branch", "for-each-ref", "format-patch", "fsck", "gc", "grep", "hash-object", "help",
		"index-pack", "init", "log", "ls-files", "ls-remote", "ls-tree", "maintenance", "merge", "merge-base",
		"merge-file", "merge-tree", "mergetool", "mktree", "mv", "name-rev", "notes", "pack-objects", "pack-refs",
		"prune", "pull", "push", "range-diff", "read-tree", "rebase", "reflog", "remote", "repack", "replace",
		"request-pull", "rerere", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "send-email",
		"shortlog", "show", "show-branch", "show-ref", "sparse-checkout", "stash", "status", "submodule", "switch",
		"symbolic-ref", "tag", "update-index", "update-ref", "var", "verify-commit", "verify-pack", "verify-tag",
		"version", "whatchanged", "worktree", "write-tree":
		return false
	}
	return true
}
