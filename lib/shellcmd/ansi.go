package shellcmd

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ansi resolves the escapes of a text in $'…'.
func ansi(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		if j := strings.IndexByte(`abeEfnrtv\'"?`, s[i]); j >= 0 {
			b = append(b, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[j])
			continue
		}
		var n int
		switch s[i] {
		case 'x':
			b, n = number(b, s[i+1:], 2, 16, false)
			i += n
		case 'u':
			b, n = number(b, s[i+1:], 4, 16, true)
			i += n
		case 'U':
			b, n = number(b, s[i+1:], 8, 16, true)
			i += n
		case '0', '1', '2', '3', '4', '5', '6', '7':
			b, n = number(b, s[i:], 3, 8, false)
			i += n - 1
		case 'c':
			if i++; i < len(s) {
				b = append(b, s[i]&0x1f)
			}
		default:
			b = append(b, '\\', s[i])
		}
	}
	return string(b)
}

// number appends the character whose number s begins with, in at most max
// digits, and gives the count of digits. NUL ends a word in a shell: it is left
// out.
func number(b []byte, s string, max, base int, char bool) ([]byte, int) {
	n := 0
	for n < max && n < len(s) && strings.IndexByte("0123456789abcdefABCDEF"[:digits(base)], s[n]) >= 0 {
		n++
	}
	v, err := strconv.ParseUint(s[:n], base, 32)
	switch {
	case err != nil || v == 0:
	case char:
		b = utf8.AppendRune(b, rune(v))
	default:
		b = append(b, byte(v))
	}
	return b, n
}

func digits(base int) int {
	if base == 8 {
		return 8
	}
	return 22
}
