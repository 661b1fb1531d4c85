package integration

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// packageRow finds a public package in the table of docs/crawlers.md; packageName finds
// all that are named beside them.
var (
	packageRow  = regexp.MustCompile("(?m)^\\| `([a-z]+/[a-z/]+)`")
	packageName = regexp.MustCompile("`((?:operators|stream|sinks)/[a-z/]+)`")
)

// docs/crawlers.md lists the public packages. Each has a runnable example, and the examples of
// programs need no others.
func TestPublicPackages(t *testing.T) {
	section := string(readFile(t, "../docs/crawlers.md"))
	public := map[string]bool{}
	for _, m := range packageName.FindAllStringSubmatch(section, -1) {
		public[m[1]] = true
	}
	rows := packageRow.FindAllStringSubmatch(section, -1)
	if len(rows) == 0 {
		t.Fatal("docs/crawlers.md lists no packages")
	}
	for _, m := range rows {
		text, err := os.ReadFile(filepath.Join("..", m[1], "example_test.go"))
		if err != nil || !strings.Contains(string(text), "// Output:") {
			t.Errorf("%s has no runnable example: %v", m[1], err)
		}
	}
	programs, err := filepath.Glob("examples/*/main.go")
	if err != nil || len(programs) == 0 {
		t.Fatalf("no programs in examples: %v", err)
	}
	for _, program := range programs {
		for _, name := range projectImports(t, program) {
			if !public[name] {
				t.Errorf("%s imports %s, which docs/crawlers.md does not list", program, name)
			}
		}
	}
}

// projectImports returns which of the project's packages a file imports.
func projectImports(t *testing.T, path string) (names []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	must(t, err)
	for _, i := range f.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		must(t, err)
		if name, ok := strings.CutPrefix(name, module); ok {
			names = append(names, name)
		}
	}
	return names
}
