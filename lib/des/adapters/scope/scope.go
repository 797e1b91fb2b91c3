// Package scope asks git which files were changed.
package scope

import (
	"isdlc-hooks/lib/des/domain"
	"isdlc-hooks/lib/gitrepo"
)

// Git implements app.ScopeChecker (spec 60 §5.6).
type Git struct{}

// OutOfScope lists the files in the repository of dir that differ from its last
// commit and match none of the patterns, in the order and as git names them.
func (Git) OutOfScope(dir string, allowed []string) ([]string, error) {
	files, err := gitrepo.Repo{Dir: dir}.ChangedSinceHead()
	if err != nil {
		return nil, err
	}
	return domain.OutOfScope(files, allowed), nil
}
