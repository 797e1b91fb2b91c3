// Package transcript reads the transcripts that the client keeps of its agents.
package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

const (
	maxSize = 1 << 30  // bytes of a transcript that are looked at
	maxLine = 32 << 20 // bytes of a line; a longer one is passed over
)

// JSONL implements app.TranscriptReader for files of one JSON value a line
// (spec 60 §5.1).
type JSONL struct {
	Home string // what a leading ~ stands for

	// Patience is how long to wait for a file that is not there yet: the client
	// writes the transcript of an agent a moment after it has begun, and a quick one
	// may have ended by then.
	Patience time.Duration
}

// FirstWith gives the text of the first message that contains word, which is of
// ASCII letters, digits and hyphens. It keeps one line at a time in memory.
func (j JSONL) FirstWith(path, word string) (text string, found bool) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if j.Home == "" {
			return "", false
		}
		path = j.Home + "/" + rest
	}
	f, err := j.open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.LimitReader(f, maxSize), 256<<10)
	for {
		line, err := readLine(in)
		if text := message(line, word); strings.Contains(text, word) {
			return text, true
		}
		if err != nil { // the end, or a part that cannot be read: there is no more
			return "", false
		}
	}
}

// open opens a transcript, and waits for one that is missing.
func (j JSONL) open(path string) (*os.File, error) {
	const pause = 10 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		f, err := disk.Open(path)
		if !errors.Is(err, fs.ErrNotExist) || waited >= j.Patience {
			return f, err
		}
		time.Sleep(pause)
	}
}

// readLine gives the next line, nil for one that is too long.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for tooLong := false; ; {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// message is the text of the message on a line; "" for a line that has none, or
// one in which word cannot be.
func message(line []byte, word string) string {
	// Most lines are long and of no interest. A letter of the word may be written
	// as an escape, which then begins like that of any ASCII character.
	if !bytes.Contains(line, []byte(word)) && !bytes.Contains(line, []byte(`\u00`)) {
		return ""
	}
	v, err := ordered.Parse(line)
	if err != nil {
		return ""
	}
	content := v.Get("message", "content")
	if content.Kind() == ordered.String {
		return content.Text()
	}
	var texts []string
	for _, item := range content.Items() {
		if text := item.Get("text"); item.Get("type").Text() == "text" && text.Kind() == ordered.String {
			texts = append(texts, text.Text())
		}
	}
	return strings.Join(texts, "\n")
}
