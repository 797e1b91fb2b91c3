package testrun

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestRunners reads summaries of runners that the corpus has no run of.
func TestRunners(t *testing.T) {
	for _, test := range []struct {
		name, command, output string
		verdict               Verdict
		counts                string // passed, failed, skipped, errors; ? for unknown
		failing, message      string
	}{
		{"surefire, several modules", "mvn test", `
[INFO] Running com.x.ATest
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s - in com.x.ATest
[INFO] Results:
[INFO]
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1
[INFO] Running com.x.BTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.02 s <<< FAILURE! - in com.x.BTest
[ERROR] com.x.BTest.adds  Time elapsed: 0.01 s  <<< FAILURE!
[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   BTest.adds:12 expected:<6> but was:<5>
[INFO]
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE`, Failed, "3 1 1 0", "BTest.adds", "BTest.adds: expected:<6> but was:<5>"},
		{"surefire, classes only", "mvn test | grep 'Tests run'", `
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s - in com.x.ATest
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.02 s - in com.x.BTest`, Passed, "4 0 1 0", "", ""},
		{"surefire without tests", "mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", Inconclusive, "? ? ? 0", "", ""},
		{"gradle, failure", "./gradlew test", `
> Task :test FAILED

CalcTest > adds FAILED
    org.opentest4j.AssertionFailedError: expected: <6> but was: <5>
        at CalcTest.java:9

5 tests completed, 1 failed, 1 skipped

FAILURE: Build failed with an exception.
BUILD FAILED in 2s`, Failed, "3 1 1 0", "adds", "org.opentest4j.AssertionFailedError: expected: <6> but was: <5>"},
		{"gradle, success", "gradle test", "> Task :compileTestJava\n> Task :test\n\nBUILD SUCCESSFUL in 1s\n3 actionable tasks: 1 executed", Passed, "? 0 ? 0", "", ""},
		{"gradle, no source", "gradle test", "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s", Inconclusive, "? ? ? 0", "", ""},
		{"dotnet, two assemblies", "dotnet test", `
Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 20 ms - A.Tests.dll (net8.0)
  Failed App.Tests.Calc.Adds [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Failed!  - Failed:     2, Passed:     3, Skipped:     0, Total:     5, Duration: 31 ms - B.Tests.dll (net8.0)`, Failed, "8 2 1 0", "App.Tests.Calc.Adds", "Assert.Equal() Failure: Values differ"},
		{"dotnet, older", "dotnet test", "Test Run Successful.\nTotal tests: 6\n     Passed: 5\n    Skipped: 1\n Total time: 1.2 Seconds", Passed, "5 0 1 0", "", ""},
		{"dotnet, newer terminal", "dotnet test", "Test summary: total: 6, failed: 1, succeeded: 4, skipped: 1, duration: 1.2s", Failed, "4 1 1 0", "", ""},
		{"cypress", "npx cypress run", `
  Running:  a.cy.js                                      (1 of 2)
  2 passing (1s)
  Running:  b.cy.js                                      (2 of 2)
  1 passing (1s)
  1 failing

  1) page
       logs in:
     AssertionError: Timed out retrying after 4000ms: expected to find element

     Spec                                              Tests  Passing  Failing  Pending  Skipped
  │ ✔  a.cy.js                                  00:01        2        2        -        -        - │
  │ ✖  b.cy.js                                  00:02        2        1        1        -        - │
    ✖  1 of 2 failed (50%)                      00:03        4        3        1        -        -`, Failed, "3 1 0 0", "logs in", "AssertionError: Timed out retrying after 4000ms: expected to find element"},
		{"cypress, all well", "npx cypress run", "  3 passing (1s)\n    ✔  All specs passed!                        00:03        5        3        -        2        -", Passed, "3 0 2 0", "", ""},
		{"playwright", "npx playwright test", `
Running 6 tests using 2 workers

  ✓  1 a.spec.ts:3:5 › home (1.1s)
  1) [chromium] › a.spec.ts:9:5 › logs in ───────

    Error: expect(locator).toBeVisible() failed

  1 failed
    [chromium] › a.spec.ts:9:5 › logs in ───────
  1 flaky
    [chromium] › a.spec.ts:19:5 › sometimes ───────
  1 skipped
  3 passed (2.1s)`, Failed, "4 1 1 0", "logs in", "Error: expect(locator).toBeVisible() failed"},
		{"playwright, all well", "npx playwright test", "Running 3 tests using 1 worker\n···\n  3 passed (2.1s)", Passed, "3 0 0 0", "", ""},
		{"nextest", "cargo nextest run", `
        PASS [   0.004s] app tests::subs
        FAIL [   0.005s] app tests::adds
     Summary [   0.012s] 3 tests run: 2 passed (1 slow), 1 failed, 1 skipped
        FAIL [   0.005s] app tests::adds
error: test run failed`, Failed, "2 1 1 0", "tests::adds", ""},
		{"deno", "deno test", "running 3 tests from ./a.ts\nok | 3 passed (2 steps) | 0 failed | 1 ignored (12ms)", Passed, "3 0 1 0", "", ""},
		{"deno, failure", "deno test", "FAILURES\n\nadds => ./a.ts:1:6\n\nFAILED | 2 passed | 1 failed (12ms)", Failed, "2 1 0 0", "adds", ""},
		{"bun", "bun test", "a.test.ts:\n(pass) subs [0.10ms]\n(fail) adds [0.21ms]\n\n 1 pass\n 1 skip\n 1 fail\n 2 expect() calls\nRan 3 tests across 1 file. [10.00ms]", Failed, "1 1 1 0", "adds", ""},
		{"pest", "vendor/bin/pest", "   FAIL  Tests\\Unit\\CalcTest\n  ⨯ adds\n  Tests:    1 failed, 1 skipped, 3 passed (5 assertions)\n  Duration: 0.05s", Failed, "3 1 1 0", "", ""},
		{"phpunit with issues", "phpunit", "OK, but there were issues!\nTests: 3, Assertions: 3, Warnings: 1, Skipped: 1.", Passed, "2 0 1 0", "", ""},
		{"ExUnit", "mix test", "....\nFinished in 0.04 seconds\n2 doctests, 5 tests, 1 failure, 1 excluded", Failed, "6 1 0 0", "", ""},
		{"test-unit", "rake test", "3 tests, 2 assertions, 1 failures, 0 errors, 0 pendings, 1 omissions, 0 notifications\n66.6% passed", Failed, "1 1 1 0", "", ""},
		{"JUnit 5 launcher", "java -jar junit-platform-console.jar", "[         4 tests found           ]\n[         1 tests skipped         ]\n[         2 tests successful      ]\n[         1 tests failed          ]", Failed, "2 1 1 0", "", ""},
		{"mocha as JSON", "npx mocha -R json", "{\n  \"stats\": {\n    \"suites\": 1,\n    \"tests\": 4,\n    \"passes\": 2,\n    \"pending\": 1,\n    \"failures\": 1,", Failed, "2 1 1 0", "", ""},
		{"django", "python manage.py test", "Found 2 test(s).\n..\n----------\nRan 2 tests in 0.003s\n\nOK\nDestroying test database", Passed, "2 0 0 0", "", ""},
		{"turbo, interleaved", "npx turbo run test", "web:test: Test Suites: 1 passed, 1 total\napi:test: Test Suites: 1 failed, 1 total\nweb:test: Tests:       2 passed, 2 total\napi:test: Tests:       1 failed, 1 passed, 2 total", Failed, "3 1 0 0", "", ""},
		{"pnpm in all packages", "pnpm -r test", "packages/a test$ jest\npackages/a test: Tests:       2 passed, 2 total\npackages/b test: Tests:       3 passed, 3 total", Passed, "5 0 0 0", "", ""},
		{"tried again", "for i in 1 2; do npx mocha && break; done", "  1 passing (3ms)\n  1 failing\n\n  2 passing (3ms)\n", Passed, "2 0 0 0", "", ""},
		{"one after the other", "for d in a b; do (cd $d && npx mocha); done", "  1 passing (3ms)\n  1 failing\n\n  2 passing (3ms)\n", Failed, "3 1 0 0", "", ""},
		{"vitest as nested TAP", "npx vitest run --reporter=tap", "TAP version 13\n1..1\nnot ok 1 - calc.test.mjs # time=5.62ms {\n    1..3\n    not ok 1 - adds # time=4.16ms\n        ---\n        error:\n            message: \"expected 5 to be 6\"\n        ...\n    ok 2 - subs # time=0.18ms\n    ok 3 - later # SKIP\n}",
			Failed, "1 1 1 0", "adds", "adds: expected 5 to be 6"},
		{"a JUnit report", "npx mocha -R xunit", "2 failing\n<testsuite name=\"Mocha\" tests=\"3\" failures=\"1\" errors=\"0\">\n<testcase name=\"a &gt; adds\"><failure>AssertionError</failure></testcase>\n<testcase name=\"b\"/>\n<testcase name=\"c\"><skipped/></testcase>\n</testsuite>",
			Failed, "1 1 1 0", "a > adds", ""},
		{"a search that shows failures too", "npx mocha 2>&1 | grep -iE \"pass|fail\"", "  4 passing (5ms)", Passed, "4 0 ? 0", "", ""},
		{"a search that does not", "go test ./... | grep ^ok", "ok  \tx/a\t0.1s", Inconclusive, "? 0 ? 0", "", ""},
		{"the end of several packages", "npm test --workspaces 2>&1 | tail -4", "> c@1.0.0 test\n> jest\n\nTests:       2 passed, 2 total", Inconclusive, "2 0 0 0", "", ""},
		{"a suite that does not load", "npx jest", "FAIL ./x.test.js\n  ● Test suite failed to run\n\n    Cannot find module './nosuch' from 'x.test.js'\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total",
			Failed, "3 ? 0 1", "", "Cannot find module './nosuch' from 'x.test.js'"},
		{"coverage.py", "coverage run -m pytest; coverage report --fail-under=90", "5 passed in 0.02s\nTOTAL      8      1    88%\nCoverage failure: total of 88 is less than fail-under=90", Failed, "5 0 0 0", "", "Coverage failure: total of 88 is less than fail-under=90"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Read(Run{Command: test.command, Output: test.output})
			assert.Equal(t, got.Verdict, test.verdict, "%+v", got)
			assert.Equal(t, fmt.Sprintf("%s %s %s %d", told1(got.Passed), told1(got.Failed), told1(got.Skipped), got.Errors), test.counts)
			if test.failing != "" {
				assert.Assert(t, len(got.Failing) > 0 && got.Failing[0] == test.failing, "%q", got.Failing)
			}
			if test.message != "" {
				assert.Equal(t, got.Error, test.message)
			}
		})
	}
}

