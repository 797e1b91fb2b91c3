package faults

import "syscall"

// peak is the most memory that a process had, in bytes. Linux counts kilobytes.
func peak(usage *syscall.Rusage) int64 { return usage.Maxrss * 1024 }
