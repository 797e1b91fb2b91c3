package shellcmd

import (
	"strings"
	"unicode/utf8"
)

// A wrapper runs the command that its arguments are.
type wrapper struct {
	name     string
	short    string   // letters of options that take a value
	long     []string // options that take a value in the next word
	skip     int      // words between the options and the command
	assigns  bool     // NAME=value may stand before the command
	shell    bool     // it is part of the shell: builtins can be run by it
	describe string   // letters of options with which it only describes the command
}

var wrappers = [...]wrapper{
	{name: "command", shell: true, describe: "vV"},
	{name: "builtin", shell: true},
	{name: "exec", short: "a", shell: true},
	{name: "time", short: "fo", long: []string{"--format", "--output"}, shell: true},
	{name: "sudo", short: "CDghpRrTtUu", assigns: true, describe: "lvKk",
		long: []string{"--close-from", "--chdir", "--group", "--host", "--prompt", "--chroot", "--role", "--command-timeout", "--type", "--other-user", "--user"}},
	{name: "doas", short: "Cu"},
	{name: "env", short: "uCS", long: []string{"--unset", "--chdir", "--split-string"}, assigns: true},
	{name: "nohup"},
	{name: "setsid"},
	{name: "nice", short: "n", long: []string{"--adjustment"}},
	{name: "ionice", short: "cnp", long: []string{"--class", "--classdata"}},
	{name: "timeout", short: "ks", long: []string{"--kill-after", "--signal"}, skip: 1},
	{name: "gtimeout", short: "ks", long: []string{"--kill-after", "--signal"}, skip: 1},
	{name: "stdbuf", short: "ioe", long: []string{"--input", "--output", "--error"}},
	{name: "caffeinate", short: "tw"},
	{name: "chronic"},
	{name: "unbuffer"},
	{name: "xargs", short: "adEILnPs",
		long: []string{"--arg-file", "--delimiter", "--max-lines", "--max-args", "--max-procs", "--max-chars", "--replace", "--process-slot-var"}},
}

// unwrap takes a wrapper off a call, and tells whether there was one.
func (w *walker) unwrap(c *call) bool {
	name := programName(c.words[0])
	if name == "find" {
		return unwrapFind(c)
	}
	for i := range wrappers {
		if wrappers[i].name == name {
			return wrappers[i].unwrap(w, c)
		}
	}
	return false
}

func (wr *wrapper) unwrap(w *walker, c *call) bool {
	rest := c.words[1:]
	placeholder := ""
	for len(rest) > 0 {
		text := rest[0].Text
		if rest[0].Loose && wr.skip == 0 || wr.assigns && w.environment(text, c) {
			rest = rest[1:]
			continue
		}
		if len(text) < 2 || text[0] != '-' {
			break
		}
		rest = rest[1:]
		if text == "--" {
			break
		}
		option, value, takes := wr.option(text)
		if strings.Contains(wr.describe, option) && option != "" {
			return false
		}
		if takes && value == "" && len(rest) > 0 {
			value, rest = rest[0].Text, rest[1:]
		}
		switch wr.name + option {
		case "envC", "env--chdir", "sudoD", "sudo--chdir":
			c.dir = Join(c.dir, value)
		case "envS", "env--split-string":
			rest = append(fields(value), rest...)
		case "xargsI", "xargs--replace":
			placeholder = value
		case "xargsi":
			placeholder = "{}"
		}
	}
	for wr.assigns && len(rest) > 0 && w.environment(rest[0].Text, c) {
		rest = rest[1:]
	}
	if wr.skip > len(rest) {
		return false
	}
	rest = rest[wr.skip:]
	if wr.name == "xargs" {
		rest = xargs(rest, placeholder, c)
	} else if len(rest) == 0 && !wr.shell {
		return false
	}
	c.words = rest
	c.outside = c.outside || !wr.shell
	return true
}

// option takes an option apart: its letter, or its long name; its value, if that
// is glued to it; and whether it takes one at all. In a row of letters the first
// that takes a value counts, else the last.
func (wr *wrapper) option(text string) (option, value string, takes bool) {
	if strings.HasPrefix(text, "--") {
		option, value, glued := strings.Cut(text, "=")
		for _, l := range wr.long {
			if l == option {
				return option, value, true
			}
		}
		return option, value, glued
	}
	for i, r := range text[1:] {
		option = string(r)
		if strings.ContainsRune(wr.short, r) {
			return option, text[1+i+utf8.RuneLen(r):], true
		}
	}
	return option, "", false
}

// environment takes NAME=value into the environment of a call, and tells whether
// text is one.
func (w *walker) environment(text string, c *call) bool {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, "-/ ") {
		return false
	}
	c.env = append(c.env, Variable{name, value})
	return true
}

// fields splits a text at blanks.
func fields(text string) []Word {
	var list []Word
	for _, f := range strings.Fields(text) {
		list = append(list, Word{Text: f})
	}
	return list
}

// xargs gives the command that xargs runs. What it reads comes in the place of
// the placeholder, else at the end.
func xargs(words []Word, placeholder string, c *call) []Word {
	input := []Word{{Text: unknown, Loose: true}}
	if c.in != nil {
		input = fields(*c.in)
	}
	c.in = nil
	if placeholder == "" {
		return append(words[:len(words):len(words)], input...)
	}
	with := unknown
	if len(input) == 1 {
		with = input[0].Text
	}
	list := make([]Word, len(words))
	for i, word := range words {
		list[i] = Word{Text: strings.ReplaceAll(word.Text, placeholder, with)}
	}
	return list
}

// unwrapFind gives the command that find runs for every file.
func unwrapFind(c *call) bool {
	for i, word := range c.words {
		switch word.Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			rest := c.words[i+1:]
			for j, end := range rest {
				if end.Text == ";" || end.Text == "+" {
					rest = rest[:j]
					break
				}
			}
			list := make([]Word, len(rest))
			for j, word := range rest {
				list[j] = Word{Text: strings.ReplaceAll(word.Text, "{}", unknown)}
			}
			c.words, c.outside = list, true
			return len(list) > 0
		}
	}
	return false
}
