package expect

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Build is TestMain of a module two folders below the project: it builds the program, sets program to its
// path, and runs the tests.
func Build(m *testing.M, program *string) {
	dir, err := os.MkdirTemp("", "dustbuster")
	if err != nil {
		panic(err)
	}
	*program = filepath.Join(dir, "dustbuster")
	build := exec.Command("go", "build", "-o", *program, "./cmd/dustbuster")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build dustbuster: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
