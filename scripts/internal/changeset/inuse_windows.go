package changeset

// canReplaceInUse tells whether a file can be renamed over one that is running
// or open. Here it can only be renamed away.
const canReplaceInUse = false
