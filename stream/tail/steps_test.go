package tail

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
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
	s := &still{newFollower(quick(path).withDefaults(), nil), t, path}
	t.Cleanup(s.end)
	return s
}

// lines polls, reads until no text is left, and returns the lines delivered.
func (s *still) lines() (all []string) {
	now := time.Now()
	s.look(now, true)
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
	for name, packed := range map[string]bool{"access.log.1": false, "access.log.2.gz": true} {
		for _, read := range []string{"", "one\n", "one\ntwo\n", "one\ntwo\nthree\n"} {
			s := newStill(t)
			s.write(s.path, read)
			all := s.lines()
			s.write(s.path, "one\ntwo\nthree\n")
			s.scan(time.Now()) // the head grows, and nothing is read
			text := "one\ntwo\n"
			if packed {
				text = string(gzipOf(t, []byte(text)))
			}
			s.write(filepath.Join(filepath.Dir(s.path), name), text)
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
	s.write(s.path+".2.gz", string(gzipOf(t, []byte(heading))))
	s.write(s.path+".1", text)
	s.write(s.path, "three\n")
	all := append(s.lines(), s.lines()...)
	slices.Sort(all)
	want(t, all, "#Fields", "#Fields", "one", "three", "two")
}
