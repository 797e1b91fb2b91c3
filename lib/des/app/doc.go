// Package app is what the DES programs do, in terms of the rules of package
// domain and of the ports here: those through which it is driven, and those of
// what it needs from the world. It alone makes audit events (spec 60 §1).
package app
