package des

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// A file is one file of the DES code, tests left out.
type file struct {
	layer string // domain, app, an adapter as adapters/driver, or main
	name  string
	tree  *ast.File
}

func sources(t *testing.T) []file {
	t.Helper()
	var files []file
	fset := token.NewFileSet()
	for _, root := range []string{".", filepath.Join(hooktest.Root(t), "hooks")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			layer := filepath.ToSlash(filepath.Dir(path))
			if root != "." {
				if !strings.HasPrefix(filepath.Base(layer), "des-") {
					return nil
				}
				layer = "main"
			}
			tree, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			files = append(files, file{layer, filepath.ToSlash(path), tree})
			return err
		})
		assert.NilError(t, err)
	}
	return files
}

func (f file) imports() (paths []string) {
	for _, spec := range f.tree.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

const ours = "isdlc-hooks/lib/des/"

// Dependencies point inwards: violations 2 and 4 of the redesign, ADR-4, ADR-5.
func TestImportsPointInwards(t *testing.T) {
	pure := []string{"errors", "path", "slices", "strconv", "strings", "time", "unicode", "unicode/utf8"}
	layers := map[string]bool{}
	for _, f := range sources(t) {
		layers[f.layer] = true
		for _, path := range f.imports() {
			inner, isOurs := strings.CutPrefix(path, ours)
			ok := true
			switch {
			case f.layer == "domain":
				ok = slices.Contains(pure, path) && path != "time"
			case f.layer == "app":
				ok = slices.Contains(pure, path) || inner == "domain" && isOurs
			case strings.HasPrefix(f.layer, "adapters/") && isOurs:
				ok = inner == "app" || inner == "domain"
			}
			assert.Check(t, ok, "%s imports %s", f.name, path)
		}
	}
	for _, layer := range []string{"domain", "app", "adapters/driver", "adapters/audit", "adapters/execlog", "adapters/transcript", "adapters/scope", "adapters/clock", "main"} {
		assert.Check(t, layers[layer], "there is no %s", layer)
	}
}

// The mains put parts together; they judge nothing (ADR-4).
func TestMainsOnlyWire(t *testing.T) {
	for _, f := range sources(t) {
		if f.layer != "main" {
			continue
		}
		assert.Check(t, len(f.tree.Decls) == 2, "%s has more than its imports and main", f.name)
		ast.Inspect(f.tree, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.FuncLit:
				assert.Check(t, false, "%s does more than to put parts together", f.name)
			}
			return true
		})
	}
}

// The services alone make audit events and name them (violation 3, ADR-1).
func TestServicesAloneMakeAuditEvents(t *testing.T) {
	made := 0
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && strings.HasSuffix(typeName(lit.Type), "AuditEvent") {
				made++
				assert.Check(t, f.layer == "app", "%s makes an audit event", f.name)
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				event := strings.HasPrefix(text, "HOOK_PRE_TOOL_USE_") || strings.HasPrefix(text, "HOOK_SUBAGENT_STOP_") || text == "SCOPE_VIOLATION"
				assert.Check(t, !event || f.layer == "app", "%s names an audit event", f.name)
			}
			return true
		})
	}
	assert.Check(t, made > 0)
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// There is one implementation of step completion (violation 1, ADR-2), and none
// of the step files of schema 1 (ADR-6): each code, phase and status is written
// down once.
func TestRulesAreWrittenDownOnce(t *testing.T) {
	places := map[string][]string{}
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				places[text] = append(places[text], f.name)
				assert.Check(t, !strings.Contains(text, "phase_execution_log"), "%s knows step files", f.name)
			}
			return true
		})
	}
	for _, text := range []string{
		"LOG_FILE_NOT_FOUND", "LOG_FILE_CORRUPTED", "PROJECT_ID_MISMATCH", "SILENT_COMPLETION", "ABANDONED_PHASE",
		"INCOMPLETE_PHASE", "INVALID_SKIP", "MULTIPLE_ERRORS", "MISSING_MAX_TURNS", "INVALID_MAX_TURNS",
		"PREPARE", "RED_ACCEPTANCE", "RED_UNIT", "GREEN", "REVIEW", "REFACTOR_CONTINUOUS",
		"NOT_EXECUTED", "IN_PROGRESS", "EXECUTED", "SKIPPED", "DEFERRED:",
	} {
		assert.Check(t, len(places[text]) == 1, "%s is written down in %v", text, places[text])
		for _, name := range places[text] {
			assert.Check(t, strings.HasPrefix(name, "domain/"), "%s is written down in %s", text, name)
		}
	}
}

// There are two driver ports, each of one typed method, and none for all hooks
// (violations 5 and 6, ADR-3).
func TestDriverPorts(t *testing.T) {
	ports := map[string]string{}
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if i, ok := spec.Type.(*ast.InterfaceType); ok && strings.HasSuffix(spec.Name.Name, "Port") {
				assert.Equal(t, len(i.Methods.List), 1)
				method := i.Methods.List[0]
				signature := method.Type.(*ast.FuncType)
				assert.Equal(t, len(signature.Params.List), 1)
				ports[spec.Name.Name] = method.Names[0].Name + " " + typeName(signature.Params.List[0].Type) + " " + typeName(signature.Results.List[0].Type)
			}
			return true
		})
	}
	assert.DeepEqual(t, ports, map[string]string{
		"PreToolUsePort":   "Validate PreToolUseInput HookDecision",
		"SubagentStopPort": "Validate SubagentStopInput HookDecision",
	})
}

// Nothing makes its own dependencies: no clock but that of its adapter, no state
// beside what constructors are given (violation 7).
func TestDependenciesComeIn(t *testing.T) {
	clocks := map[string]bool{}
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && typeName(s.X) == "time" && s.Sel.Name == "Now" {
				clocks[f.layer] = true
			}
			return true
		})
		for _, d := range f.tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				for _, v := range spec.(*ast.ValueSpec).Values {
					assert.Check(t, isTable(v), "%s has a variable of the package", f.name)
				}
				assert.Check(t, len(spec.(*ast.ValueSpec).Values) > 0, "%s has a variable of the package", f.name)
			}
		}
	}
	assert.DeepEqual(t, slices.Collect(maps.Keys(clocks)), []string{"adapters/clock"})
}

// isTable accepts what does not change: a fixed list of texts, an error.
func isTable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		list, ok := e.Type.(*ast.ArrayType)
		return ok && list.Len != nil && typeName(list.Elt) == "string"
	case *ast.CallExpr:
		s, ok := e.Fun.(*ast.SelectorExpr)
		return ok && typeName(s.X) == "errors" && s.Sel.Name == "New"
	}
	return false
}
