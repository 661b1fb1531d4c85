package integration

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// addition is an addition to the program, as someone would make it by hand.
type addition struct {
	files map[string]string      // new files of Go, each with its text in testdata
	rows  map[string][][2]string // files of Go with new rows, each behind the row before it
	walk  [2]string              // a test that walks with the addition, with its text in testdata
}

// touches returns the number of files of Go that the addition touches.
func (a *addition) touches() int { return len(a.files) + len(a.rows) }

// try runs tests of the walk's package, with the addition in a copy of the files that it
// touches.
func (a *addition) try(t *testing.T, flags ...string) {
	t.Helper()
	root, err := filepath.Abs("..")
	must(t, err)
	dir := t.TempDir()
	replace := map[string]string{filepath.Join(root, a.walk[0]): filepath.Join(root, "integration/testdata", a.walk[1])}
	for name, text := range a.files {
		replace[filepath.Join(root, name)] = filepath.Join(root, "integration/testdata", text)
	}
	for name, rows := range a.rows {
		source := string(readFile(t, filepath.Join(root, name)))
		for _, row := range rows {
			if strings.Count(source, row[0]) != 1 {
				t.Fatalf("%s has no row %q", name, row[0])
			}
			source = strings.Replace(source, row[0], row[0]+row[1], 1)
		}
		made := filepath.Join(dir, filepath.Base(name))
		writeFile(t, made, []byte(source))
		replace[filepath.Join(root, name)] = made
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	list := filepath.Join(dir, "overlay.json")
	writeFile(t, list, overlay)
	args := append([]string{"test", "-vet", "off", "-overlay", list, "-run", "Walk|Docs", "./" + filepath.Dir(a.walk[0])}, flags...)
	test := exec.Command("go", args...)
	test.Dir = root
	if out, err := test.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
