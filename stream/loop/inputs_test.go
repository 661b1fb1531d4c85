package loop_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/read/input"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// inputOf returns the inputs of a daemon that follows one log, and the reader of its records.
func inputOf(t *testing.T, path string, from []tail.Position) (*loop.Inputs, *records.Reader) {
	t.Helper()
	follows, err := tail.Open(tail.Options{Paths: []string{path}, NoNotify: true, Poll: 10 * time.Millisecond}, from)
	must(t, err)
	r, err := records.New(follows, records.Options{Admit: admit.Defaults(), Live: true})
	must(t, err)
	return loop.NewInputs([]loop.Input{{Name: "input", Tail: follows, Records: r}}), r
}

// A daemon told to end during its start closes inputs whose goroutines are about to begin.
// The race detector checks this order.
func TestInputsEndAtTheirStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	for range 100 {
		inputs, _ := inputOf(t, path, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := inputs.Read(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := inputs.Close(); err != nil {
			t.Error(err)
		}
	}
}

// follow reads a file until its lines are as described by ok, which also gets the end of the last batch that
// was read, and returns the description and the
// positions.
func follow(t *testing.T, path string, from []tail.Position, ok func(s *input.State, end int64) bool) (input.State, loop.Saved) {
	t.Helper()
	inputs, r := inputOf(t, path, from)
	for _, p := range from {
		r.Recall(p.Path, p.Format)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ends, done := map[uint64]int64{}, make(chan struct{})
	var last atomic.Int64 // the end of the last batch that was read
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			b, err := inputs.Read(ctx)
			if err != nil {
				continue // about a file, or the end
			}
			if b.End > 0 {
				ends[b.File] = b.End
				last.Store(b.End)
			}
			b.Release()
		}
	}()
	var s input.State
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if all := inputs.Describe(); len(all) == 1 {
			if s = all[0]; ok(&s, last.Load()) {
				break
			}
		}
	}
	cancel()
	<-done
	state, err := inputs.Positions(ends)
	must(t, err)
	saved, err := loop.DecodePositions(state)
	must(t, err)
	if err := inputs.Close(); err != nil {
		t.Error(err)
	}
	return s, saved
}

// A whole line that cannot be read is dealt with: the log has no lag and is caught up, though the
// line is read again after a restart. Lines of a file in no known format lag.
func TestUnreadableLastLine(t *testing.T) {
	var good strings.Builder
	for i := range 20 {
		fmt.Fprintf(&good, "10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /p%d HTTP/1.1\" 200 %d \"-\" \"-\"\n", i, 100+i)
	}
	for _, c := range []struct {
		text   string
		lag    int64
		format string
	}{
		{good.String(), int64(good.Len()), "combined"}, // nothing is saved yet
		{good.String() + "torn line\n", 0, "combined"},
		{good.String() + "torn line\nnot yet whole", 13, "combined"},
		{strings.Repeat("a line of no format\n", 20), 400, ""},
	} {
		path := expect.File(t, "access.log", c.text)
		lines := strings.Count(c.text, "\n")
		s, _ := follow(t, path, nil, func(s *input.State, _ int64) bool {
			return s.Lines["all"] == lines && (*s.LagBytes == c.lag)
		})
		if s.Lines["all"] != lines || *s.LagBytes != c.lag || s.CaughtUp != (c.lag < 20) || s.Format != c.format || (s.LagSeconds > 0) != (c.lag > 0) {
			t.Errorf("%q: %+v, lag %d", c.text[len(c.text)-20:], s, *s.LagBytes)
		}
	}
}

// After a restart the format of a log is known before a new line comes.
func TestFormatIsRecalled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	line := "10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /p HTTP/1.1\" 200 100 \"-\" \"-\"\n"
	must(t, os.WriteFile(path, []byte(line), 0o600))
	_, saved := follow(t, path, nil, func(s *input.State, end int64) bool { return s.Lines["all"] == 1 && end > 0 }) // the line was read, and not only parsed
	s, again := follow(t, path, saved["input"], func(s *input.State, _ int64) bool { return s.Size != nil && s.CaughtUp })
	if s.Lines["all"] != 0 || s.Format != "combined" || s.Offset != int64(len(line)) {
		t.Errorf("after a restart: %+v", s)
	}
	if got := again["input"][0].Format; got != "combined" {
		t.Errorf("the next checkpoint holds the format %q", got)
	}
	other := strings.ReplaceAll(line, ` "-" "-"`, "")
	must(t, os.WriteFile(path, []byte(line+strings.Repeat(other, 20)), 0o600))
	s, _ = follow(t, path, again["input"], func(s *input.State, _ int64) bool { return s.Lines["all"] == 20 })
	if s.Format == "combined" || !strings.Contains(s.Format, "common") {
		t.Errorf("lines of another format are said to be %q", s.Format)
	}
}
