package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/rule/event"
)

func openIn(t *testing.T, dir string, o EventsOptions, files fileSystem) *Events {
	t.Helper()
	e, err := openEvents(filepath.Join(dir, "events.jsonl"), o, files)
	must(t, err)
	return e
}

func emit(t *testing.T, e *Events, events []event.Event) {
	t.Helper()
	must(t, e.Emit(t.Context(), events))
}

func TestEmit(t *testing.T) {
	dir := t.TempDir()
	e := openIn(t, dir, EventsOptions{}, disk{})
	emit(t, e, eventsTo(0, 3))
	emit(t, e, nil)
	emit(t, e, eventsTo(3, 5000)) // more than a buffer
	must(t, errors.Join(e.Close(), e.Close()))
	if err := e.Emit(t.Context(), eventsTo(0, 1)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("emitted after Close: %v", err)
	}
	again := openIn(t, dir, EventsOptions{}, disk{})
	emit(t, again, eventsTo(5000, 5001))
	must(t, again.Close())
	if got := contents(t, e.path); got != linesOf(t, eventsTo(0, 5001)) {
		t.Errorf("the file holds %d bytes", len(got))
	}
}

// Events quote URLs, so not every user may read a new file.
func TestEventsMode(t *testing.T) {
	e, err := OpenEvents(filepath.Join(t.TempDir(), "events.jsonl"), EventsOptions{})
	must(t, err)
	defer e.Close()
	if is, err := os.Stat(e.path); err != nil || is.Mode().Perm()&^0o640 != 0 {
		t.Errorf("%v, mode %v", err, is.Mode())
	}
}

// A crash may cut the file anywhere. Complete lines stay, a torn line stays on a line
// of its own, and later lines are complete.
func TestEmitAfterCrash(t *testing.T) {
	before, after := linesOf(t, eventsTo(0, 2)), linesOf(t, eventsTo(2, 4))
	for cut := range len(before) + 1 {
		dir := t.TempDir()
		path := filepath.Join(dir, "events.jsonl")
		must(t, os.WriteFile(path, []byte(before[:cut]), 0o600))
		e := openIn(t, dir, EventsOptions{}, newFaulty())
		emit(t, e, eventsTo(2, 4))
		must(t, e.Close())
		want := before[:cut]
		if cut > 0 && want[cut-1] != '\n' {
			want += "\n"
		}
		if got := contents(t, path); got != want+after {
			t.Fatalf("cut at %d: %q", cut, got)
		}
	}
}

// A disk that is repeatedly full, at any byte, loses nothing: each event is written
// once and complete, and no reader ever sees half a line.
func TestEmitDiskFull(t *testing.T) {
	want := linesOf(t, eventsTo(0, 6))
	for _, short := range []bool{true, false} {
		for step := 1; step < len(want); step += 7 {
			files := newFaulty()
			files.short, files.space = short, step
			dir := t.TempDir()
			var failures []error
			retry := quick(&failures)
			retry.Report = func(err error, _ time.Duration) {
				failures = append(failures, err)
				grow := step
				if !short {
					grow += len(want)
				}
				files.setSpace(grow)
			}
			e := openIn(t, dir, EventsOptions{Retry: retry}, files)
			emit(t, e, eventsTo(0, 4))
			emit(t, e, eventsTo(4, 6))
			if got := contents(t, e.path); got != want || len(failures) == 0 || !errors.Is(failures[0], syscall.ENOSPC) {
				t.Fatalf("%d bytes at a time: reported %d, the file holds\n%s", step, len(failures), got)
			}
		}
	}
}

// Events that Emit gave up on a full disk may be emitted again. The result has repeated
// lines but only complete lines.
func TestEmitGivesUp(t *testing.T) {
	files := newFaulty()
	e := openIn(t, t.TempDir(), EventsOptions{}, files)
	lines := linesOf(t, eventsTo(0, 3))
	files.setSpace(len(lines) / 2)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := e.Emit(ctx, eventsTo(0, 3)); !errors.Is(err, syscall.ENOSPC) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	files.setSpace(-1)
	emit(t, e, eventsTo(0, 3))
	if got := contents(t, e.path); got != linesOf(t, eventsTo(0, 2))+lines {
		t.Errorf("the file holds\n%s", got)
	}
}

// After a failed sync the content of the disk is unknown, so all lines are written
// again.
func TestEmitSyncFails(t *testing.T) {
	files := newFaulty()
	var failures []error
	e := openIn(t, t.TempDir(), EventsOptions{Retry: quick(&failures)}, files)
	files.fail = once("sync", "events.jsonl", 1)
	emit(t, e, eventsTo(0, 3))
	if got, once := contents(t, e.path), linesOf(t, eventsTo(0, 3)); got != once+once || len(failures) != 1 {
		t.Errorf("reported %v, the file holds\n%s", failures, got)
	}
}

// Pipes and devices are written, but neither rotated nor synced.
func TestEmitToPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	expect.FIFO(t, path)
	e, err := OpenEvents(path, EventsOptions{MaxBytes: 1, Keep: 1})
	must(t, err)
	defer e.Close()
	r, err := os.Open(path)
	must(t, err)
	defer r.Close()
	emit(t, e, eventsTo(0, 3))
	want := linesOf(t, eventsTo(0, 3))
	got := make([]byte, len(want))
	if _, err := r.Read(got); err != nil || string(got) != want {
		t.Errorf("%v, %q", err, got)
	}
}

func TestOpenEventsRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none", "events")} {
		if _, err := OpenEvents(path, EventsOptions{}); err == nil || !strings.HasPrefix(err.Error(), "open events: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Reopen, SetLimits and Close may be called at any time.
func TestEventsConcurrently(t *testing.T) {
	e := openIn(t, t.TempDir(), EventsOptions{MaxBytes: 4000, Keep: 1000}, disk{})
	var others sync.WaitGroup
	stop := make(chan struct{})
	for i := range 2 {
		others.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
				e.SetLimits(int64(2000+n%7*1000), 1000)
				if err := e.Reopen(); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	for i := range 300 {
		emit(t, e, eventsTo(i, i+1))
	}
	close(stop)
	others.Wait()
	if text, _ := all(t, e); text != linesOf(t, eventsTo(0, 300)) {
		t.Errorf("%d bytes in all files", len(text))
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func ExampleEvents() {
	dir, err := os.MkdirTemp("", "events")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	events, err := OpenEvents(filepath.Join(dir, "events.jsonl"), EventsOptions{MaxBytes: 64 << 20, Keep: 5})
	if err != nil {
		return
	}
	err = events.Emit(context.Background(), []event.Event{{Kind: event.Snapshot, Site: "www.example.org"}})
	told, _ := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	fmt.Print(err, " ", string(told))
	fmt.Println(events.Close())
	// Output:
	// <nil> {"schema":2,"event":"snapshot","id":"c0abafd1bfcabf9916f1191ca4e71235","pane":null,"site":"www.example.org","rules":[]}
	// <nil>
}

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	e := openIn(t, dir, EventsOptions{}, disk{})
	emit(t, e, eventsTo(0, 2))
	must(t, os.Rename(e.path, e.path+".old"))
	emit(t, e, eventsTo(2, 3))
	must(t, e.Reopen())
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

// all returns the content of the rotated files and the file, oldest first.
func all(t *testing.T, e *Events) (text string, files []int) {
	t.Helper()
	for n := 1000; n >= 0; n-- {
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
		must(t, e.Close())
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
