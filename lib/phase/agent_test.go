package phase

import (
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/ordered"
)

func TestOwner(t *testing.T) {
	manifest, err := ordered.Parse([]byte(`{"ownership":{
		"sdlc-orchestrator":{"phase":"all"}, "broken":null, "numbered":{"phase":12},
		"finder":{"phase":"02-impact-analysis"}, "impact-analysis-orchestrator":{"phase":"02-impact-analysis"},
		"builder":{"phase":["11-local-testing","12-remote-build"]}, "deployer":{"phase":"13-test-deploy"}}}`))
	assert.NilError(t, err)
	for key, want := range map[string]string{
		"02-impact-analysis": "finder",
		"12-remote-build":    "builder",
		"12-test-deploy":     "deployer",
		"15-upgrade-execute": "",
		"12":                 "",
	} {
		assert.Equal(t, Owner(manifest, key), want, key)
	}
	assert.Equal(t, Owner(nil, "06-implementation"), "")
}

func TestResolve(t *testing.T) {
	key, notice := Resolve("13-test-deploy")
	assert.Equal(t, key, "12-test-deploy")
	assert.Equal(t, notice, "phase key 13-test-deploy is an older name of 12-test-deploy, which is used instead")
	key, notice = Resolve("13-production")
	assert.Equal(t, key+notice, "13-production")
}