func told1(c Count) string {
	if !c.Known {
		return "?"
	}
	return fmt.Sprint(c.N)
}

// TestExitCode: a summary with failures fails whatever the exit code, one without
// fails where the exit code says so (spec 05 E.2).
func TestExitCode(t *testing.T) {
	const (
		green  = "Tests:       2 passed, 2 total"
		red    = "Tests:       1 failed, 1 passed, 2 total"
		silent = "building\nready"
	)
	for _, test := range []struct {
		output   string
		exit     Exit
		verdict  Verdict
		failures int
	}{
		{green, Code(0), Passed, 0},
		{green, Exit{}, Passed, 0},
		{green, Code(1), Failed, 0},
		{green, Exit{true, `"0"`}, Failed, 0},
		{red, Code(0), Failed, 1},
		{red, Exit{}, Failed, 1},
		{silent, Code(0), Passed, 0},
		{silent, Code(2), Failed, 0},
		{silent, Exit{}, Inconclusive, 0},
		{"", Code(0), Passed, 0},
		{"", Code(1), Failed, 0},
		{"", Exit{}, Failed, 0},
		{"No tests found, exiting with code 0", Code(0), Inconclusive, 0},
		{"No tests found, exiting with code 1", Code(1), Failed, 0},
		{"TypeError: x is not a function", Code(0), Failed, 1},
		{"TypeError: x is not a function", Code(1), Failed, 1},
	} {
		got := Read(Run{Command: "npm test", Output: test.output, Exit: test.exit})
		assert.Check(t, got.Verdict == test.verdict && got.Failures == test.failures, "%q, exit %v: %+v", test.output, test.exit, got)
		assert.Check(t, (got.Error == "") == (got.Verdict == Passed), "%q, exit %v: %+v", test.output, test.exit, got)
	}
}

