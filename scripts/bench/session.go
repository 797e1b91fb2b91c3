package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/scripts/internal/registration"
)

// sessionEvents is how many events a long working session has: the 90th
// percentile of recorded ones.
const sessionEvents = 850

// session prints what the hooks cost in a session: recorded events, repeated
// until there are enough, through every program that the default registrations
// run on them, next to an empty program started as often.
func session(p *project, programs *layout, empty string) error {
	events, err := recorded()
	if err != nil {
		return err
	}
	registrations, err := registration.Select(nil, nil)
	if err != nil {
		return err
	}
	if err := p.reset(); err != nil {
		return err
	}
	var ours, nothing time.Duration
	processes := 0
	for i := range sessionEvents {
		event := strings.NewReplacer("{{project}}", p.dir, "{{home}}", p.dir, "{{tmp}}", p.dir, "{{slug}}", "p").Replace(events[i%len(events)])
		for _, program := range registered(registrations, event) {
			a, err := p.time(programs.program(program), event)
			if err != nil {
				return fmt.Errorf("%s: %w", program, err)
			}
			b, err := p.time(empty, event)
			if err != nil {
				return err
			}
			ours, nothing = ours+a, nothing+b
			processes++
		}
	}
	fmt.Printf("\na session of %d recorded events starts %d hooks: %.2f s in all, an empty program as often %.2f s, ratio %.2f\n",
		sessionEvents, processes, ours.Seconds(), nothing.Seconds(), ratio(ours, nothing))
	return nil
}

// recorded are the events of all recorded sessions, in the order of the files.
func recorded() ([]string, error) {
	files, err := filepath.Glob(filepath.Join("testdata", "sessions", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var events []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			events = append(events, string(line))
		}
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("no recorded sessions: run this in the folder of the repository")
	}
	return events, nil
}

// registered are the programs that the client would run on an event.
func registered(all []registration.Registration, event string) []string {
	v, err := ordered.Parse([]byte(event))
	if err != nil {
		return nil
	}
	tool := v.Get("tool_name").Text()
	var names []string
	for _, r := range all {
		if string(r.Event) == v.Get("hook_event_name").Text() &&
			(r.Matcher == "" || slices.Contains(strings.Split(r.Matcher, "|"), tool)) {
			names = append(names, r.Program)
		}
	}
	return names
}
