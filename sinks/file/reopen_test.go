package file

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	e := openIn(t, dir, EventsOptions{}, disk{})
	emit(t, e, eventsTo(0, 2))
	if err := os.Rename(e.path, e.path+".old"); err != nil {
		t.Fatal(err)
	}
	emit(t, e, eventsTo(2, 3))
	if err := e.Reopen(); err != nil {
		t.Fatal(err)
	}
	emit(t, e, eventsTo(3, 4))
	if old, now := contents(t, e.path+".old"), contents(t, e.path); old != linesOf(t, eventsTo(0, 3)) || now != linesOf(t, eventsTo(3, 4)) {
		t.Errorf("old %q, new %q", old, now)
	}
	if err := e.Close(); err != nil || !errors.Is(e.Reopen(), os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// Reopen, called while Emit waits for a full disk, moves on to a disk with space.
// Nothing is lost, and at most the lines in the old file are repeated.
func TestReopenOffAFullDisk(t *testing.T) {
	want := linesOf(t, eventsTo(0, 3))
	for space := range len(want) {
		files := newFaulty()
		dir := t.TempDir()
		var e *Events
		reopened := false
		e = openIn(t, dir, EventsOptions{Retry: Retry{First: time.Nanosecond, Most: time.Nanosecond, Report: func(error, time.Duration) {
			if reopened {
				t.Errorf("space %d: failed after reopening", space)
			}
			reopened = true
			files.mu.Lock()
			files.space = 0 // while the old file's last line is written
			files.mu.Unlock()
			if err := errors.Join(os.Rename(e.path, e.path+".old"), e.Reopen()); err != nil {
				t.Error(err)
			}
			files.setSpace(-1)
		}}}, files)
		files.setSpace(space)
		emit(t, e, eventsTo(0, 3))
		old := contents(t, e.path+".old")
		whole := old[:strings.LastIndexByte(old, '\n')+1]
		if got := contents(t, e.path); !strings.HasPrefix(want, whole) || whole+got != want {
			t.Fatalf("space %d: old\n%s\nnew\n%s", space, old, got)
		}
	}
}

func TestReopenFails(t *testing.T) {
	files := newFaulty()
	e := openIn(t, t.TempDir(), EventsOptions{}, files)
	files.fail = once("create", "events.jsonl", 1)
	if err := e.Reopen(); !errors.Is(err, syscall.EIO) {
		t.Errorf("error %v", err)
	}
	emit(t, e, eventsTo(0, 1))
	if contents(t, e.path) != linesOf(t, eventsTo(0, 1)) {
		t.Error("the old file was not kept")
	}
}