// TestStatus: what the exit code of a command says of the tests in it.
func TestStatus(t *testing.T) {
	isTest := func(simple string) bool { return strings.Contains(simple, "TEST") }
	for _, test := range []struct {
		command      string
		zero, failed bool // whether exit code 0, and another one, are those of the tests
	}{
		{"TEST", true, true},
		{"TEST; ", true, true},
		{"cd x && TEST", true, true},
		{"(cd x && TEST)", true, true},
		{"{ TEST; }", true, true},
		{"TEST && echo ok", true, true},
		{"TEST || true", false, true},
		{"TEST || exit 1", false, true},
		{"TEST | tail -5", false, false},
		{"TEST 2>&1 | tee log", false, false},
		{"set -o pipefail; TEST | tail -5", true, true},
		{"TEST | tee log; exit ${PIPESTATUS[0]}", true, true},
		{"TEST; echo done", false, false},
		{"TEST\necho done", false, false},
		{"TEST &", false, false},
		{"(TEST > log &)", false, false},
		{"TEST &> log", true, true},
		{"TEST > log 2>&1", true, true},
		{"if TEST; then echo yes; else echo no; fi", false, false},
		{"! TEST", false, false},
		{"X=$(TEST)", false, false},
		{"X=`TEST`", false, false},
		{"for d in a b; do (cd $d && TEST); done", true, true},
		{"TEST a; TEST b", false, true},
		{"TEST a && TEST b", true, true},
		{"bash -c 'TEST | tail'", false, false},
		{"bash -c TEST", true, true},
		{`TEST -t "a | b; c"`, true, true},
		{`TEST -t 'a && b' || true`, false, true},
		{`TEST -t a\|b`, true, true},
		{"echo nothing", true, true},
	} {
		assert.Check(t, Status(test.command, 0, isTest).OK() == test.zero, "%s: 0", test.command)
		assert.Check(t, Status(test.command, 1, isTest).Bad() == test.failed, "%s: 1", test.command)
	}
}

