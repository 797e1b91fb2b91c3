package testrun

import "strings"

// readRSpec reads rspec: "3 examples, 1 failure, 1 pending", the failures before
// it and the list of them after it.
func readRSpec(s *sheet, f *finding) {
	failures := false
	for i, l := range s.lines {
		switch {
		case l == "Failures:":
			failures = true
			continue
		case failures && strings.HasPrefix(l, "Finished in "):
			failures = false
			continue
		case l == "No examples found.":
			f.none = true
			continue
		case strings.HasPrefix(l, "rspec ./") || strings.HasPrefix(l, "rspec '"):
			if _, name, ok := strings.Cut(l, " # "); ok {
				f.failing = true
				f.failure(i, name, "")
			}
			continue
		}
		if name, ok := listed(l); ok && failures {
			message, _ := s.after(i)
			f.failure(i, name, message)
			continue
		}
		list, ok := numbered(l, ", ")
		failed := get(list, "failure", "failures")
		if !ok || !failed.Known || !get(list, "example", "examples").Known {
			continue
		}
		pending := zero(get(list, "pending"))
		f.summary(summary{at: i, passed: less(get(list, "example", "examples"), failed, pending), failed: failed, skipped: pending,
			errors: get(list, "error occurred outside of examples", "errors occurred outside of examples").N})
	}
}

// readMinitest reads minitest ("3 runs, 2 assertions, 1 failures, 0 errors, 1
// skips") and test-unit ("3 tests, … 0 pendings, 1 omissions, 0 notifications").
func readMinitest(s *sheet, f *finding) {
	for i, l := range s.lines {
		if kind, ok := listed(l); ok && (kind == "Failure:" || kind == "Error:") || l == "Failure:" || l == "Error:" {
			f.failing = true
			name, at := s.after(i)
			message, _ := s.after(at)
			if cut := strings.IndexAny(name, " ["); cut > 0 {
				name = name[:cut]
			}
			f.failure(i, strings.TrimSuffix(name, ":"), message)
			continue
		}
		list, ok := numbered(l, ", ")
		if !ok || !get(list, "assertions").Known || !get(list, "failures").Known {
			continue
		}
		failed := get(list, "failures", "errors")
		skipped := zero(get(list, "skips", "pendings", "omissions"))
		f.summary(summary{at: i, passed: less(get(list, "runs", "tests"), failed, skipped), failed: failed, skipped: skipped})
	}
}
