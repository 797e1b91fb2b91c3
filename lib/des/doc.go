// Package des is the Deterministic Execution System: two programs that watch over
// sub-agents which work through the seven phases of test-driven development
// (spec 60). des-pre-tool-use lets one start only within bounds and with a
// complete prompt; des-subagent-stop lets it stop only when its step is done.
// Both keep a record of every decision, and block what they cannot judge.
//
// It is built of ports and adapters; what is imported points inwards only:
//
//	hooks/des-…   the mains: put the parts together
//	adapters/     standard input and output, YAML, JSON lines, git, the clock
//	app/          the two services, and the ports they need and are driven by
//	domain/       the rules: nothing but values in, values out
//
// This package holds no code, only the tests of the structure and of the
// programs.
package des
