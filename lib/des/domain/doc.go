// Package domain holds the rules of the Deterministic Execution System: what a
// sub-agent that follows the seven-phase cycle must be given, and what it must
// have left behind when it stops (spec 60 §3 to §5). It reads no file, asks no
// clock and knows no format but that of a prompt and of one event line.
package domain
