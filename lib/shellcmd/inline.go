package shellcmd

import (
	"slices"
	"strings"
)

// An interpreter runs a script that stands in its arguments.
type interpreter struct {
	name     string // of the program; with a version behind it too
	sub      string // the subcommand that takes the script, "" if an option does
	short    string // letters of options that are followed by the script
	flags    string // letters that may stand before them in a row
	long     []string
	noScript string // letters of options after which the next word is something else
	noLong   []string
}

var interpreters = [...]interpreter{
	{name: "node", short: "ep", flags: "pi", long: []string{"--eval", "--print"}, noScript: "rC", noLong: []string{"--require", "--import", "--loader"}},
	{name: "nodejs", short: "ep", flags: "pi", long: []string{"--eval", "--print"}, noScript: "rC", noLong: []string{"--require", "--import", "--loader"}},
	{name: "bun", short: "ep", flags: "p", long: []string{"--eval", "--print"}, noScript: "r"},
	{name: "deno", sub: "eval", flags: "Apq"},
	{name: "python", short: "c", flags: "bBdEhiIOPqsSuvVx", noScript: "WXm"},
	{name: "pypy", short: "c", flags: "bBdEhiIOPqsSuvVx", noScript: "WXm"},
	{name: "ruby", short: "e", flags: "aclnpsSvw", noScript: "rICE"},
	{name: "perl", short: "eE", flags: "acfilnpsStTuUvwWX0123456789"},
}

// inlineWrite gives the state file that a script in the arguments of c, or on
// its standard input, writes; "" for none.
func (c *Command) inlineWrite() string {
	name := c.Program()
	for i := range interpreters {
		if rest, ok := strings.CutPrefix(name, interpreters[i].name); ok && strings.Trim(rest, "0123456789.") == "" {
			for _, code := range interpreters[i].code(c) {
				if path := c.namedIn(code); path != "" && writes(code) {
					return path
				}
			}
		}
	}
	return ""
}

// code gives the scripts that c has an interpreter run.
func (in *interpreter) code(c *Command) []string {
	args := c.Words[1:]
	if in.sub != "" {
		if i := indexWord(args, in.sub); i >= 0 {
			return texts(args[i+1:])
		}
		return nil
	}
	var list []string
	for i := 0; i < len(args); i++ {
		a := args[i].Text
		if a == "-" || a == "--" {
			break
		}
		if !strings.HasPrefix(a, "-") {
			return list // a file, and what is for it
		}
		if option, value, glued := strings.Cut(a, "="); strings.HasPrefix(a, "--") {
			switch {
			case slices.Contains(in.long, option) && glued:
				list = append(list, value)
			case slices.Contains(in.long, option) && i+1 < len(args):
				i++
				list = append(list, args[i].Text)
			case slices.Contains(in.noLong, option) && !glued:
				i++
			}
			continue
		}
		code, next := in.row(a[1:])
		switch {
		case code != "":
			list = append(list, code)
		case next && i+1 < len(args):
			i++
			list = append(list, args[i].Text)
		case strings.Contains(in.noScript, a[len(a)-1:]):
			i++
		}
	}
	if len(list) == 0 && c.Input != "" {
		list = append(list, c.Input)
	}
	return list
}

// row reads a row of option letters: the script is glued to the letter for it,
// or follows in the next word.
func (in *interpreter) row(letters string) (code string, next bool) {
	for i := range len(letters) {
		letter := letters[i]
		if strings.IndexByte(in.short, letter) >= 0 {
			rest := letters[i+1:]
			if len(rest) == 1 && strings.Contains(in.short, rest) { // node -pe
				rest = ""
			}
			return rest, rest == ""
		}
		if strings.IndexByte(in.flags, letter) < 0 {
			return "", false
		}
	}
	return "", false
}

// namedIn gives the path of a state file that a script names, seen from where it
// runs: in one piece, or put together of the names of folder and file.
func (c *Command) namedIn(code string) string {
	for rest, at := code, 0; ; {
		i := strings.Index(rest, stateName)
		if i < 0 {
			return ""
		}
		at += i
		end := at + len(stateName)
		if end == len(code) || !inPath(code[end]) {
			start := at
			for start > 0 && inPath(code[start-1]) {
				start--
			}
			p := strings.ReplaceAll(code[start:end], `\`, "/")
			if p = Join(c.Dir, p); IsState(p) {
				return p
			}
			before := strings.TrimRight(code[:at], "'\"`), +/\t")
			if before != code[:at] && strings.HasSuffix(before, ".isdlc") {
				return ".isdlc/" + stateName
			}
		}
		at, rest = end, code[end:]
	}
}

// inPath tells whether a byte may belong to a path in a script.
func inPath(b byte) bool {
	return b >= 0x80 || b == '/' || b == '\\' || b == '.' || b == '-' || b == '_' || b == '$' || b == '{' || b == '}' ||
		'0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// writers are the beginnings of calls that write a file.
var writers = [...]string{
	"writeFile", "appendFile", "createWriteStream", "truncate", "unlink", "rename", "copyFile",
	"writeTextFile", "rmSync", "write_text", "write_bytes", "json.dump(", "File.write", "shutil.", "os.remove", "os.replace",
}

// writes tells whether a script holds a call that writes a file. Standard output
// is none.
func writes(code string) bool {
	for _, w := range writers {
		if strings.Contains(code, w) {
			return true
		}
	}
	for rest := code; ; {
		i := strings.Index(rest, ".write")
		if i < 0 {
			break
		}
		stream := strings.HasSuffix(rest[:i], "stdout") || strings.HasSuffix(rest[:i], "stderr")
		rest = rest[i+len(".write"):]
		if !stream && strings.HasPrefix(strings.TrimLeft(rest, " \t\n"), "(") {
			return true
		}
	}
	for rest := code; ; {
		i := strings.Index(rest, "open")
		if i < 0 {
			return false
		}
		rest = rest[i+len("open"):]
		if args, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t\n"), "("); ok && opensToWrite(args) {
			return true
		}
	}
}

const maxArguments = 1024 // bytes of a call that are looked at

// opensToWrite tells whether one of the arguments of a call of open, which
// follow its parenthesis, is a mode that allows to write.
func opensToWrite(s string) bool {
	s = s[:min(len(s), maxArguments)]
	depth := 1
	for i := 0; i < len(s); i++ {
		switch b := s[i]; b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return false
			}
		case '\'', '"', '`':
			end := strings.IndexByte(s[i+1:], b)
			if end < 0 {
				return false
			}
			if depth == 1 && writingMode(s[i+1:i+1+end]) {
				return true
			}
			i += 1 + end
		}
	}
	return false
}

// writingMode tells whether a text is a mode of open: w, a, x, or r with a plus,
// and the > and +< of perl, which may stand before the path.
func writingMode(s string) bool {
	if strings.HasPrefix(s, ">") || strings.HasPrefix(s, "+<") {
		return true
	}
	if s == "" || len(s) > 4 || strings.Trim(s, "rwaxbt+") != "" {
		return false
	}
	return s[0] != '+' && (strings.ContainsAny(s, "wax") || strings.Contains(s, "+"))
}
