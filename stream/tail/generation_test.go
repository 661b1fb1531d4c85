package tail

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// replaced is a file whose text is replaced after the first read.
type replaced struct {
	*os.File
	by string
}

func (r *replaced) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.File.ReadAt(b, at)
	return n, errors.Join(err, r.Truncate(0), os.WriteFile(r.Name(), []byte(r.by), 0o600))
}

// replacedBy returns a new generation, without a known head, in such a file.
func replacedBy(t *testing.T, text, next string) *generation {
	t.Helper()
	path := filepath.Join(t.TempDir(), "access.log")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	return &generation{source: &replaced{file, next}, file: file}
}

// The head of a new generation is taken from the text first read, even if the file is
// emptied and written again before the head can be compared. Otherwise the copy of the
// first text would count as a new text and be read twice, or the next text would count
// as its copy.
func TestFirstTextIsKnown(t *testing.T) {
	for _, next := range []string{"", "next\n", "first\nother\n"} {
		g := replacedBy(t, "first\nsecond\n", next)
		text, err := g.fill(make([]byte, 100))
		if !errors.Is(err, errRewritten) || len(text) > 0 || string(g.head) != "first\nsecond\n" {
			t.Errorf("replaced by %q: %q is read, %v; it begins with %q", next, text, err, g.head)
		}
		g.close()
	}
}

// A text that has only grown is the same text.
func TestFirstTextGrows(t *testing.T) {
	g := replacedBy(t, "first\n", "first\nsecond\n")
	defer g.close()
	if text, err := g.fill(make([]byte, 100)); string(text) != "first\n" || !errors.Is(err, io.EOF) || string(g.head) != "first\nsecond\n" {
		t.Errorf("%q is read, %v; it begins with %q", text, err, g.head)
	}
}

// A file that cannot be read is not a file whose content changed. Otherwise each poll
// would begin another generation, and would find no new file.
func TestUnreadableFileIsIntact(t *testing.T) {
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "access.log"), os.O_WRONLY|os.O_CREATE, 0o600)
	must(t, err)
	defer file.Close()
	g := &generation{source: file, file: file}
	if !g.intact() {
		t.Error("the content changed")
	}
	if _, err := g.fill(make([]byte, 100)); err == nil || errors.Is(err, errRewritten) {
		t.Errorf("the error is %v", err)
	}
}
