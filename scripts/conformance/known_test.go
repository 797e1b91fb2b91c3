package conformance

// known are cases that fail and why, by "<case id> <form>". They are listed in the
// summary. One that passes is an error: the entry has to go.
var known = map[string]string{}
