package taskie

import (
	"context"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A tie is a job object that holds a command and all that it starts. The system
// ends the processes in it when the last handle to it is closed, which also
// happens when this process ends, however it does.
//
// A process is put into the job after its start: what it starts itself in the
// first moment escapes.
type tie struct {
	job windows.Handle
}

func tieTo(cmd *exec.Cmd) (*tie, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	t := &tie{job}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		t.end()
		return nil, err
	}
	cmd.Cancel = func() error {
		_ = windows.TerminateJobObject(job, 1)
		return cmd.Process.Kill() // should it not be in the job yet
	}
	return t, nil
}

func (t *tie) started(p *os.Process) error {
	var failed error
	err := p.WithHandle(func(handle uintptr) {
		failed = windows.AssignProcessToJobObject(t.job, windows.Handle(handle))
	})
	if err != nil {
		return err
	}
	return failed
}

func (t *tie) end() { _ = windows.CloseHandle(t.job) }

// keepWatch is false: no process has to watch here.
func keepWatch() bool { return false }

// abandoned never tells: a process here does not learn of the end of its parent.
func abandoned(context.Context) <-chan struct{} { return nil }
