package published

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The path of the published copy. Nobody can publish under it: example is no public domain.
const path, host = "dust.example/team/dustbuster", "dust.example"

var version = sync.OnceValue(func() string {
	text, err := os.ReadFile("../../VERSION")
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
})

// moved copies the project to path, once for all tests.
var moved = sync.OnceValues(func() (string, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(scratch, "moved")
	cmd := exec.Command("sh", "integration/module.sh", path, dir)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	return dir, cmd.Run()
})

// scratch is a folder for all tests.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "published")
	if err != nil {
		panic(err)
	}
	scratch = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// copied returns the folder of the copy.
func copied(t *testing.T) string {
	t.Helper()
	dir, err := moved()
	must(t, err)
	return dir
}

// shell is a folder to run commands in.
type shell struct {
	t   *testing.T
	dir string
	env []string // beside the environment of the test
}

// run runs a command and returns what it prints. The input is "" or a text.
func (s shell) run(input string, args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &errs
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, errs.Bytes())
	}
	return string(out)
}

// write writes a file of the folder.
func (s shell) write(name, text string) {
	s.t.Helper()
	must(s.t, os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o755))
	must(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The list that all crawlers of the tests read, URLs that they ask for, and what they must print.
const (
	list = `{"schema":2,"site":"www.example.org","id":"drop-sid","kind":"parameter","op":"drop","params":["sid"],"scope":{},"rank":1,"state":"valid"}` + "\n"
	urls = "http://www.example.org/a?sid=1&id=2\nhttp://elsewhere.example/?sid=1\n"
	want = "http://www.example.org/a?id=2\nhttp://elsewhere.example/?sid=1\n"
)

// Of the project's address, the copy holds the new one alone.
func TestCopyNamesTheNewPath(t *testing.T) {
	dir := copied(t)
	old := exec.Command("grep", "-rIlE", `(example\.org/you|org\.example\.you)[</]|"dustbuster/(cmd|config|integration|internal|operators|sinks|stream)`, dir)
	if out, _ := old.Output(); len(out) > 0 {
		t.Errorf("files that name the old path:\n%s", out)
	}
	for _, language := range []string{"python", "java", "javascript"} {
		text, err := os.ReadFile(filepath.Join(dir, "sinks", "appliers", language, "README.md"))
		must(t, err)
		if bytes.Contains(text, []byte("](.")) || !bytes.Contains(text, []byte("](https://"+path+"/blob/HEAD/docs/rules.md)")) {
			t.Errorf("%s: README.md has links that a registry does not follow", language)
		}
	}
}
