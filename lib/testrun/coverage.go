package testrun

import (
	"strconv"
	"strings"

	"isdlc-hooks/lib/pattern"
)

// Coverage is how much of the code the tests ran, if the output tells.
type Coverage struct {
	Found   bool
	Percent float64
}

// percentages are the forms in which coverage is told, the most telling first
// (spec 40 §5.9.2). The word must stand in the output for the expression to be
// tried.
var percentages = [...]struct {
	word string
	pattern.Pattern
}{
	{"Statements", pattern.Pattern{Expr: `Statements\s*:\s*(\d+\.?\d*)%`}},
	{"Lines", pattern.Pattern{Expr: `Lines\s*:\s*(\d+\.?\d*)%`}},
	{"% Stmts", pattern.Pattern{Expr: `% Stmts [^\n]*\n[-|\s]*\n?All files\s*\|\s*(\d+\.?\d*)\s*\|`}}, // istanbul's table
	{"(statements)", pattern.Pattern{Expr: `total:\s+\(statements\)\s+(\d+\.?\d*)%`}},                 // go tool cover -func
	{"TOTAL", pattern.Pattern{Expr: `TOTAL(?:[ \t]+\d+){2,}[ \t]+(\d+\.?\d*)%`}},
	{"coverage:", pattern.Pattern{Expr: `coverage:\s*(\d+\.?\d*)%`}},
	{"cover", pattern.Pattern{Expr: `(\d+\.?\d*)%\s*(?:coverage|covered)`}},
}

func coverage(s string) Coverage {
	if strings.IndexByte(s, '%') < 0 {
		return Coverage{}
	}
	for i := range percentages {
		p := &percentages[i]
		if !strings.Contains(s, p.word) {
			continue
		}
		if m := p.Find(s); m != nil {
			f, err := strconv.ParseFloat(strings.TrimSuffix(m[1], "."), 64)
			return Coverage{err == nil, f}
		}
	}
	return Coverage{}
}
