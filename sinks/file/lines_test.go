package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dustbuster/internal/expect"
)

// Lines are appended to a file readable only by its owner, by any number of goroutines.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit")
	for range 2 {
		l, err := OpenLines(path)
		must(t, err)
		var done sync.WaitGroup
		for i := range 4 {
			done.Go(func() {
				for range 25 {
					if err := l.Append([]byte(strings.Repeat(fmt.Sprint(i), 100) + "\n")); err != nil {
						t.Error(err)
					}
				}
			})
		}
		done.Wait()
		if err := errors.Join(l.Close(), l.Close()); err != nil || !errors.Is(l.Append(nil), os.ErrClosed) || !errors.Is(l.Reopen(), os.ErrClosed) {
			t.Error(err)
		}
	}
	text := contents(t, path)
	for line := range strings.Lines(text) {
		if line != strings.Repeat(line[:1], 100)+"\n" {
			t.Errorf("%q", line)
		}
	}
	if n := strings.Count(text, "\n"); n != 200 {
		t.Errorf("%d lines", n)
	}
	if is, err := os.Stat(path); err != nil || is.Mode().Perm() != 0o600 {
		t.Errorf("%v, mode %v", err, is.Mode())
	}
	if _, err := OpenLines(filepath.Join(t.TempDir(), "none", "audit")); err == nil {
		t.Error("a missing folder is not an error")
	}
}

// A line cut off by a crash is ended before the next line.
func TestLinesAfterCrash(t *testing.T) {
	path := expect.File(t, "audit", "whole\npart")
	l, err := OpenLines(path)
	must(t, err)
	if err := errors.Join(l.Append([]byte("next\n")), l.Close()); err != nil || contents(t, path) != "whole\npart\nnext\n" {
		t.Errorf("%v: %q", err, contents(t, path))
	}
}

// While the disk is full, each line is either complete or missing. The same holds in a
// file that is reopened.
func TestLinesOnAFullDisk(t *testing.T) {
	for space := range len("first\nsecond\n") {
		for _, reopen := range []bool{false, true} {
			files, path := newFaulty(), filepath.Join(t.TempDir(), "audit")
			l, err := openLines(path, files)
			must(t, err)
			files.setSpace(space)
			first, second := l.Append([]byte("first\n")), l.Append([]byte("second\n"))
			if reopen {
				must(t, os.Rename(path, path+".1"))
				must(t, l.Reopen())
			}
			files.setSpace(-1)
			must(t, errors.Join(l.Append([]byte("third\n")), l.Close()))
			text := contents(t, path)
			if reopen {
				old := contents(t, path+".1")
				text = old[:strings.LastIndexByte(old, '\n')+1] + text
			}
			lines := strings.Split(text, "\n")
			for _, line := range lines[:len(lines)-1] {
				if line != "first" && line != "second" && line != "third" {
					t.Errorf("space %d: %q", space, text)
				}
			}
			if !strings.HasSuffix(text, "third\n") || first == nil && !strings.HasPrefix(text, "first\n") || second == nil && !strings.Contains(text, "second\n") {
				t.Errorf("space %d: %q after %v, %v", space, text, first, second)
			}
		}
	}
}
