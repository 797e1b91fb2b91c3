package main

import (
	"os"
	"syscall"
)

// peak is the largest resident size that a process had, in bytes.
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
