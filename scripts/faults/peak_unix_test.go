//go:build unix && !linux

package faults

import "syscall"

// peak is the most memory that a process had, in bytes.
func peak(usage *syscall.Rusage) int64 { return int64(usage.Maxrss) }
