// Command taskie-stop-hook is run by the client when it wants to stop: it has
// the Taskie plan in work reviewed, or checks that its directory is in order.
package main

import "isdlc-hooks/lib/taskie"

func main() { taskie.Main() }
