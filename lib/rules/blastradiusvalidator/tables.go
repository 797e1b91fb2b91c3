package blastradiusvalidator

import (
	"slices"
	"strings"

	"isdlc-hooks/lib/text"
)

// An affected file is one that the impact analysis wants changed.
type affected struct{ path, change string }

// changes are the words for what becomes of a file. They do not begin one
// another, so their order does not matter.
var changes = [...]string{"CREATE", "MODIFY", "DELETE", noChange}

const noChange = "NO CHANGE"

// affectedFiles reads the rows of an impact analysis that name a file in
// backquotes and, in the next cell, what becomes of it. A file counts once, as
// it is first named (spec 20 §5.2).
func affectedFiles(document string) []affected {
	var files []affected
	for _, line := range lines(document) {
		path, rest, ok := pathCell(line)
		if !ok {
			continue
		}
		for _, change := range changes {
			after, ok := strings.CutPrefix(rest, change)
			if !ok || !strings.HasPrefix(trimLeft(after), "|") || change == noChange {
				continue
			}
			if !slices.ContainsFunc(files, func(f affected) bool { return f.path == path }) {
				files = append(files, affected{path, change})
			}
		}
	}
	return files
}

// deferrals reads the rows of a coverage document that defer a file and say why:
// file, change, status, notes (spec 20 §5.4).
func deferrals(document string) []string {
	var paths []string
	for _, line := range lines(document) {
		path, rest, ok := pathCell(line)
		if !ok {
			continue
		}
		change, rest, ok := strings.Cut(rest, "|")
		if !ok || !isWords(change) {
			continue
		}
		status, rest, ok := strings.Cut(rest, "|")
		if !ok || text.LowerASCII(text.Trim(status)) != "deferred" {
			continue
		}
		notes, ok := strings.CutSuffix(rest, "|")
		if notes = text.Trim(notes); ok && notes != "" && !strings.ContainsAny(notes, "\r\u2028\u2029") {
			paths = append(paths, path)
		}
	}
	return paths
}

// lines splits a document at line feeds; a carriage return before one belongs to
// it.
func lines(document string) []string {
	list := strings.Split(document, "\n")
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], "\r")
	}
	return list
}

// pathCell reads the first cell of a row, which is nothing but a path in
// backquotes, and gives what follows the bar behind it, without white space in
// front.
func pathCell(line string) (path, rest string, ok bool) {
	rest, ok = strings.CutPrefix(line, "|")
	if !ok {
		return "", "", false
	}
	if rest, ok = strings.CutPrefix(trimLeft(rest), "`"); !ok {
		return "", "", false
	}
	if path, rest, ok = strings.Cut(rest, "`"); !ok || path == "" {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(trimLeft(rest), "|")
	return text.Trim(path), trimLeft(rest), ok
}

func trimLeft(s string) string { return strings.TrimLeftFunc(s, text.IsSpace) }

// isWords tells whether a cell is a word of ASCII, or several.
func isWords(cell string) bool {
	cell = text.Trim(cell)
	return cell != "" && !strings.ContainsFunc(cell, func(r rune) bool {
		word := r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
		return !word && !text.IsSpace(r)
	})
}
