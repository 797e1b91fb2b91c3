package taskie

// beReviewer is false: the sessions are played where there are signals.
func beReviewer() bool { return false }
