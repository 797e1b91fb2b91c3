//go:build unix

package changeset

// canReplaceInUse tells whether a file can be renamed over one that is running
// or open.
const canReplaceInUse = true
