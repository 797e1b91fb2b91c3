//go:build unix

package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// With this variable the test program runs the program that its arguments name,
// and writes to the file that the variable names how much memory that had. A
// process is charged with what its parent had when it was started, so a small
// one has to start it.
const measureVariable = "ISDLC_FAULTS_MEASURE"

func measure(path string) {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		panic(err)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	check(os.WriteFile(path, fmt.Append(nil, peak(usage)), 0o644))
	os.Exit(cmd.ProcessState.ExitCode())
}

// measured is do with the memory of the program alone.
func measured(t *testing.T, p *hooktest.Project, c call) run {
	t.Helper()
	self, err := os.Executable()
	assert.NilError(t, err)
	file := p.Home + "/memory"
	c.wrap = []string{self}
	c.env = append(c.env, measureVariable+"="+file, "GORACE=atexit_sleep_ms=0")
	r := do(t, p, c)
	data, err := os.ReadFile(file)
	assert.NilError(t, err)
	_, err = fmt.Sscan(string(data), &r.rss)
	assert.NilError(t, err)
	return r
}
