package tail

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// still is a reader whose polls and reads are called step by step, without its
// goroutine.
type still struct {
	*follower
	t    *testing.T
	path string
}

func newStill(t *testing.T) *still {
	path := filepath.Join(t.TempDir(), "access.log")
	s := &still{newFollower(Quick(path).withDefaults(), nil), t, path}
	t.Cleanup(s.end)
	return s
}

// lines polls, reads until no text is left, and returns the lines delivered.
func (s *still) lines() (all []string) {
	now := time.Now()
	s.look(now)
	for g := s.next(); g != nil && s.refill(); g = s.next() {
		s.step(g, now)
		for len(s.out) > 0 {
			b := <-s.out
			for line := range b.Lines() {
				all = append(all, string(line))
			}
			b.Release()
		}
	}
	return all
}

func (s *still) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// A poll lists the copy of the first text. Before the poll opens the copy, the log is
// emptied, the copy is deleted, and a copy of the second text gets the inode of the
// deleted copy, while the second text is still in the log. Each text is read once.
func TestListedCopyIsReplaced(t *testing.T) {
	s := newStill(t)
	s.write(s.path, "one\n")
	want(t, s.lines(), "one")
	copied := s.path + ".1"
	s.write(copied, "one\n")
	l := s.logs[0]
	s.survey()
	listed := s.list(l, true)
	at := slices.IndexFunc(listed, func(e entry) bool { return e.path == copied })
	s.write(copied, "two\n") // in the same inode
	s.write(s.path, "two\n")
	s.judge(l, listed[at], time.Now())
	want(t, s.lines(), "two")
	s.write(s.path, "three\n")
	want(t, s.lines(), "three")
	want(t, s.lines())
}

// The reader knows the first lines of a text, and has read some. Only the lines before
// the last were copied when the log was emptied. The lines copied are delivered, whether
// the copy is seen plain or compressed.
func TestCopyIsShorterThanTheKnownHead(t *testing.T) {
	for _, c := range []struct {
		name   string
		packed bool
	}{{"access.log.1", false}, {"access.log.2.gz", true}} {
		for _, read := range []string{"", "one\n", "one\ntwo\n", "one\ntwo\nthree\n"} {
			s := newStill(t)
			s.write(s.path, read)
			all := s.lines()
			s.write(s.path, "one\ntwo\nthree\n")
			s.scan(time.Now()) // the head grows, and nothing is read
			text := "one\ntwo\n"
			if c.packed {
				text = string(GzipOf(t, []byte(text)))
			}
			s.write(filepath.Join(filepath.Dir(s.path), c.name), text)
			s.write(s.path, "four\n")
			all = append(append(all, s.lines()...), s.lines()...)
			expected := []string{"one", "two", "four"}
			if read == "one\ntwo\nthree\n" {
				expected = []string{"one", "two", "three", "four"}
			}
			slices.Sort(all)
			slices.Sort(expected)
			want(t, all, expected...)
		}
	}
}

// The beginning of a text, found in a file of its own, may be the copy of the text, or an
// older text that began alike. Nothing is lost if the copy is found, too.
func TestOlderTextBeganAlike(t *testing.T) {
	s := newStill(t)
	heading, text := "#Fields\n", "#Fields\none\ntwo\n"
	s.write(s.path, text)
	s.scan(time.Now())
	s.write(s.path+".2.gz", string(GzipOf(t, []byte(heading))))
	s.write(s.path+".1", text)
	s.write(s.path, "three\n")
	all := append(s.lines(), s.lines()...)
	slices.Sort(all)
	want(t, all, "#Fields", "#Fields", "one", "three", "two")
}

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
	path := expect.File(t, "access.log", text)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	expect.NoError(t, err)
	return &generation{source: &replaced{file, next}, file: file, heads: newHeads()}
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
	expect.NoError(t, err)
	defer file.Close()
	g := &generation{source: file, file: file, heads: newHeads()}
	if !g.intact() {
		t.Error("the content changed")
	}
	if _, err := g.fill(make([]byte, 100)); err == nil || errors.Is(err, errRewritten) {
		t.Errorf("the error is %v", err)
	}
}

func want(t *testing.T, got []string, all ...string) {
	t.Helper()
	if !slices.Equal(got, all) {
		t.Errorf("got %.200q, want %.200q", got, all)
	}
}
