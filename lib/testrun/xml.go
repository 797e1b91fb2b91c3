package testrun

import "strings"

// readXML reads a JUnit report, which several runners can write instead of their
// own form.
func readXML(s *sheet, f *finding) {
	if !strings.Contains(s.text, "</testsuite") {
		return
	}
	var cases, failed, errors, skipped int
	name, last := "", 0
	for i, l := range s.lines {
		if n := strings.Count(l, "<testcase "); n > 0 {
			cases += n
			name = attribute(l, "name")
		}
		fails, errs := strings.Count(l, "<failure"), strings.Count(l, "<error")
		failed, errors, skipped = failed+fails, errors+errs, skipped+strings.Count(l, "<skipped")
		if fails+errs > 0 {
			_, element, _ := strings.Cut(l, "<failure")
			if fails == 0 {
				_, element, _ = strings.Cut(l, "<error")
			}
			f.failure(i, name, attribute(element, "message"))
		}
		if strings.Contains(l, "</testsuite") {
			last = i
		}
	}
	f.summary(summary{at: last, passed: less(some(cases), some(failed+errors+skipped)), failed: some(failed + errors), skipped: some(skipped)})
}

// attribute is the value of an attribute of the first element in s.
func attribute(s, name string) string {
	_, rest, ok := strings.Cut(s, " "+name+"=\"")
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "\"")
	return strings.NewReplacer("&gt;", ">", "&lt;", "<", "&quot;", "\"", "&apos;", "'", "&#10;", " ", "&amp;", "&").Replace(value)
}
