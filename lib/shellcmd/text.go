package shellcmd

import (
	"strings"

	"isdlc-hooks/lib/pattern"
	"isdlc-hooks/lib/text"
)

// What a text that cannot be read does is guessed from its words, by the
// patterns of spec 40.

var (
	textCommit = pattern.Pattern{Expr: `\bgit\s+commit\b`}

	textPath = pattern.Pattern{Expr: `\.isdlc[/\\](?:projects[/\\][^/\\\s"']+[/\\])?state\.json`}

	textWrites = [...]*pattern.Pattern{
		{Expr: `>`},
		{Expr: `\btee\b`},
		{Expr: `\bwriteFile(?:Sync)?\b`},
		{Expr: `\bsed\s+(?:-i|--in-place)\b`},
		{Expr: `\bawk\s+-i\b`},
	}

	textCopy = pattern.Pattern{Expr: `\b(?:mv|cp|install)\b.*state\.json$`}

	textInterpreters = [...]*pattern.Pattern{
		{Expr: `\bnode\s+-e\b`},
		{Expr: `\bnode\s+--eval\b`},
		{Expr: `\bpython3?\s+-c\b`},
		{Expr: `\bruby\s+-e\b`},
		{Expr: `\bperl\s+-e\b`},
	}

	textInline = pattern.Pattern{Expr: `writeFile|fs\.write\b|\.write\s*\(|open\s*\([^)]*['"][wa]['"]`}
)

// textCommits follows spec 40 §3.1.3.
func textCommits(s string) bool {
	return strings.Contains(s, "commit") && textCommit.In(s)
}

// textWrite gives the state file that a text writes, "" for none (spec 40 §4.1
// to §4.3).
func textWrite(s string) string {
	if !strings.Contains(s, stateName) {
		return ""
	}
	path := textPath.Find(s)
	if path == nil || !pattern.Any(s, textWrites[:]) && !copiesOnto(s) && !textScript(s) {
		return ""
	}
	return path[0]
}

// copiesOnto tells whether the last line of a text begins a copy and ends with
// the name of a state file.
func copiesOnto(s string) bool {
	s = text.Trim(s)
	return strings.HasSuffix(s, stateName) && textCopy.In(s[strings.LastIndexAny(s, "\n\r")+1:])
}

// textScript looks at what follows the first interpreter that is called with a
// script in a word of its own.
func textScript(s string) bool {
	for _, p := range textInterpreters {
		calls := p.Regexp().FindAllStringIndex(s, -1)
		for _, at := range calls {
			if script := s[at[1]:]; text.SpaceLen(script) > 0 {
				return textInline.In(script)
			}
		}
		if calls != nil {
			return false
		}
	}
	return false
}

// testPhrases are those of spec 40 §5.2, but for those that hold another one.
var testPhrases = []text.Phrase{
	{Words: []string{"npm", "test"}},
	{Words: []string{"npm", "run", "test"}},
	{Words: []string{"npm", "run", "e2e"}},
	{Words: []string{"yarn", "test"}},
	{Words: []string{"go", "test"}},
	{Words: []string{"cargo", "test"}},
	{Words: []string{"mvn", "test"}},
	{Words: []string{"gradle", "test"}},
	{Words: []string{"dotnet", "test"}},
	{Words: []string{"playwright", "test"}},
	{Words: []string{"cypress", "run"}},
	{Words: []string{"pytest"}},
	{Words: []string{"jest"}},
	{Words: []string{"mocha"}},
	{Words: []string{"vitest"}},
	{Words: []string{"phpunit"}},
	{Words: []string{"rspec"}},
}

// textTests tells whether a text names a test command, in letters of any case.
func textTests(s string) bool { return text.AnyPhrase(text.LowerASCII(s), testPhrases, false) }
