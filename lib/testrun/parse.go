package testrun

import "strings"

// An item is a number and what it counts.
type item struct {
	n    int
	word string
}

// number reads digits at the beginning of s. Absurd numbers are cut down.
func number(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		if n < 1e8 {
			n = n*10 + int(s[i]-'0')
		}
		i++
	}
	return n, s[i:], i > 0
}

// numbered reads "3 failed, 2 passed": each part a number and words. It is
// ok only if every part is.
func numbered(s, sep string) (list []item, ok bool) {
	for s != "" {
		part, rest, _ := strings.Cut(s, sep)
		n, word, ok := number(strings.TrimSpace(part))
		if !ok || !strings.HasPrefix(word, " ") {
			return nil, false
		}
		list = append(list, item{n, strings.TrimSpace(word)})
		s = rest
	}
	return list, len(list) > 0
}

// keyed reads "Tests: 3, Failures: 1": each part a word, a colon and a number.
func keyed(s, sep string) (list []item, ok bool) {
	for s != "" {
		part, rest, _ := strings.Cut(s, sep)
		word, value, found := strings.Cut(part, ":")
		n, tail, isNumber := number(strings.TrimSpace(value))
		if !found || !isNumber || strings.Trim(tail, " .") != "" {
			return nil, false
		}
		list = append(list, item{n, strings.TrimSpace(word)})
		s = rest
	}
	return list, len(list) > 0
}

// get is the sum of the items that count one of words, unknown where there are
// none.
func get(list []item, words ...string) (c Count) {
	for _, it := range list {
		for _, w := range words {
			if it.word == w {
				c.N += it.n
				c.Known = true
			}
		}
	}
	return c
}

// all tells whether every item counts one of words.
func all(list []item, words ...string) bool {
	for _, it := range list {
		if !get([]item{it}, words...).Known {
			return false
		}
	}
	return true
}

// zero is c, or 0 where it was not printed: for numbers that are left out only
// when they are 0.
func zero(c Count) Count { return Count{c.N, true} }

// less is total without the others; unknown where total is, and never below 0.
func less(total Count, others ...Count) Count {
	for _, o := range others {
		total.N -= o.N
	}
	total.N = max(total.N, 0)
	return total
}

// quantity reads the first number anywhere behind key in s.
func quantity(s, key string) Count {
	_, rest, ok := strings.Cut(s, key)
	if !ok {
		return Count{}
	}
	n, _, ok := number(strings.TrimLeft(rest, " "))
	return Count{n, ok}
}

// listed reads the beginning of an entry in a list of failures: "1) name".
func listed(l string) (name string, ok bool) {
	_, rest, ok := number(strings.TrimSpace(l))
	if !ok || !strings.HasPrefix(rest, ") ") {
		return "", false
	}
	return strings.TrimSpace(rest[2:]), true
}

// unparen takes a trailing part in parentheses off s: "name (3ms)".
func unparen(s string) string {
	if strings.HasSuffix(s, ")") {
		if i := strings.LastIndex(s, " ("); i > 0 {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}

// isDuration tells whether s is a number and a unit of time: "0.12s", "3 ms".
func isDuration(s string) bool {
	i := 0
	for i < len(s) && ('0' <= s[i] && s[i] <= '9' || s[i] == '.' || s[i] == ',') {
		i++
	}
	switch strings.TrimSpace(s[i:]) {
	case "s", "ms", "µs", "us", "ns", "m", "h", "sec", "seconds":
		return i > 0
	}
	return false
}
