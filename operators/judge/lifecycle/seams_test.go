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

// The parts of the planner know neither the Machine nor each other. That they know the attempts, the
// forms and the book, and none of these knows them, is what the packages are for.
func TestSeams(t *testing.T) {
	planner := []string{"Machine", "input"}
	strangers := map[string][]string{
		"named":     append([]string{"publisher", "rechecker", "chooser", "trials", "life"}, planner...),
		"life":      {"Machine"},
		"publisher": append([]string{"rechecker", "chooser", "trials"}, planner...),
		"rechecker": append([]string{"publisher", "chooser", "trials"}, planner...),
		"chooser":   append([]string{"publisher", "rechecker", "trials"}, planner...),
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
	must(t, err)
	all := map[string]ast.Decl{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, f.Name(), nil, parser.SkipObjectResolution)
		must(t, err)
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
