package domain

// A Kind is the type of a [Value].
type Kind int

// The kinds of values that the rules tell apart. The zero Kind is that of a
// value that was not given.
const (
	Absent Kind = iota
	Null
	Number
	String
	Other
)

// A Value is what a caller gave where the rules want a certain type.
type Value struct {
	Kind Kind
	Text string // a number as it was written; the text of a String
	JSON string // as it was written, for the record; "" when Absent
}

// Text is what a caller gave where the rules want a text; the zero Text is that
// of one who gave nothing.
type Text struct {
	Value string
	Wrong bool // something else was given
}
