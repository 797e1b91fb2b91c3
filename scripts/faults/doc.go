// Package faults holds no code, only tests: what the programs do when the world
// around them misbehaves. They run as processes, as the client runs them, while
// other writers come in between, while they are killed, on disks that are full,
// on hostile events, states, repositories and environments.
//
// With ISDLC_FAULTS=full in the environment (make faults) the tests that count
// something run as often as the figures in the README say; without it a small
// part of that.
package faults
