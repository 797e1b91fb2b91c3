package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"isdlc-hooks/lib/des/adapters/audit"
)

func desCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "des",
		Short: "Look after the records of the DES hooks",
		Args:  wanted(cobra.NoArgs),
	}
	cmd.AddCommand(verifyAuditCommand())
	return cmd
}

func verifyAuditCommand() *cobra.Command {
	var project, mark string
	cmd := &cobra.Command{
		Use:   "verify-audit [--project DIR] [FILE...]",
		Short: "Check the audit log of the DES hooks",
		Long: `Verify-audit checks files of the audit log: that each line is a record as the hooks
write it, that it is of the day of its file, and that the mode of the file is 0640.
Without a FILE it checks all files in the folder where the hooks of the project
write.

It prints a mark for each file: the number of records, and a SHA-256 over them. Keep
it where nobody who can write the log can change it; --since MARK tells later
whether those records still stand at the beginning of the file, unchanged.

The exit code is 1 when something is wrong.`,
		Example: `  isdlc-hooks des verify-audit --project ~/src/shop
  isdlc-hooks des verify-audit --since 42:9f86d0… .nwave/logs/des/audit-2026-02-06.log`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if mark != "" && len(files) != 1 {
				return &exit{misuse, errors.New("--since is about one file: name it")}
			}
			if len(files) == 0 {
				var err error
				if files, err = auditFiles(project); err != nil {
					return err
				}
			}
			good := true
			for _, path := range files {
				ok, err := verifyAudit(cmd.OutOrStdout(), path, mark)
				if err != nil {
					return err
				}
				good = good && ok
			}
			if len(files) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "There is no audit log.")
			}
			if !good {
				return &exit{code: failed}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&project, "project", ".", "the project `DIR`")
	cmd.Flags().StringVar(&mark, "since", "", "compare with the `MARK` of an earlier run")
	return cmd
}

// auditFiles lists the files that the hooks write when they run in project.
func auditFiles(project string) ([]string, error) {
	dir, err := filepath.Abs(project)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	place := audit.Here()
	place.WorkDir = dir
	if dir, err = place.Find(); err != nil {
		return nil, err
	}
	return audit.Files(dir)
}

// verifyAudit says what there is to say about one file, and whether it is good.
func verifyAudit(out io.Writer, path, mark string) (ok bool, err error) {
	report, err := audit.Verify(path)
	if err != nil {
		return false, err
	}
	if mark != "" {
		if err := report.Hashes.Check(mark); err != nil {
			report.Problems = append(report.Problems, err.Error())
		}
	}
	verdict := "ok"
	if len(report.Problems) > 0 {
		verdict = "NOT AS IT WAS WRITTEN"
	}
	fmt.Fprintf(out, "%s: %s, mark %s\n", report.Path, verdict, report.Hashes.Mark())
	for _, problem := range report.Problems {
		fmt.Fprintln(out, "  "+problem)
	}
	return len(report.Problems) == 0, nil
}
