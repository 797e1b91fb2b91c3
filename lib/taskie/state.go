package taskie

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

const (
	defaultLimit = 8
	opus         = "opus"
	sonnet       = "sonnet"

	lockPatience = 2 * time.Second
	maxRounds    = 10 // attempts to write, when somebody else keeps writing without the lock
)

// State is what the hook reads of a state file, with the defaults for what is
// missing or of a wrong type (spec 70 §4.1).
type State struct {
	Phase     string
	NextPhase string  // decides whether a review is due
	Limit     float64 // of reviews in one cycle; 0: no reviews
	Task      TaskID  // in work
	TDD       bool
	Cycle
}

// A Cycle is how far a cycle of reviews has come.
type Cycle struct {
	Iteration int64  // reviews done
	Model     string // that makes the next one
	Clean     int64  // reviews in a row that found nothing
}

// A TaskID names a task; the zero TaskID none.
type TaskID struct {
	Text  string
	Known bool
}

var errNoState = errors.New("there is no state file")

// readState gives the object in the state file of a plan. The error is
// errNoState where there is no regular file; any other says what is wrong with
// it.
func readState(p Plan) (*ordered.Value, error) {
	data, err := disk.Read(p.Path(stateName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) {
		return nil, errNoState
	}
	if err != nil {
		return nil, err
	}
	return parseState(data)
}

func parseState(data []byte) (*ordered.Value, error) {
	doc, err := ordered.Parse(data)
	if err == nil && !doc.IsObject() {
		err = errors.New("it holds no JSON object")
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// stateOf reads the fields of a state document; nil is a document without any.
func stateOf(doc *ordered.Value) State {
	s := State{
		Phase:     doc.Get("phase").Text(),
		NextPhase: doc.Get("next_phase").Text(),
		Limit:     limit(doc.Get("max_reviews")),
		Task:      taskID(doc.Get("current_task")),
		TDD:       isTrue(doc.Get("tdd")),
		Cycle: Cycle{
			Iteration: count(doc.Get("phase_iteration")),
			Model:     doc.Get("review_model").Text(),
			Clean:     count(doc.Get("consecutive_clean")),
		},
	}
	if s.Model == "" {
		s.Model = opus
	}
	return s
}

// isTrue accepts true and the string "true".
func isTrue(v *ordered.Value) bool { return v.IsTrue() || v.Text() == "true" }

func limit(v *ordered.Value) float64 {
	if f, ok := v.Float(); ok {
		return f
	}
	if s := v.Text(); areDigits(s) {
		f, _ := strconv.ParseFloat(s, 64) // out of range gives infinity, which is no limit either
		return f
	}
	return defaultLimit
}

// count reads a counter: a whole number from 0, one below [math.MaxInt64] at
// most, so that the next one still exists.
func count(v *ordered.Value) int64 {
	text := v.Literal()
	if s := v.Text(); areDigits(s) {
		text = s
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		f, _ := strconv.ParseFloat(text, 64) // with a fraction or an exponent; or nothing, which is 0
		n = int64(min(max(f, 0), 1<<62))
	}
	return min(max(n, 0), math.MaxInt64-1)
}

// taskID takes a text as it is, and the decimal text of a number.
func taskID(v *ordered.Value) TaskID {
	switch v.Kind() {
	case ordered.String:
		return TaskID{v.Text(), true}
	case ordered.Number:
		if _, err := strconv.ParseInt(v.Literal(), 10, 64); !errors.Is(err, strconv.ErrSyntax) {
			return TaskID{v.Literal(), true} // also beyond what a double holds
		}
		return TaskID{string(v.Compact()), true}
	}
	return TaskID{}
}

// usable tells whether the id can stand in the name of a file.
func (id TaskID) usable() bool { return id.Known && isName(id.Text) }

func areDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isName tells whether s is one or more of A-Z a-z 0-9 _ -.
func isName(s string) bool {
	other := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	}
	return s != "" && strings.IndexFunc(s, other) < 0
}

// A Field is one member of the state file with its new value.
type Field struct {
	Name  string
	Value any // as [ordered.Of] takes it
}

// writeState sets fields in the state file as it is now, and those of defaults
// that are missing or null; everything else stays as it is written (spec 70
// §4.3). The file is replaced in one step, under the lock that other hooks
// respect, and never over what somebody wrote at the same time.
func writeState(p Plan, fields, defaults []Field) error {
	name, err := filepath.EvalSymlinks(p.Path(stateName))
	if err != nil {
		return fmt.Errorf("write the state: %w", err)
	}
	lock, err := disk.Lock(name, lockPatience)
	if err != nil {
		return fmt.Errorf("write the state: %w", err)
	}
	defer lock.Unlock()
	for round := 1; ; round++ {
		err := swapState(name, fields, defaults)
		if err == nil {
			return nil
		}
		if !errors.Is(err, disk.ErrChanged) || round == maxRounds {
			return fmt.Errorf("write the state: %w", err)
		}
	}
}

func swapState(name string, fields, defaults []Field) error {
	old, err := disk.ReadFile(name)
	if err != nil {
		return err
	}
	doc, err := parseState(old.Data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range fields {
		doc.Set(f.Name, f.Value)
	}
	for _, f := range defaults {
		if kind := doc.Get(f.Name).Kind(); kind == ordered.Missing || kind == ordered.Null {
			doc.Set(f.Name, f.Value)
		}
	}
	return disk.Swap(name, old, append(doc.Indent(), '\n'))
}
