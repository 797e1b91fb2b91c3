package outputformatvalidator

import (
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// A kind of artifact is known by its path and must have some parts.
type kind struct {
	name    string
	missing func(data []byte) []string // the parts that it lacks
}

var (
	stories      = kind{"user-stories.json", missingInStories}
	traceability = kind{"traceability-matrix.csv", missingInMatrix}
	strategy     = kind{"test-strategy.md", missingInStrategy}
	decision     = kind{"adr", missingInDecision}
)

// kindOf is the kind of the artifact at path, nil for a file that is none.
func kindOf(path string) *kind {
	for _, k := range [...]*kind{&stories, &traceability, &strategy} {
		if strings.HasSuffix(path, k.name) {
			return k
		}
	}
	if isDecision(path) {
		return &decision
	}
	return nil
}

// isDecision tells whether path is that of an architecture decision record: adr-
// somewhere, .md at the end, and no line end between them.
func isDecision(path string) bool {
	head, ok := strings.CutSuffix(text.LowerASCII(path), ".md")
	at := strings.LastIndex(head, "adr-")
	return ok && at >= 0 && !strings.ContainsAny(head[at:], "\n\r\u2028\u2029")
}

// A part is there when one of the words that stand for it is, anywhere.
type part struct {
	name  string
	words []string // lower case
}

var (
	matrixParts = [...]part{
		{"id", []string{"id", "fr", "ac", "story"}},
		{"requirement", []string{"requirement", "req", "fr", "feature", "us"}},
		{"test", []string{"test", "hook"}},
		{"status", []string{"status", "type", "result"}},
	}
	strategyParts = [...]part{
		{"Scope", []string{"scope"}},
		{"Approach", []string{"approach", "strategy"}},
		{"Entry/Exit Criteria", []string{"entry", "exit", "criteria"}},
	}
	decisionParts = [...]part{
		{"Status", []string{"status"}},
		{"Context", []string{"context"}},
		{"Decision", []string{"decision"}},
		{"Consequences", []string{"consequences", "rationale"}},
	}
)

func missingInMatrix(data []byte) []string {
	header, _, _ := strings.Cut(string(data), "\n")
	return missing(data, header, matrixParts[:])
}

func missingInStrategy(data []byte) []string { return missing(data, string(data), strategyParts[:]) }
func missingInDecision(data []byte) []string { return missing(data, string(data), decisionParts[:]) }

// missing lists the parts that are not in searched, which is what counts of
// data.
func missing(data []byte, searched string, parts []part) []string {
	if text.Trim(string(data)) == "" {
		return []string{"non-empty content (the file is empty)"}
	}
	searched = text.Lower(searched)
	var list []string
	for _, p := range parts {
		if !text.ContainsAny(searched, p.words) {
			list = append(list, p.name)
		}
	}
	return list
}

// missingInStories judges a list of user stories by its first one.
func missingInStories(data []byte) []string {
	doc, err := ordered.Parse(data)
	if err != nil || strings.HasPrefix(string(data), "\ufeff") || doc.Kind() == ordered.Null {
		return []string{"valid JSON"}
	}
	stories := doc.Get("stories")
	switch list := stories.Items(); {
	case !stories.IsArray():
		return []string{"stories (array)"}
	case len(list) == 0:
		return []string{"stories (empty array)"}
	case list[0].Kind() == ordered.Null:
		return []string{"valid JSON"}
	}
	var missing []string
	for _, field := range []string{"id", "title", "acceptance_criteria"} {
		if !stories.Items()[0].Get(field).Present() {
			missing = append(missing, "stories[0]."+field)
		}
	}
	return missing
}
