package file

import (
	"bufio"
	"context"
	"crypto/sha256"
	"io"

	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule/event"
)

// Stream writes to standard output, or to another writer. A rule list is its rules and
// an empty line, which marks the end of the list. The same list is not written twice in
// a row. Safe for concurrent use: lines, lists and batches of events are not
// interleaved.
type Stream struct {
	sink
	out  lineEnd
	last [sha256.Size]byte
}

// NewStream returns a sink that writes to w. The caller closes w.
func NewStream(w io.Writer, retry Retry) *Stream {
	return &Stream{sink: sink{retry: retry}, out: lineEnd{w: w}}
}

// Publish writes a list unless it equals the previous one.
func (s *Stream) Publish(ctx context.Context, rules jsonl.List) error {
	digest := sha256.New()
	if err := rules.Write(digest); err != nil {
		return err
	}
	sum := [sha256.Size]byte(digest.Sum(nil))
	return s.write(ctx, func(w *bufio.Writer) error {
		if sum == s.last {
			return nil
		}
		if err := rules.Write(w); err != nil {
			return err
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		s.last = sum
		return nil
	})
}

// Emit writes events in their order.
func (s *Stream) Emit(ctx context.Context, events []event.Event) error {
	return s.write(ctx, func(w *bufio.Writer) error {
		var c chunk
		for rest := events; len(rest) > 0; {
			n, err := c.fill(rest, bufferSize)
			if err != nil {
				return err
			}
			if _, err := w.Write(c.text); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return w.Flush()
	})
}

// write calls to until all is written. After a partial write, everything is
// written again, beginning on a new line.
func (s *Stream) write(ctx context.Context, to func(*bufio.Writer) error) error {
	return s.deliver(ctx, "write output", func() error {
		if err := s.out.mend(); err != nil {
			return err
		}
		return to(bufio.NewWriter(&s.out))
	})
}

// lineEnd is a writer that knows whether the last line is incomplete.
type lineEnd struct {
	w    io.Writer
	torn bool
}

func (l *lineEnd) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	if n > 0 {
		l.torn = p[n-1] != '\n'
	}
	return n, err
}

func (l *lineEnd) mend() error {
	if !l.torn {
		return nil
	}
	_, err := l.Write([]byte("\n"))
	return err
}
