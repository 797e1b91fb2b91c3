package branchguard

import (
	"errors"
	"io/fs"

	"isdlc-hooks/lib/gitrepo"
	"isdlc-hooks/lib/shellcmd"
)

// A locator finds the repositories that commits go to (spec 05 D.4).
type locator struct {
	workDir string // of the hook
	root    string // of the project

	project *repository // once it was asked for
}

// A repository is the project's, as far as there is one.
type repository struct {
	repo   gitrepo.Repo
	common string // "" where the project is in none
}

// locate gives the repository of a commit; not ok means that it is none of the
// project's.
func (l *locator) locate(where shellcmd.Repository) (repo gitrepo.Repo, ok bool) {
	repo, known := l.repo(where)
	if !known {
		return l.own().repo, true
	}
	if repo == (gitrepo.Repo{}) && l.workDir == l.root {
		return repo, true
	}
	common, err := repo.CommonDir()
	switch {
	case errors.Is(err, fs.ErrNotExist): // the command may be about to make it
		return l.own().repo, true
	case err != nil: // no repository: git will not commit there
		return repo, false
	}
	own := l.own().common
	return repo, own == "" || own == common
}

// repo gives the place of a commit for git to be asked there. It is not known
// where the path is not.
func (l *locator) repo(where shellcmd.Repository) (repo gitrepo.Repo, known bool) {
	if where.GitDir != "" {
		return gitrepo.Repo{GitDir: where.GitDir}, shellcmd.Known(where.GitDir)
	}
	if where.Dir == l.workDir {
		return gitrepo.Repo{}, true
	}
	return gitrepo.Repo{Dir: where.Dir}, shellcmd.Known(where.Dir)
}

// own is the project's repository: seen from the working directory where that is
// in it, for the branch of that work tree counts, else from the root.
func (l *locator) own() *repository {
	if l.project != nil {
		return l.project
	}
	l.project = &repository{}
	here, err := l.project.repo.CommonDir()
	if l.workDir == l.root {
		if err == nil {
			l.project.common = here
		}
		return l.project
	}
	root := gitrepo.Repo{Dir: l.root}
	switch common, rootErr := root.CommonDir(); {
	case rootErr == nil && (err != nil || here != common):
		l.project.repo, l.project.common = root, common
	case err == nil:
		l.project.common = here
	}
	return l.project
}

// alias looks a subcommand up in the configuration of the repository where it is
// used.
func (l *locator) alias(where shellcmd.Repository, name string) string {
	repo, known := l.repo(where)
	if !known {
		repo = l.own().repo
	}
	return repo.Alias(name)
}
