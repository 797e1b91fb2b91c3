package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"isdlc-hooks/scripts/internal/install"
	"isdlc-hooks/scripts/internal/registration"
)

// A layout is an installation in a project.
type layout struct {
	dir   string
	paths map[string]string
}

// lay installs the built programs into a project.
func lay(project, bin string, links bool) (*layout, error) {
	if err := os.MkdirAll(project, 0o755); err != nil {
		return nil, err
	}
	plan, err := install.Install(install.Options{Project: project, Bin: bin, Links: links})
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	if _, err := plan.Apply(); err != nil {
		return nil, err
	}
	l := &layout{dir: project, paths: map[string]string{}}
	for _, p := range registration.Programs() {
		path := filepath.Join(project, filepath.FromSlash(p.Path()))
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
		if _, err := os.Stat(path); err == nil {
			l.paths[p.Name] = path
		}
	}
	return l, nil
}

// program is where the program called name is, "" where it is not built.
func (l *layout) program(name string) string { return l.paths[name] }

// size is what the installed programs take, in bytes; a file with several names
// counts once.
func (l *layout) size() (int64, error) {
	var files []fs.FileInfo
	var sum int64
next:
	for _, path := range l.paths {
		info, err := os.Stat(path)
		if err != nil {
			return 0, err
		}
		for _, other := range files {
			if os.SameFile(info, other) {
				continue next
			}
		}
		files = append(files, info)
		sum += info.Size()
	}
	return sum, nil
}

// layouts prints what both layouts of an installation take, and how fast programs
// of each start.
func layouts(p *project, linked *layout, other, bin, empty string, n int) error {
	separate, err := lay(other, bin, false)
	if err != nil {
		return err
	}
	fmt.Println("\nthe layouts of an installation; guard path, ratio to an empty Go program")
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "layout\tsize\t")
	names := []string{"skill-validator", "pre-task-dispatcher", "branch-guard", "post-bash-dispatcher"}
	for _, name := range names {
		fmt.Fprint(table, name, "\t")
	}
	fmt.Fprintln(table)
	for _, row := range []struct {
		name string
		*layout
	}{{"linked", linked}, {"separate", separate}} {
		size, err := row.size()
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%.0f MB\t", row.name, float64(size)/1e6)
		for _, name := range names {
			a, b, err := pair(p, row.program(name), empty, program{event: "PreToolUse"}.json(`"tool_name":"Read","tool_input":{}`), n)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(table, "%.2f\t", ratio(median(a), median(b)))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}
