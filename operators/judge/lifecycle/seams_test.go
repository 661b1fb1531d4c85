package lifecycle_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// subjects are the types of the package: see its comment. None knows a later one.
var subjects = []string{"named", "publisher", "rechecker", "ongoing", "life", "asks", "Dialogue", "learner", "chooser", "faults", "prover",
	"verdicts", "sets", "trier", "rechecks", "Reports", "Operator", "Answers", "Machine"}

// What is read alone does no acts: it knows the view and the book, and no life.
var readers = []string{"publisher", "rechecker", "chooser"}

// A subject names no later subject, and what only reads names no other. That they know the trials, the forms and
// the book, and none of these knows them, is what the packages are for.
func TestSeams(t *testing.T) {
	met := map[string]bool{}
	for name, decl := range declarations(t) {
		part := partOf(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			id, is := n.(*ast.Ident)
			met[part] = true
			if is && isStranger(part, id.Name) {
				t.Errorf("%s: %s names %s", name, part, id.Name)
			}
			return true
		})
	}
	for _, part := range subjects {
		if !met[part] {
			t.Errorf("there is no %s", part)
		}
	}
}

// isStranger reports whether a subject must not know what has a name.
func isStranger(part, name string) bool {
	if slices.Contains(readers, part) {
		return name != part && (name == "input" || slices.Contains(subjects, name))
	}
	at := slices.Index(subjects, part)
	return at >= 0 && slices.Contains(subjects[at+1:], name)
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
