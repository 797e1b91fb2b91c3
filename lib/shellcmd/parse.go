package shellcmd

import (
	"errors"
	"io"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxText   = 512 << 10 // bytes that are parsed for one script, texts for inner shells included
	maxMarks  = 50_000    // bytes among them that may begin or end something
	maxValue  = 4 << 20   // bytes that all words together may come to
	maxSteps  = 200_000   // statements and words
	maxDepth  = 150       // of nested statements, functions, inner shells
	maxFrames = 1500      // of the stack of the parser

	checkEvery = 2 << 10 // bytes of text after which the stack of the parser is looked at
)

var errDeep = errors.New("nested too deeply")

// parse reads a text in the grammar of bash. The parser descends recursively,
// and a stack that overflows ends a Go process without a chance to recover. So
// the reader that feeds it looks at the stack, and stops the parser where it
// gets deep. Between two looks it grows by what checkEvery bytes can open, which
// is harmless.
func parse(text string) (*syntax.File, error) {
	return syntax.NewParser().Parse(&source{rest: text}, "")
}

type source struct {
	rest    string
	unseen  int // bytes since the last look
	reached error
}

func (s *source) Read(p []byte) (int, error) {
	if s.reached != nil {
		return 0, s.reached
	}
	if s.unseen >= checkEvery {
		s.unseen = 0
		var frame [1]uintptr
		if runtime.Callers(maxFrames, frame[:]) > 0 {
			s.reached = errDeep
			return 0, errDeep
		}
	}
	if s.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	s.unseen += n
	return n, nil
}

// text walks through what a shell would do with a text. It gives what the text
// writes to its standard output, if that is known.
func (w *walker) text(text string, sc *scope) *string {
	if w.parsed += len(text); w.parsed <= maxText {
		w.marks += marks(text)
	}
	if w.parsed > maxText || w.marks > maxMarks || !w.enter() {
		w.exhausted = true
		return nil
	}
	defer w.leave()
	if strings.Trim(text, " \t\r\n") == "" {
		return nil
	}
	file, err := parse(text)
	if errors.Is(err, errDeep) {
		w.exhausted = true
		return nil
	}
	if err != nil {
		w.emit(Command{Text: text, Dir: sc.dir})
		return nil
	}
	return w.statements(file.Stmts, sc, nil)
}

func marks(text string) (n int) {
	for i := range len(text) {
		switch text[i] {
		case ';', '|', '&', '(', ')', '{', '}', '$', '`', '!', '+':
			n++
		}
	}
	return n
}
