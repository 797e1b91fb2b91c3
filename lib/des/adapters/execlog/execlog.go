// Package execlog reads the execution logs of steps, which are kept as YAML.
package execlog

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"isdlc-hooks/lib/des/app"
	"isdlc-hooks/lib/des/domain"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/yaml"
)

// YAML implements app.ExecutionLogReader (spec 60 §5.2). It reads the file
// once, so that all questions are answered by the same text.
type YAML struct {
	Events domain.PhaseEventParser
}

// Read opens a log: one document, a mapping. What is no regular file, or no
// UTF-8, is an error of its own.
func (y YAML) Read(path string) (app.ExecutionLog, error) {
	data, err := disk.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", app.ErrLogNotFound, path)
	}
	if err != nil {
		return nil, fmt.Errorf("the execution log cannot be read: %w", err)
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("the execution log %s is not UTF-8", path)
	}
	if bytes.ContainsFunc(data, notPrintable) {
		return nil, fmt.Errorf("%w: it holds control characters", app.ErrLogCorrupted)
	}
	root, err := yaml.ParseOnly(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", app.ErrLogCorrupted, err)
	}
	if !root.IsObject() {
		return nil, fmt.Errorf("%w: its root is no mapping", app.ErrLogCorrupted)
	}
	return log{root, y.Events}, nil
}

// notPrintable tells what YAML forbids anywhere in a document, and the parser
// lets through.
func notPrintable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return false
	}
	return r < ' ' || 0x7F <= r && r < 0xA0 || r == 0xFFFE || r == 0xFFFF
}

type log struct {
	root  *ordered.Value
	parse domain.PhaseEventParser
}

func (l log) ProjectID() (id string, ok bool) {
	switch v := l.root.Get("project_id"); {
	case v.Kind() == ordered.String:
		return v.Text(), true
	case v == nil:
		return "none (there is no project_id)", false
	default:
		return string(v.Compact()) + " (which is not a text)", false
	}
}

func (l log) StepEvents(stepID string) (events []domain.PhaseEvent, err error) {
	switch v := l.root.Get("events"); v.Kind() {
	case ordered.Missing, ordered.String:
		return nil, nil
	case ordered.Array:
		for i, item := range v.Items() {
			if item.Kind() != ordered.String {
				return nil, fmt.Errorf("event %d of the execution log is not a text: put it in quotes", i+1)
			}
			if e, ok := l.parse.Parse(item.Text()); ok && e.StepID == stepID {
				events = append(events, e)
			}
		}
		return events, nil
	}
	return nil, errors.New("the events of the execution log are no list")
}
