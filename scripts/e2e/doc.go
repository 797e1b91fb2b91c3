// Package e2e drives the real client through the hooks: Claude Code in print
// mode, in a scratch project, against a scripted model on loopback. It costs no
// key and reaches no network but the package registry, from which the client is
// installed once into the user's cache folder.
//
// Every scenario is played twice, with the hooks installed by the installer and
// with the hooks as a plugin; some also with a plugin that the client fetches for
// itself.
//
//	make e2e                                          every scenario
//	ISDLC_E2E=1 go test ./scripts/e2e -run TestClient/commit -v
//	ISDLC_E2E=1 go test ./scripts/e2e -run TestClient//plugin
//	ISDLC_E2E=record go test ./scripts/e2e            the same, and testdata/sessions is written anew
//	ISDLC_E2E_CLIENT=2.1.330 make e2e                 another release of the client
//
// With -v a scenario prints what the model received. Without ISDLC_E2E only the
// harness itself and the recorded sessions are tested.
package e2e
