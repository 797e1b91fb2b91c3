package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// growth prints how time and memory of two programs grow with the state: one
// that reads a few fields, and one that changes one.
func growth(p *project, programs *layout, empty string, n int) error {
	fmt.Println("\ngrowth with the size of state.json, whole process, median; the time beyond an empty program gives MB/s")
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "state\treads\tMB/s\tpeak\tupdates\tMB/s\tpeak\t")
	small := p.state
	defer func() { p.state = small }()
	for _, size := range []int{10 << 10, 100 << 10, 1 << 20, 10 << 20} {
		p.state = state(size)
		runs := max(3, min(n, 100<<20/size))
		fmt.Fprintf(table, "%s\t", bytesOf(len(p.state)))
		for _, c := range []struct{ program, event string }{
			{"phase-sequence-guard", program{event: "PreToolUse"}.json(toDeveloper)},
			{"iteration-corridor", program{event: "PreToolUse"}.json(advance)},
		} {
			a, b, err := pair(p, programs.program(c.program), empty, c.event, runs)
			if err != nil {
				return fmt.Errorf("%s: %w", c.program, err)
			}
			peak, err := p.memory(programs.program(c.program), c.event)
			if err != nil {
				return err
			}
			beyond := max(median(a)-median(b), time.Microsecond)
			fmt.Fprintf(table, "%.1f ms\t%.0f\t%.1f MiB\t", ms(median(a)), float64(len(p.state))/1e6/beyond.Seconds(), float64(peak)/(1<<20))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

func bytesOf(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.0f kB", float64(n)/(1<<10))
}

// state is a document of about size bytes, most of them a log.
func state(size int) []byte {
	var log strings.Builder
	for i := 0; log.Len() < size-len(stateHead); i++ {
		if i > 0 {
			log.WriteString(",")
		}
		fmt.Fprintf(&log, "\n    {\n      \"timestamp\": \"2026-02-20T08:22:22.123Z\",\n      \"agent\": \"software-developer\",\n      \"n\": %d\n    }", i)
	}
	return []byte(strings.Replace(stateHead, "LOG", log.String(), 1))
}

// memory is the peak resident size of a run, in bytes, 0 where the system does
// not tell. The program is started by a fresh process of this one, for a process
// inherits the peak of the one that starts it, and this one is large by now.
func (p *project) memory(program, event string) (int64, error) {
	if err := p.reset(); err != nil {
		return 0, err
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self, "-peak", program)
	cmd.Dir = p.dir
	cmd.Env = []string{"CLAUDE_PROJECT_DIR=" + p.dir}
	cmd.Stdin = strings.NewReader(event)
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("measure the memory of %s: %w", program, err)
	}
	return strconv.ParseInt(string(out), 10, 64)
}

// printPeak runs a program and prints its peak.
func printPeak(program string) error {
	cmd := exec.Command(program)
	cmd.Stdin = os.Stdin
	if err := cmd.Run(); err != nil {
		return err
	}
	_, err := fmt.Print(peak(cmd.ProcessState))
	return err
}
