package journal

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// A copy of a journal in use, and under compaction, is a state that was saved.
func TestCopyOfOneInUse(t *testing.T) {
	from := t.TempDir()
	j := open(t, Options{Dir: from, Pane: 60})
	written := make(chan error, 1)
	go func() {
		defer j.Close()
		for n := range 300 {
			save, entries := j.Save, lines(n, n+1)
			if n%50 == 49 {
				save, entries = j.Compact, lines(0, n+1)
			}
			if err := save(entries); err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	before, done := 0, false
	for copies := 0; !done; copies++ {
		select {
		case err := <-written:
			if done = true; err != nil {
				t.Fatal(err)
			}
		default:
		}
		to := t.TempDir()
		must(t, Copy(to, from))
		now := newState()
		c := open(t, Options{Dir: to, Pane: 60})
		must(t, load(c, now.fold))
		must(t, c.Close())
		if now.position < before || now.sum() != sums(now.position) {
			t.Fatalf("copy %d is at %d after %d", copies, now.position, before)
		}
		before = now.position
	}
	if before != 300 {
		t.Errorf("the last copy is at %s", strconv.Itoa(before))
	}
}

// Without a journal nothing is copied, and a copy overwrites no file.
func TestCopyOfNone(t *testing.T) {
	to, none := t.TempDir(), fmt.Sprint(t.TempDir(), "/none")
	if err := Copy(to, none); err != nil {
		t.Error(err)
	}
	if all, err := os.ReadDir(to); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
	from := t.TempDir()
	open(t, Options{Dir: from, Pane: 60}).Close()
	if err := Copy(to, from); err != nil {
		t.Error(err)
	}
	if err := Copy(to, from); err == nil {
		t.Error("an existing file is overwritten")
	}
}
