module isdlc-hooks/dispatchers

go 1.26.0

require isdlc-hooks/lib v0.0.0

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/goccy/go-json v0.12.0 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	golang.org/x/sys v0.47.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace isdlc-hooks/lib => ../lib
