package folder

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/expect"
)

// must ends a test at an error.
var must = expect.NoError

// write makes a folder with files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

func TestPages(t *testing.T) {
	dir := write(t, map[string]string{
		"a.html": "", "B.HTM": "x", "sub/c.xhtml": "x", "sub/story?id=1": "<html>x", "sub/d.html?x=1.css": "x",
		"style.css": "p {}", "picture.png": "\x89PNG\r\n\x1a\n", ".hidden.html": "x", ".git/e.html": "x",
		"ä #\n%41.html": "x", "text": "plain", "empty": "",
	})
	must(t, os.Symlink("a.html", filepath.Join(dir, "link.html")))
	var got []string
	for page, err := range Pages(dir) {
		must(t, err)
		got = append(got, page.URL)
	}
	if want := "/B.HTM /a.html /sub/c.xhtml /sub/d.html?x=1.css /sub/story?id=1 /%C3%A4%20%23%0A%41.html"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, err := range Pages(dir) {
		if err != nil {
			t.Error(err)
		}
		break // ends the walk
	}
	for _, c := range []struct {
		name string
		want bool
	}{{"", true}, {"sub", true}, {".git", true}, {"none", false}} {
		must(t, os.MkdirAll(filepath.Join(dir, "none"), 0o755))
		if got := Holds(filepath.Join(dir, c.name)); got != c.want {
			t.Errorf("%q holds pages: %v", c.name, got)
		}
	}
}

func TestReader(t *testing.T) {
	dir := write(t, map[string]string{"a.html": "x", "b.html": "x", "c.html": "yy"})
	r := NewReader(dir)
	defer r.Close()
	got, err := io.ReadAll(r)
	const x = "2d711642b726b044"
	want := fmt.Sprintf("/a.html\t200\t1\t%s\n/b.html\t200\t1\t%s\n", x, x)
	if text := string(got); err != nil || !strings.HasPrefix(text, want) || strings.Count(text, x) != 2 || !strings.Contains(text, "/c.html\t200\t2\t") {
		t.Errorf("%q, %v, want %q first", got, err, want)
	}
	if (NewReader(dir)).Close() != nil { // unread
		t.Error("close")
	}
}

// A page that cannot be read is left out, and the error comes after the others.
func TestReaderUnreadable(t *testing.T) {
	dir := write(t, map[string]string{"a.html": "x", "b.html": "x", "c.html": "x"})
	r := NewReader(dir)
	defer r.Close()
	first := make([]byte, 1)
	if _, err := r.Read(first); err != nil {
		t.Fatal(err)
	}
	must(t, os.Remove(filepath.Join(dir, "b.html")))
	rest, err := io.ReadAll(r)
	if err == nil || !strings.Contains(err.Error(), "1 pages cannot be read, the first: open ") || strings.Count(string(rest), "\n") != 2 {
		t.Errorf("%q, %v", rest, err)
	}
	if _, err := io.ReadAll(NewReader(filepath.Join(dir, "missing"))); err == nil {
		t.Error("a missing folder is no error")
	}
}
