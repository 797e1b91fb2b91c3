package testrun

import "strings"

// readPHPUnit reads phpunit, and the text output of JUnit 4, which looks alike:
// "OK (3 tests, 4 assertions)", or a word and then "Tests: 3, Failures: 1.".
func readPHPUnit(s *sheet, f *finding) {
	failures := false
	for i, l := range s.lines {
		switch {
		case l == "" || len(l) > 1000:
			continue
		case strings.HasPrefix(l, "No tests executed!"):
			f.none = true
		case strings.HasPrefix(l, "There was ") || strings.HasPrefix(l, "There were "):
			failures = strings.HasSuffix(l, "failure:") || strings.HasSuffix(l, "failures:") || strings.HasSuffix(l, "error:") || strings.HasSuffix(l, "errors:")
		case strings.HasPrefix(l, "OK (") && strings.HasSuffix(l, ")"):
			if list, ok := numbered(l[len("OK ("):len(l)-1], ", "); ok && get(list, "test", "tests").Known {
				total := get(list, "test", "tests")
				f.summary(summary{at: i, passed: total, failed: some(0), skipped: Count{Known: get(list, "assertion", "assertions").Known}})
			}
		case strings.HasPrefix(l, "Tests: ") && strings.Contains(l, "Assertions: "):
			list, ok := keyed(strings.TrimSuffix(l, "."), ", ")
			if !ok {
				continue
			}
			failed, skipped := zero(get(list, "Failures", "Errors")), zero(get(list, "Skipped"))
			sum := summary{at: i, passed: less(get(list, "Tests"), failed, skipped, get(list, "Incomplete")), failed: failed, skipped: skipped}
			head := strings.TrimSpace(s.at(i - 1))
			sum.bad = head == "FAILURES!" || head == "ERRORS!"
			f.summary(sum)
		default:
			if name, ok := listed(l); ok && failures && l[0] != ' ' {
				message, _ := s.after(i)
				f.failing = true
				f.failure(i, name, message)
			}
		}
	}
}
