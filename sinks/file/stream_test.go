package file

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestStream(t *testing.T) {
	var b bytes.Buffer
	s := NewStream(&b, Retry{})
	want := ""
	for i, c := range []struct{ rules, events int }{{rules: 2}, {events: 3}, {rules: 2}, {rules: 0, events: 1}, {rules: 2}} {
		if c.events > 0 {
			must(t, s.Emit(t.Context(), eventsTo(0, c.events)))
			want += linesOf(t, eventsTo(0, c.events))
		} else if err := s.Publish(t.Context(), published(rulesTo(c.rules))); err != nil {
			t.Fatal(err)
		} else if i == 0 {
			want += listOf(t, rulesTo(c.rules)) + "\n"
		}
	}
	if err := s.Publish(t.Context(), nil); err != nil { // an empty list is a list, too
		t.Fatal(err)
	}
	if want += "\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if err := errors.Join(s.Close(), s.Emit(t.Context(), eventsTo(0, 1))); !errors.Is(err, os.ErrClosed) {
		t.Errorf("emitted after Close: %v", err)
	}
}

// flaky accepts some bytes, fails once, and continues.
type flaky struct {
	bytes.Buffer
	left   int
	failed bool
}

func (f *flaky) Write(p []byte) (int, error) {
	if f.failed || f.left >= len(p) {
		f.left -= len(p)
		return f.Buffer.Write(p)
	}
	f.failed = true
	n, _ := f.Buffer.Write(p[:f.left])
	return n, syscall.ENOSPC
}

// After an error all is written again, beginning on a new line.
func TestStreamFails(t *testing.T) {
	events, list := linesOf(t, eventsTo(0, 2)), listOf(t, rulesTo(2))+"\n"
	for _, c := range []struct {
		name, all string
		call      func(*Stream) error
	}{
		{"events", events, func(s *Stream) error { return s.Emit(context.Background(), eventsTo(0, 2)) }},
		{"rules", list, func(s *Stream) error { return s.Publish(context.Background(), published(rulesTo(2))) }},
	} {
		for left := range len(c.all) {
			var failures []error
			out := flaky{left: left}
			err := c.call(NewStream(&out, quick(&failures)))
			want := c.all[:left]
			if !strings.HasSuffix("\n"+want, "\n") {
				want += "\n"
			}
			if want += c.all; err != nil || len(failures) != 1 || out.String() != want {
				t.Fatalf("%s, after %d bytes: %v, reported %v\n%s", c.name, left, err, failures, out.String())
			}
		}
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestStreamNobodyReads(t *testing.T) {
	if err := NewStream(closedPipe{}, Retry{}).Emit(t.Context(), eventsTo(0, 1)); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("error %v", err)
	}
}

func TestStreamConcurrently(t *testing.T) {
	var b bytes.Buffer
	s := NewStream(&b, Retry{})
	list, events := listOf(t, rulesTo(3))+"\n", linesOf(t, eventsTo(0, 3))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				if err := errors.Join(s.Emit(context.Background(), eventsTo(0, 3)), s.Publish(context.Background(), published(rulesTo(3)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	rest := strings.ReplaceAll(strings.ReplaceAll(b.String(), list, ""), events, "")
	if rest != "" || strings.Count(b.String(), list) != 1 {
		t.Errorf("left over: %q", rest)
	}
}
