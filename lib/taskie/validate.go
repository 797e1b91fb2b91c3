package taskie

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

// maxNested is how many misplaced files are named.
const maxNested = 10

// validate checks the structure of a plan directory and gives every violation of
// the rules 1 to 7 (spec 70 §8). The error is that of a directory or file that
// cannot be read.
func validate(p Plan) ([]string, error) {
	names, err := markdown(p)
	if err != nil {
		return nil, err
	}
	exists := func(name string) bool { return isFile(p.Path(name)) }
	var found []string
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }

	if !exists("plan.md") { // rule 1
		report("plan.md is missing")
	}
	for _, name := range names { // rule 2
		if !validName(name) {
			report("%s has a name that no file of a plan can have", name)
		}
	}
	nested, err := nestedMarkdown(p) // rule 3
	if err != nil {
		return nil, err
	}
	if len(nested) > 0 {
		report("nested Markdown files: all .md files of a plan stand directly in its directory, not so %s", shorten(nested))
	}
	for _, name := range names { // rule 4
		for _, base := range [...]string{"plan", "design", "tasks"} {
			if number, ok := strings.CutPrefix(stem(name), base+"-review-"); ok && areDigits(number) && !exists(base+".md") {
				report("%s reviews %s.md, which does not exist", name, base)
			}
		}
	}
	for _, name := range names { // rule 5
		if review, ok := reviewBefore(name); ok && !exists(review) {
			report("%s answers %s, which does not exist", name, review)
		}
	}
	if !exists(tasksName) { // rule 6
		for _, name := range names {
			if strings.HasPrefix(name, "task-") && !strings.Contains(name, "review") {
				report("%s is a task file, but there is no tasks.md", name)
			}
		}
		return found, nil
	}
	fault, err := tableFault(p) // rule 7
	if err != nil {
		return nil, err
	}
	if fault != "" {
		report("%s", fault)
	}
	return found, nil
}

// markdown lists the entries of the plan that are called *.md, without hidden
// ones and links that lead nowhere.
func markdown(p Plan) ([]string, error) {
	entries, err := os.ReadDir(p.Path(""))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".md") || !disk.Exists(p.Path(name)) {
			continue
		}
		names = append(names, name)
	}
	return names, nil
}

func stem(name string) string { return strings.TrimSuffix(name, ".md") }

// validName tells whether a file of a plan may be called so (spec 70 §8, name
// forms). The reviews of a task need no form of their own: task-<id>.md has room
// for them.
func validName(name string) bool {
	s := stem(name)
	switch s {
	case "plan", "design", "tasks":
		return true
	}
	if id, ok := strings.CutPrefix(s, "task-"); ok {
		return isName(id)
	}
	for _, form := range [...]string{
		"plan-review-", "design-review-", "tasks-review-", "all-code-review-",
		"plan-post-review-", "design-post-review-", "tasks-post-review-", "all-code-post-review-",
	} {
		if number, ok := strings.CutPrefix(s, form); ok && areDigits(number) {
			return true
		}
	}
	return false
}

// reviewBefore names the review that a post-review belongs to. ok is false for
// a name without -post-review- and a digit after it.
func reviewBefore(name string) (review string, ok bool) {
	const post = "-post-review-"
	for rest := name; ; {
		i := strings.Index(rest, post)
		if i < 0 {
			return "", false
		}
		after := rest[i+len(post):]
		if after != "" && areDigits(after[:1]) {
			return strings.Replace(name, post, "-review-", 1), true
		}
		rest = rest[i+1:] // the last hyphen may begin the next one
	}
}

// nestedMarkdown lists .md files below the sub-directories of the plan, up to
// one more than are named.
func nestedMarkdown(p Plan) ([]string, error) {
	root := p.Path("")
	var found []string
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // removed since
		case err != nil:
			return err
		case e.IsDir() || !strings.HasSuffix(name, ".md") || filepath.Dir(name) == filepath.FromSlash(root) || !isFile(name):
			return nil
		}
		inside, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if found = append(found, filepath.ToSlash(inside)); len(found) > maxNested {
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

func shorten(names []string) string {
	if len(names) > maxNested {
		return strings.Join(names[:maxNested], ", ") + " and more"
	}
	return strings.Join(names, ", ")
}

// tableFault tells what is wrong with tasks.md, which may hold nothing but rows
// of a table and empty lines; "" where it is fine. Its lines may end in CRLF
// (spec 05 H.3).
func tableFault(p Plan) (string, error) {
	data, err := disk.Read(p.Path(tasksName))
	if err != nil {
		return "", err
	}
	rows, number := 0, 0
	for line := range lines(string(data)) {
		number++
		switch {
		case line == "":
		case len(line) > 1 && line[0] == '|' && line[len(line)-1] == '|':
			rows++
		default:
			return fmt.Sprintf("%s has a non-table line, number %d: a line begins and ends with a bar, without blanks around", tasksName, number), nil
		}
	}
	if rows == 0 {
		return tasksName + " has no table rows", nil
	}
	return "", nil
}

// missingFields names the members that a state document must have and has not;
// null is enough (spec 70 §8, rule 8).
func missingFields(doc *ordered.Value) []string {
	var missing []string
	for _, name := range [...]string{"phase", "next_phase", "review_model", "max_reviews", "consecutive_clean", "tdd"} {
		if doc.Get(name) == nil {
			missing = append(missing, name)
		}
	}
	return missing
}
