// Package gitrepo asks git about a repository, never through a shell and never
// for long. Configuration of the repository that would run programs is switched
// off (spec 05 D.5).
package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	// Patience is how long a question may take.
	Patience = 3 * time.Second
	// DiffPatience is how long a comparison with a commit may take.
	DiffPatience = 5 * time.Second

	maxOutput = 16 << 20 // bytes of an answer
)

// A Repo is the repository that a directory belongs to; "" is the working
// directory of the process. The environment of git (GIT_DIR, …) counts, unless
// GitDir names the repository.
type Repo struct {
	Dir    string
	GitDir string // absolute, or seen from the working directory of the process
}

// Branch is the name of the branch that is checked out, also one without a
// commit. A detached HEAD, or no repository, is an error. The full name of the
// reference is asked for: git shortens it to heads/NAME where a tag is called
// NAME, too.
func (r Repo) Branch() (string, error) {
	out, err := r.ask(Patience, "symbolic-ref", "--quiet", "HEAD")
	return strings.TrimPrefix(strings.TrimRight(out, "\r\n"), "refs/heads/"), err
}

// HasBranch tells whether there is a local branch of this name. Whatever keeps
// git from answering counts as no.
func (r Repo) HasBranch(name string) bool {
	_, err := r.ask(Patience, "show-ref", "--verify", "--quiet", "refs/heads/"+name)
	return err == nil
}

// ChangedSince lists the files that were changed on the current branch since it
// left base, by commits alone: relative to the top of the repository, with
// slashes.
func (r Repo) ChangedSince(base string) ([]string, error) {
	out, err := r.ask(DiffPatience, "diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", "--end-of-options", base+"...HEAD", "--")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(out, func(c rune) bool { return c == 0 }), nil
}

// ChangedSinceHead lists the files under version control that differ from the
// last commit, whether or not that is staged: a line of git's answer each,
// relative to the top of the repository, names with odd characters in quotes as
// git writes them.
func (r Repo) ChangedSinceHead() ([]string, error) {
	out, err := r.ask(DiffPatience, "diff", "--no-ext-diff", "--no-textconv", "--name-only", "HEAD", "--")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(out, func(c rune) bool { return c == '\n' }), nil
}

// Alias is what the configuration makes of an unknown subcommand, "" for
// nothing.
func (r Repo) Alias(name string) string {
	out, err := r.ask(Patience, "config", "--get", "alias."+name)
	if err != nil {
		return ""
	}
	return strings.TrimRight(out, "\r\n")
}

// CommonDir is the folder of the repository's data, absolute, the same for all
// its work trees: two directories belong to one repository when it is equal. For
// a directory that does not exist the error is [fs.ErrNotExist].
func (r Repo) CommonDir() (string, error) {
	if r.Dir != "" && r.GitDir == "" {
		if info, err := os.Stat(r.Dir); err != nil || !info.IsDir() {
			return "", fmt.Errorf("%s: %w", r.Dir, fs.ErrNotExist)
		}
	}
	out, err := r.ask(Patience, "rev-parse", "--path-format=absolute", "--git-common-dir")
	return strings.TrimRight(out, "\r\n"), err
}

// ask runs git and gives its standard output.
func (r Repo) ask(limit time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	options := []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "diff.relative=false"}
	dir := r.Dir
	if r.GitDir != "" {
		options = append(options, "--git-dir="+r.GitDir)
		dir = "" // from where GitDir is seen, and which need not exist
	}
	cmd := exec.CommandContext(ctx, "git", append(options, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = 100 * time.Millisecond // for children that keep its output open
	out := &bounded{}
	cmd.Stdout = out
	ownGroup(cmd)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.buffer.String(), nil
}

// bounded collects output up to a size, and is an error beyond it.
type bounded struct{ buffer bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.buffer.Len()+len(p) > maxOutput {
		return 0, errors.New("the answer is too long")
	}
	return b.buffer.Write(p)
}
