package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/operators/rule/event"
)

func openIn(t *testing.T, dir string, o EventsOptions, files fileSystem) *Events {
	t.Helper()
	e, err := openEvents(filepath.Join(dir, "events.jsonl"), o, files)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func emit(t *testing.T, e *Events, events []event.Event) {
	t.Helper()
	if err := e.Emit(t.Context(), events); err != nil {
		t.Fatal(err)
	}
}

func TestEmit(t *testing.T) {
	dir := t.TempDir()
	e := openIn(t, dir, EventsOptions{}, disk{})
	emit(t, e, eventsTo(0, 3))
	emit(t, e, nil)
	emit(t, e, eventsTo(3, 5000)) // more than a buffer
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Fatal(err)
	}
	if err := e.Emit(t.Context(), eventsTo(0, 1)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("emitted after Close: %v", err)
	}
	again := openIn(t, dir, EventsOptions{}, disk{})
	emit(t, again, eventsTo(5000, 5001))
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, e.path); got != linesOf(t, eventsTo(0, 5001)) {
		t.Errorf("the file holds %d bytes", len(got))
	}
}

// Events quote URLs, so not every user may read a new file.
func TestEventsMode(t *testing.T) {
	e, err := OpenEvents(filepath.Join(t.TempDir(), "events.jsonl"), EventsOptions{})
	if err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(path, []byte(before[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		e := openIn(t, dir, EventsOptions{}, newFaulty())
		emit(t, e, eventsTo(2, 4))
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
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
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := OpenEvents(path, EventsOptions{MaxBytes: 1, Keep: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
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
	text := ""
	for n := 1000; n >= 0; n-- {
		path := e.path
		if n > 0 {
			path = e.rotated(n)
		}
		if b, err := os.ReadFile(path); err == nil {
			text += string(b)
		}
	}
	if text != linesOf(t, eventsTo(0, 300)) {
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
	// <nil> {"schema":1,"event":"snapshot","id":"c0abafd1bfcabf9916f1191ca4e71235","pane":null,"site":"www.example.org","rules":[]}
	// <nil>
}
