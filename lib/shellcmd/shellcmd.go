// Package shellcmd reads the text of a shell command as a shell would, without
// running it, and answers three questions about it: what it commits, which
// state files it writes, and which tests it runs (spec 05 D).
//
//	script := shellcmd.Parse(text, shellcmd.Place{Dir: workDir, Home: home})
//	script.Commits(alias)      // []Commit: git commits, and where they go
//	script.StateWrites()       // []string: paths of state files that it writes
//	script.TestRuns(extra)     // []Run: test commands, and the runner of each
//
// What it finds are the simple commands of the whole tree, wherever they stand:
// lists, pipelines, loops, functions, substitutions, texts and heredocs that are
// fed to a shell. Wrappers like sudo, env or timeout are looked through. Words
// have their quotes and backslashes resolved and known variables put in; what
// cannot be known is the rune [Unknown] in them. cd is followed.
//
// It is an approximation on the safe side: a command that may run counts as one
// that does, and a text that does not parse, or takes too much to read, is
// searched with the patterns of spec 40 instead. The time it takes is bounded.
package shellcmd

import "strings"

// Unknown stands in a text for a part that only running the command would tell.
const Unknown = '\uffff'

const unknown = string(Unknown)

// Known tells whether every part of s is known.
func Known(s string) bool { return !strings.Contains(s, unknown) }

// A Script is what a command text does.
type Script struct {
	Commands []Command // in the order in which they are met
}

// A Command is a simple command: a program with its arguments.
type Command struct {
	Words   []Word     // the program first; empty where there are only redirections
	Env     []Variable // what it finds in its environment, set in the same script; later ones count
	Targets []Word     // files that its output is redirected to
	Input   string     // what stands on its standard input, as far as a heredoc or a pipe tells
	Dir     string     // where it runs, seen from the place of the script

	// Text is set, and nothing else but Dir, for a text handed to a shell that
	// could not be read: only patterns can judge it.
	Text string
}

// A Word is one argument after all expansions.
type Word struct {
	Text  string
	Loose bool // wholly unknown and not quoted: it may come to any number of words
	Glob  bool // it has a * ? or [ that is not quoted

	kept string // Text with the backslashes that a shell drops; "" where there were none
}

// Known tells whether the whole word is known.
func (w Word) Known() bool { return Known(w.Text) }

// A Variable is one of the environment.
type Variable struct{ Name, Value string }

// A Place is where a script runs.
type Place struct {
	Dir  string // the working directory; "" leaves paths relative
	Home string // the home directory, "" if it is unknown
}

// Program is the name of the program of c, without its folder and .exe; "" where
// there is none or it is unknown.
func (c *Command) Program() string {
	if len(c.Words) == 0 {
		return ""
	}
	return programName(c.Words[0])
}

// Parse reads a command text.
func Parse(text string, place Place) *Script {
	return &Script{Commands: parseIn(text, place.Home, &scope{dir: place.Dir})}
}

func parseIn(text, home string, sc *scope) []Command {
	dir := sc.dir
	w := &walker{home: home}
	w.text(text, sc)
	if w.exhausted {
		return []Command{{Text: text, Dir: dir}}
	}
	return w.out
}

// Mentions tells whether word can come out of the expansions of text at all.
// False is certain and costs nothing like reading the text.
//
// Without a $, a backquote or a brace, all that a shell does to a text is to
// drop quotes, backslashes and what continues a line, and to join what is left
// with blanks: a word without blanks must stand there once they are dropped.
func Mentions(text, word string) bool {
	if strings.Contains(text, word) || strings.ContainsAny(text, "$`{") {
		return true
	}
	if !strings.ContainsAny(text, "'\"\\\x00") {
		return false
	}
	return strings.Contains(strings.Map(func(r rune) rune {
		switch r {
		case '\'', '"', '\\', '\n', '\r', 0:
			return -1
		}
		return r
	}, text), word)
}
