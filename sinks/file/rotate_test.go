package file

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule/event"
)

// all returns the content of the rotated files and the file, oldest first.
func all(t *testing.T, e *Events) (text string, files []int) {
	t.Helper()
	for n := 50; n >= 0; n-- {
		path := e.path
		if n > 0 {
			path = e.rotated(n)
		}
		if b, err := os.ReadFile(path); err == nil {
			text += string(b)
			files = append(files, len(b))
		}
	}
	return text, files
}

func TestRotate(t *testing.T) {
	line := int64(len(linesOf(t, eventsTo(0, 1))))
	for _, c := range []struct {
		maxBytes int64
		keep     int
		batch    int // events per call
		files    int
		kept     int // of 10 events
	}{
		{0, 3, 1, 1, 10},
		{10 * line, 3, 1, 1, 10},
		{10*line - 1, 3, 1, 2, 10},
		{4 * line, 3, 1, 3, 10},
		{4 * line, 3, 10, 3, 10},
		{4 * line, 1, 3, 2, 6},
		{4 * line, 0, 3, 1, 2},
		{line, 20, 10, 10, 10},
		{1, 20, 5, 10, 10}, // a line is longer
		{1, 2, 5, 3, 3},
	} {
		e := openIn(t, t.TempDir(), EventsOptions{MaxBytes: c.maxBytes, Keep: c.keep}, disk{})
		for at := 0; at < 10; at += c.batch {
			emit(t, e, eventsTo(at, min(10, at+c.batch)))
		}
		text, files := all(t, e)
		if text != linesOf(t, eventsTo(10-c.kept, 10)) || len(files) != c.files {
			t.Errorf("%+v: files of %v bytes\n%s", c, files, text)
		}
		for _, size := range files {
			if c.maxBytes >= line && int64(size) > c.maxBytes {
				t.Errorf("%+v: files of %v bytes", c, files)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A long line, such as a snapshot, shares a file with others if it fits.
func TestRotateLongLine(t *testing.T) {
	long := event.Event{Kind: event.Snapshot, Site: strings.Repeat("x", 2*bufferSize)}
	e := openIn(t, t.TempDir(), EventsOptions{MaxBytes: 8 * bufferSize, Keep: 3}, disk{})
	emit(t, e, []event.Event{eventsTo(0, 1)[0], long, long, eventsTo(0, 1)[0], long})
	if _, files := all(t, e); len(files) != 1 {
		t.Errorf("files of %v bytes", files)
	}
}

// Whichever step of a rotation fails, all events are in the files once, in order, and
// no rotated file is removed early.
func TestRotateFaults(t *testing.T) {
	size := int64(len(linesOf(t, eventsTo(0, 2))))
	for _, fault := range []struct {
		op, name string
	}{
		{"create", "events.jsonl.tmp"}, {"rename", "events.jsonl.tmp"}, {"rename", "events.jsonl"},
		{"rename", "events.jsonl.1"}, {"rename", "events.jsonl.2"}, {"syncdir", ""},
	} {
		for nth := 1; nth <= 3; nth++ {
			files := newFaulty()
			var failures []error
			dir := t.TempDir()
			e := openIn(t, dir, EventsOptions{MaxBytes: size, Keep: 4, Retry: quick(&failures)}, files)
			name := fault.name
			if name == "" {
				name = filepath.Base(dir)
			}
			files.fail = once(fault.op, name, nth)
			for i := range 10 {
				emit(t, e, eventsTo(i, i+1))
			}
			text, sizes := all(t, e)
			if text != linesOf(t, eventsTo(0, 10)) {
				t.Errorf("%v %d: reported %v, files of %v bytes\n%s", fault, nth, failures, sizes, text)
			}
			if left := slices.Contains(names(t, dir), "events.jsonl.tmp"); left || len(failures) > 1 {
				t.Errorf("%v %d: reported %v, left %q", fault, nth, failures, names(t, dir))
			}
		}
	}
}

// A sync that fails before a rotation leads to repeated lines, not to a loss.
func TestRotateSyncFails(t *testing.T) {
	files := newFaulty()
	var failures []error
	e := openIn(t, t.TempDir(), EventsOptions{MaxBytes: int64(len(linesOf(t, eventsTo(0, 2)))), Keep: 9, Retry: quick(&failures)}, files)
	files.fail = once("sync", "events.jsonl", 1)
	emit(t, e, eventsTo(0, 4))
	if text, _ := all(t, e); text != linesOf(t, eventsTo(0, 2))+linesOf(t, eventsTo(0, 4)) || len(failures) != 1 {
		t.Errorf("reported %v\n%s", failures, text)
	}
}