// TestSame: what differs between two errors that are the same failure, and what
// does not (spec 40 §5.7.3, spec 05 E.3).
func TestSame(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"Error: on 2026-02-11T10:30:00.5Z boom", "Error: on 2026-02-12T11:00:01 boom", true},
		{"Error: on 2026-02-11 boom", "Error: on 2026-02-12 boom", false},
		{"x at f (a.js:1:2) y", "x at g (b.js:3:4) y", true},
		{"object at 0x7f0663cf16d0 died", "object at 0xABCD died", true},
		{"--- FAIL: TestAdd (0.00s)", "--- FAIL: TestAdd (1.32s)", true},
		{"timeout of 2000ms exceeded", "timeout of 2001 ms exceeded", true},
		{"calc_test.go:7: got 5", "calc_test.go:12: got 5", true},
		{"calc_test.go:7: got 5", "calc_test.go:7: got 6", false},
		{"a.py, line 12: bad", "a.py, line 14: bad", true},
		{"no such file: /tmp/x.81/a", "no such file: /tmp/x.93/a", true},
		{"no such file: /home/a", "no such file: /home/b", false},
		{"thread 'adds' (4731) panicked", "thread 'adds' (4802) panicked", true},
		{"worker pid 4731 died", "worker pid 99 died", true},
		{"(node:4731) Warning: x", "(node:88) Warning: x", true},
		{"Error: want 1", "Error: want 2", false},
		{"Error: Login", "Error: login", false},
		{"a  b\tc", " a b c ", true},
		{noErrorLine, noErrorLine, false},
		{noOutput, noOutput, false},
		{exitCodeText + "1.", exitCodeText + "1.", true},
		{exitCodeText + "1.", exitCodeText + "2.", false},
	} {
		assert.Check(t, Same(test.a, test.b) == test.same, "%q and %q", test.a, test.b)
	}
}

func TestPlain(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"\x1b[1m\x1b[31mred\x1b[39m\x1b[22m!", "red!"},
		{"\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"},
		{"\x1b(B\x1b[mok", "ok"},
		{"1 of 3\r2 of 3\r3 of 3\nend\r\n", "3 of 3\nend\n"},
		{"\x1b[1G   adds\x1b[K\x1b[77G1/3\x1b[2G\x1b[1G ✗ adds\x1b[K\n", " ✗ adds\n"},
		{"\x1b[", ""},
		{"end\x1b", "end"},
	} {
		assert.Check(t, plain(test.in) == test.want, "%q gives %q", test.in, plain(test.in))
	}
}

