package validate

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/text"
)

// Less is the comparison x < y of values whose types nobody has checked: two
// texts by their UTF-16 code units, everything else as numbers. What cannot be
// read as a number is never less (spec 50 §0.4).
func Less(x, y *ordered.Value) bool {
	if x.Kind() == ordered.String && y.Kind() == ordered.String {
		return slices.CompareFunc(utf16.Encode([]rune(x.Text())), utf16.Encode([]rune(y.Text())), cmp.Compare[uint16]) < 0
	}
	return number(x) < number(y)
}

// belowOne tells whether a count that has to be at least 1 is not.
func belowOne(v *ordered.Value) bool { return number(v) < 1 }

// number reads a value of any type as a number, NaN where it is none.
func number(v *ordered.Value) float64 {
	switch v.Kind() {
	case ordered.Number:
		f, _ := v.Float()
		return f
	case ordered.Bool:
		if v.IsTrue() {
			return 1
		}
		return 0
	case ordered.Missing, ordered.Null:
		return 0
	case ordered.String:
		return parseNumber(text.Trim(v.Text()))
	case ordered.Array:
		return parseNumber(text.Trim(joined(v)))
	default:
		return math.NaN()
	}
}

// joined is the text of a list: its items with commas between them.
func joined(list *ordered.Value) string {
	var parts []string
	for _, item := range list.Items() {
		switch item.Kind() {
		case ordered.Null:
			parts = append(parts, "")
		case ordered.String:
			parts = append(parts, item.Text())
		case ordered.Array:
			parts = append(parts, joined(item))
		default:
			parts = append(parts, string(item.Compact()))
		}
	}
	return strings.Join(parts, ",")
}

// parseNumber reads a decimal number, with an exponent or without, or a
// hexadecimal one; nothing is 0.
func parseNumber(s string) float64 {
	if s == "" {
		return 0
	}
	if digits, ok := cutHexPrefix(s); ok {
		if digits == "" || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
			return math.NaN()
		}
		s = "0x" + digits + "p0"
	} else if strings.Trim(s, "0123456789.eE+-") != "" {
		return math.NaN() // what strconv reads beyond JSON: underscores, inf, nan
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

func cutHexPrefix(s string) (string, bool) {
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		return digits, true
	}
	return strings.CutPrefix(s, "0X")
}
