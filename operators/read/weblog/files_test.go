package weblog

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestFiles: each file belongs to a family of the package comment.
func TestFiles(t *testing.T) {
	families := families(t)
	entries, err := os.ReadDir(".")
	must(t, err)
	for _, e := range entries {
		family, _, _ := strings.Cut(strings.TrimSuffix(e.Name(), ".go"), "_")
		source := strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") && family != "doc"
		if source && !slices.Contains(families, family) {
			t.Errorf("%s: no family %q in the package comment", e.Name(), family)
		}
	}
}

// families returns the first column of the package comment's table of files.
func families(t *testing.T) (names []string) {
	doc, err := os.ReadFile("doc.go")
	must(t, err)
	_, table, _ := strings.Cut(string(doc), "// # Files\n")
	table, _, _ = strings.Cut(table, "\n// # ")
	for line := range strings.Lines(table) {
		if row, ok := strings.CutPrefix(line, "//\t"); ok {
			column, _, _ := strings.Cut(row, "  ")
			names = append(names, strings.Split(column, ", ")...)
		}
	}
	return names
}