func TestCoverage(t *testing.T) {
	for _, test := range []struct {
		output string
		want   Coverage
	}{
		{"Lines : 10%\nStatements : 95.5%", Coverage{true, 95.5}},
		{"File | % Stmts | % Branch | % Funcs | % Lines |\n-----|---------|---|---|---|\nAll files | 40.1 | 50 | 60 | 70 |", Coverage{true, 40.1}},
		{"All files | 40.1 | 50 | 60 |", Coverage{}},
		{"TOTAL      8      1      4      2    83.3%", Coverage{true, 83.3}},
		{"ok pkg 0.1s coverage: 82.5% of statements\ntotal:\t(statements)\t75.0%", Coverage{true, 75}},
		{"82.35% coverage, 14/17 lines covered", Coverage{true, 82.35}},
		{"lines : 40%", Coverage{}},
		{"100% tests passed", Coverage{}},
	} {
		assert.Check(t, coverage(test.output) == test.want, "%q gives %+v", test.output, coverage(test.output))
	}
}

// BenchmarkLong reads output of kinds that a reader could be slow on, at two
// lengths: the throughput must be about the same.
func BenchmarkLong(b *testing.B) {
	for name, unit := range map[string]string{
		"lines of dots":   "........................................\n",
		"one line":        "fail 1 pass at ( tests: ",
		"numbers":         "1 ",
		"escapes":         "\x1b[31m\x1b]",
		"returns":         "ab\r",
		"first columns":   " \x1b[1G",
		"jest":            "Tests:       1 failed, 1 passed, 2 total\n",
		"mocha":           "  1 passing (3ms)\n  1 failing\n\n  1) a\n       b:\n",
		"open lists":      "  1 failing\n  1) a\n",
		"tap":             "not ok 1 - a # SKIP\n1..1\n",
		"tap in a row":    "# tests 1\n# pass 1\n",
		"tracebacks":      "=====\nFAIL: a (b)\nTraceback\n",
		"go":              "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:1: x\n",
		"go events":       `{"Action":"output","Package":"p","Output":"x\n"}` + "\n",
		"panics":          "thread 'a' panicked at src/lib.rs:1:2:\n",
		"failures":        "failures:\n    a\n",
		"prefixed":        "web:test: x\n",
		"uvu":             "Total: 1\n",
		"bun":             "1 pass\nRan 1 tests across 1 file.\n",
		"coverage":        "All files | % Stmts TOTAL 1 1 % coverage: Lines Statements ",
		"white space":     " \t",
		"skipped":         "○ skipped tests: ",
		"multi-byte runs": "✖ ﹣ ● ",
	} {
		for _, size := range []int{64 << 10, 1 << 20} {
			text := strings.Repeat(unit, size/len(unit))
			b.Run(fmt.Sprintf("%s/%dk", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Read(Run{Command: "npm test", Output: text})
					Skips(text)
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, r := range readCorpus(b) {
		if r.ID == "go-fail2-v" || r.ID == "jest-long-fail" {
			run := r.run()
			b.Run(r.ID, func(b *testing.B) {
				b.SetBytes(int64(len(run.Output)))
				for b.Loop() {
					Read(run)
				}
			})
		}
	}
}

func FuzzRead(f *testing.F) {
	for i, r := range readCorpus(f) {
		if i%9 == 0 {
			f.Add(r.Command, r.Stdout+r.Stderr, r.Exit, true)
		}
	}
	f.Fuzz(func(t *testing.T, command, output string, code int, known bool) {
		exit := Status(command, code, notEveryday)
		exit.Known = exit.Known && known
		run := Run{Command: command, Output: output, Exit: exit}
		got := Read(run)
		switch got.Verdict {
		case Passed:
			if run.Exit.Bad() || got.Failed.N > 0 || got.Errors > 0 || got.Error != "" {
				t.Errorf("a pass that is none: %+v", got)
			}
		case Failed, Inconclusive:
			if got.Error == "" {
				t.Errorf("no error: %+v", got)
			}
			Normalise(got.Error)
		default:
			t.Errorf("no verdict: %+v", got)
		}
		if got.Passed.N < 0 || got.Failed.N < 0 || got.Skipped.N < 0 || got.Failures < 0 {
			t.Errorf("a count below 0: %+v", got)
		}
		if _, names := Skips(output); len(names) > 2*(1+strings.Count(output, "\n")) {
			t.Errorf("%d names", len(names))
		}
	})
}
