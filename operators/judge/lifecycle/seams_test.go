package lifecycle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// The parts of a machine depend on each other in one direction. The book knows no other
// part; the view knows neither the book nor the planner; the planner's parts know neither
// the planner nor the trials under way.
func TestSeams(t *testing.T) {
	planner := []string{"planner", "Machine", "derived", "input"}
	deciders := []string{"publisher", "rechecker", "chooser", "trials"}
	derived := []string{"view", "Window", "guard", "judge", "attempt", "setTrial"}
	strangers := map[string][]string{
		"hasher":     slices.Concat(planner, deciders, derived, []string{"book", "memory"}),
		"memory":     slices.Concat(planner, deciders, derived, []string{"book"}),
		"book":       slices.Concat(planner, deciders, derived),
		"forms":      slices.Concat(planner, deciders, []string{"book", "view"}),
		"dropFinder": slices.Concat(planner, deciders, []string{"book", "view"}),
		"view":       slices.Concat(planner, deciders, []string{"book", "judge", "setTrial"}),
		"judge":      slices.Concat(planner, deciders, []string{"setTrial"}),
		"named":      slices.Concat(planner, deciders, derived, []string{"book", "memory"}),
		"attempt":    slices.Concat(planner, deciders, []string{"setTrial"}),
		"derived":    {"planner", "Machine"},
		"publisher":  append([]string{"rechecker", "chooser", "trials", "attempt"}, planner...),
		"rechecker":  append([]string{"publisher", "chooser", "trials", "attempt"}, planner...),
		"chooser":    append([]string{"publisher", "rechecker", "trials", "attempt"}, planner...),
	}
	met := map[string]bool{}
	for name, decl := range declarations(t) {
		part := partOf(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			id, is := n.(*ast.Ident)
			met[part] = true
			if is && slices.Contains(strangers[part], id.Name) {
				t.Errorf("%s: %s names %s", name, part, id.Name)
			}
			return true
		})
	}
	for part := range strangers {
		if !met[part] {
			t.Errorf("there is no %s", part)
		}
	}
}

// declarations returns the declarations of the package, by file and number.
func declarations(t *testing.T) map[string]ast.Decl {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]ast.Decl{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			all[set.Position(d.Pos()).String()] = d
		}
	}
	return all
}

// partOf returns the type that a declaration declares or is a method of, or "".
func partOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return ""
		}
		recv := d.Recv.List[0].Type
		if star, is := recv.(*ast.StarExpr); is {
			recv = star.X
		}
		return recv.(*ast.Ident).Name
	case *ast.GenDecl:
		if s, is := d.Specs[0].(*ast.TypeSpec); is {
			return s.Name.Name
		}
	}
	return ""
}
