// Package conformance holds one test: every case of testdata/conformance, run
// against the built programs. The format of the cases is described in
// testdata/conformance/README.md.
//
//	go test ./scripts/conformance                                   everything
//	go test ./scripts/conformance -run TestConformance/branch-guard one program
//	go test ./scripts/conformance -form today                       one form of the events
//	go test ./scripts/conformance -complete                         and no program may be missing
//	go test ./scripts/conformance -bench -                          everything, with the summary shown also when all is well
//
// What is checked beyond the cases stands in strict_test.go.
package conformance
