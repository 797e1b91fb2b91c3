package testrun

// A runner reads the output of one kind of test runner.
type runner struct {
	name  string
	words []string // in a command that calls it directly
	read  func(*sheet, *finding)

	// over are runners that print their own summaries inside the output of
	// this one: where this one has a summary, theirs do not count.
	over []string
}

// runners are all that are known. Those that read the most particular forms
// come first.
var runners = []runner{
	{"gotestsum", []string{"gotestsum"}, readGotestsum, []string{"go"}},
	{"go", []string{"go"}, readGo, nil},
	{"jest", []string{"jest", "pest"}, readJest, nil},
	{"vitest", []string{"vitest"}, readVitest, nil},
	{"cypress", []string{"cypress"}, readCypress, []string{"mocha"}},
	{"playwright", []string{"playwright"}, readPlaywright, nil},
	{"mocha", []string{"mocha", "nyc", "c8"}, readMocha, nil},
	{"jasmine", []string{"jasmine"}, readJasmine, nil},
	{"ava", []string{"ava"}, readAva, nil},
	{"uvu", []string{"uvu", "tap-spec"}, readTotals, nil},
	{"prove", []string{"prove"}, readProve, []string{"tap", "tap-comments"}},
	{"bats", []string{"bats"}, readBats, []string{"tap"}},
	{"tap-comments", []string{"node", "tape", "tap", "ava", "mocha"}, readTAPComments, []string{"tap"}},
	{"tap", []string{"node", "tape", "tap", "ava", "mocha", "bats", "vitest", "perl"}, readTAP, nil},
	{"pytest", []string{"pytest", "py.test"}, readPytest, nil},
	{"unittest", []string{"unittest"}, readUnittest, nil},
	{"cargo", []string{"cargo"}, readCargo, nil},
	{"rspec", []string{"rspec"}, readRSpec, nil},
	{"minitest", []string{"rake", "ruby", "rails"}, readMinitest, nil},
	{"phpunit", []string{"phpunit", "paratest"}, readPHPUnit, nil},
	{"maven", []string{"mvn", "mvnw", "ant", "java"}, readMaven, nil},
	{"gradle", []string{"gradle", "gradlew"}, readGradle, nil},
	{"dotnet", []string{"dotnet"}, readDotnet, nil},
	{"ctest", []string{"ctest"}, readCTest, nil},
	{"deno", []string{"deno"}, readDeno, nil},
	{"bun", []string{"bun"}, readBun, nil},
	{"xml", nil, readXML, nil},
	{"checks", nil, readChecks, nil},
	{"plain", nil, readPlain, nil},
}
