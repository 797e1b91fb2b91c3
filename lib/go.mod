module isdlc-hooks/lib

go 1.26

require (
	github.com/goccy/go-json v0.12.0
	github.com/gofrs/flock v0.13.1
)

require (
	github.com/Masterminds/semver/v3 v3.5.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	gotest.tools/v3 v3.5.2 // indirect
)
