package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"isdlc-hooks/scripts/internal/registration"
)

// paint colours a text where colours are shown: on a terminal, unless NO_COLOR
// is set. The codes around it are equally long for all plain colours.
func paint(attribute color.Attribute, text string) string {
	if color.NoColor {
		return text
	}
	return fmt.Sprintf("\x1b[%02dm%s\x1b[0m", attribute, text)
}

// dash stands for a text that is not there.
func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// printable is a text on one line and without control characters: those in the
// files of a project are nobody's to be obeyed by a terminal.
func printable(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }), " ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// projectFlag adds --project, which every command about one project has.
func projectFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVar(value, "project", "", "the project `DIR` (default: the one of the working directory)")
	if err := cmd.MarkFlagDirname("project"); err != nil {
		panic(err) // a flag that is not defined
	}
}

// projectFolder is the project that is meant: the one that is named, else that
// of the session, else the next folder upwards that has one of ours in it, else
// the working directory.
func projectFolder(named string) (string, error) {
	dir := named
	if dir == "" {
		dir = os.Getenv("CLAUDE_PROJECT_DIR")
	}
	if dir == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", fmt.Errorf("looking for the project: %w", err)
		}
		dir = here
		for up := here; up != filepath.Dir(up); up = filepath.Dir(up) {
			if isFolder(filepath.Join(up, ".isdlc")) || isFolder(filepath.Join(up, ".claude", "hooks")) {
				dir = up
				break
			}
		}
	}
	if !isFolder(dir) {
		return "", misused("the project %s does not exist or is not a folder", dir)
	}
	return filepath.Abs(dir)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// complete has the shell complete the values of a flag that takes several,
// parted by commas.
func complete(cmd *cobra.Command, flag string, values func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var all []string
		for _, v := range values() {
			if !slices.Contains(strings.Split(before, ","), v) {
				all = append(all, before+v)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // a flag that is not defined
	}
}

// groupAndProgramNames are what --only and --with take.
func groupAndProgramNames() []string {
	var names []string
	for _, g := range registration.Groups {
		names = append(names, g.Name)
	}
	for _, r := range registration.Table {
		if !slices.Contains(names, r.Program) {
			names = append(names, r.Program)
		}
	}
	return names
}
