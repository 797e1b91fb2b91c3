module isdlc-hooks/lib

go 1.26.0

require (
	github.com/Masterminds/semver/v3 v3.5.0
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/goccy/go-json v0.12.0
	github.com/goccy/go-yaml v1.19.2
	github.com/gofrs/flock v0.13.1
	golang.org/x/sys v0.47.0
	gotest.tools/v3 v3.5.2
	mvdan.cc/sh/v3 v3.14.1
)

require github.com/google/go-cmp v0.7.0 // indirect
